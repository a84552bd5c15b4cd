/** The page for editing, which a script fills: forms are made from the tables of fields of the calendar. */

import { contactParameters } from '../../calendar/model/fields/contact.ts';
import { eventParameters } from '../../calendar/model/fields/event.ts';
import type { Parameter, ParameterTable } from '../../calendar/model/fields/parameter.ts';
import { postFields } from '../../calendar/model/fields/posts.ts';
import { translatedOf } from '../../calendar/model/fields/table.ts';
import { type EventStatus, statusWord } from '../../calendar/model/for-browsers/event-status.ts';
import { languages, type PostKind } from '../../calendar/model/values.ts';
import { sizeBoxes } from '../../calendar/pictures/picture-sizes.ts';
import { maxPictureBytes } from '../../calendar/pictures/upload.ts';
import type { Page } from '../common/page.tsx';
import type { PageContext } from '../common/page-context.ts';
import type { Control, FormField } from '../common/views/types.ts';
import { isWord, type PageLanguage, words } from '../common/views/words.ts';
import type { Reader } from '../site/reader.ts';

const tables: Readonly<Record<PostKind, ParameterTable>> = { event: eventParameters, ...contactParameters };

/** Fields that a form shows first, in their order; those that it has not among them follow in the order of the table. */
const firstFields: Readonly<Record<PostKind, readonly string[]>> = {
  event: [
    'title',
    'start_date',
    'end_date',
    'timezone',
    'all_day',
    'repeat',
    'venue',
    'organizer',
    'image',
    'description',
    'categories',
    'cost',
    'registration_url',
    'website',
    'event_status',
    'event_status_reason',
  ],
  venue: ['venue', 'address', 'zip', 'city', 'country', 'image', 'description', 'phone', 'website'],
  organizer: ['organizer', 'image', 'description', 'phone', 'email', 'website'],
};

/** Fields that no form has: buttons set the status, and programs the rest. */
const omitted = [
  'author',
  'status',
  'date_utc',
  'post_parent',
  'stateprovince',
  'translations',
  'confirmed_translations',
];

/** Fields whose values are long. */
const wideFields = ['title', 'website', 'registration_url'];

/** Controls of fields whose type does not say how they are entered. */
const controls: Readonly<Record<string, Control>> = {
  date: 'moment',
  start_date: 'date',
  end_date: 'date',
  timezone: 'zone',
  image: 'picture',
  description: 'html',
  categories: 'terms',
  tags: 'names',
  website: 'url',
  registration_url: 'url',
  event_status: 'choice',
  country: 'country',
  email: 'email',
  phone: 'tel',
  access_password: 'password',
};

/** Returns the fields of the form of a kind. */
function formOf(kind: PostKind, context: PageContext): FormField[] {
  const { word, language } = context;
  const main = firstFields[kind];
  const additional = Object.keys(tables[kind]).filter((name) => ![...main, ...omitted].includes(name));
  const repeat = {
    name: 'repeat',
    label: word('field_repeat'),
    control: 'repeat',
    isFirst: true,
    isRequired: false,
    initial: undefined,
  } as const;
  const fields = [...main, ...additional].flatMap((name): FormField[] => {
    if (name === 'repeat') return [repeat];
    const parameter = tables[kind][name];
    if (parameter === undefined) return [];
    const { description, type, required: isRequired = false, default: initial } = parameter;
    const label = `field_${name === kind ? 'name' : name}`;
    const isLink = kind === 'event' && (name === 'venue' || name === 'organizer');
    const ofType = type === 'boolean' ? 'check' : type === 'number' ? 'number' : 'text';
    return [
      {
        name,
        isRequired,
        isFirst: main.includes(name),
        ...(wideFields.includes(name) || name === kind ? { isWide: true } : {}),
        initial,
        label: isWord(label) ? word(label) : description,
        control: isLink ? 'links' : (controls[name] ?? ofType),
        ...optionsOf(parameter, language),
      },
    ];
  });
  return [...fields, ...translationsOf(kind, fields, context)];
}

/** Returns the texts of a form in languages that are not its own, which stand beside those of its own, and those that are right still. */
function translationsOf(kind: PostKind, fields: readonly FormField[], context: PageContext): FormField[] {
  const names = translatedOf(postFields[kind]).map(([, sent]) => sent);
  const own = fields.filter(({ name }) => names.includes(name));
  const others = textLanguagesOf(context).filter(({ isOfForm }) => !isOfForm);
  const texts = others.flatMap(({ part, code }) =>
    own.map(({ name, label, control }) => ({
      name: `translations.${part}.${name}`,
      label: `${label} (${words(code)('ownName')})`,
      control,
      translates: name,
    })),
  );
  const label = context.word('field_confirmed_translations');
  return [...texts, { name: 'confirmed_translations', label, control: 'confirmed' }];
}

/** A language of the texts of the calendar, as forms have it. */
interface TextLanguage {
  /** The name under which the API has its texts. */
  readonly part: string;
  readonly code: PageLanguage;
  /** Whether its texts are those that others are made on. */
  readonly isOriginal: boolean;
  /** Whether the fields of the form are in it. */
  readonly isOfForm: boolean;
}

/** Returns the languages of texts, that of the calendar first. */
function textLanguagesOf({ language, config }: PageContext): TextLanguage[] {
  const others = languages.filter((one) => one !== config.CALENDAR_LANGUAGE);
  const original = { part: 'default', code: config.CALENDAR_LANGUAGE, isOriginal: true };
  const translated = others.map((code) => ({ part: code, code, isOriginal: false }));
  // Texts are kept in no other language than these: a form in one of those has the original.
  const isOneOf = others.some((code) => code === language);
  return [original, ...translated].map((one) => ({
    ...one,
    isOfForm: isOneOf ? one.code === language : one.isOriginal,
  }));
}

/** Returns the values of a choice, which the table of fields has, with their names. */
function optionsOf({ schema }: Parameter<unknown>, language: PageLanguage): Pick<FormField, 'options'> {
  const values = schema?.['enum'] as readonly string[] | undefined;
  if (values === undefined) return {};
  return { options: values.map((value) => [value, statusWord(value as EventStatus, language)] as const) };
}

/** Creates the page: the list of records, or the form of the one in the address. */
export async function editPage({ context, categories }: Reader): Promise<Page> {
  const { config, word } = context;
  const { terms, colorOf, colors } = await categories();
  const kinds = Object.keys(tables) as PostKind[];
  const data = {
    forms: Object.fromEntries(kinds.map((kind) => [kind, formOf(kind, context)])),
    colors: Object.fromEntries(terms.map((term) => [term.id, colorOf(term)])),
    textLanguages: textLanguagesOf(context),
    zone: config.CALENDAR_TIME_ZONE,
    currency: config.CALENDAR_CURRENCY,
    pictures: { sizes: Object.entries(sizeBoxes), maxBytes: maxPictureBytes },
  };
  const authority = config.AppRegistration__Authority;
  const children = (
    <div
      id="app"
      data-authority={authority}
      data-client={config.AppRegistration__ClientId}
      data-edit={JSON.stringify(data)}
    >
      <noscript>{word('needsScript')}</noscript>
    </div>
  );
  const connects = new URL(authority).origin;
  const files = { script: 'edit.js', style: 'edit.css' };
  return { title: word('edit'), isTitled: false, children, connects, colors, ...files };
}
