/** What clients send of texts in several languages at once, beside those of the language of the request (docs/calendar-contract.md, "Languages"). */

import type { CalendarContext } from '../calendar-context.ts';
import type { TextName } from '../translated-texts.ts';
import { type Language, languages } from '../values.ts';
import type { FieldTable } from './field.ts';
import { extension, InvalidValue, map, type Parameter, textTooLong } from './parameter.ts';
import { list } from './parsers.ts';
import { translatedOf } from './table.ts';

type Texts = Readonly<Record<string, string>>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the parameters that a kind of records has beside its fields. */
export function translationParameters(fields: FieldTable) {
  const texts = translatedOf(fields).filter(([, sent]) => fields[sent]?.parameter !== undefined);
  return {
    translations: extension(translations(fields, texts)),
    confirmed_translations: extension(confirmed(texts)),
  };
}

type NamedTexts = readonly (readonly [stored: string, sent: string])[];

function translations(
  fields: FieldTable,
  texts: NamedTexts,
): Parameter<Readonly<Partial<Record<Language | 'default', Texts>>>> {
  const parts = ['default', ...languages];
  const members = Object.fromEntries(texts.map(([, sent]) => [sent, { type: 'string' }]));
  return {
    description:
      'Texts by language: those of `da` and `sv` stand beside the `default` ones. An empty one is removed.',
    type: 'object',
    schema: {
      additionalProperties: false,
      properties: Object.fromEntries(parts.map((part) => [part, { type: 'object', properties: members }])),
    },
    // Each text has the limit of one.
    isLong: true,
    parse(value, context) {
      if (!isObject(value)) return new InvalidValue('must be an object of texts by language', true);
      const found: Record<string, Texts> = {};
      for (const [part, sent] of Object.entries(value)) {
        if (!parts.includes(part)) return new InvalidValue(`must have ${parts.join(', ')} alone`);
        if (!isObject(sent)) return new InvalidValue(`must have an object of texts for ${part}`);
        const parsed = textsIn(part, sent, { fields, texts }, context);
        if (parsed instanceof InvalidValue) return parsed;
        found[part] = parsed;
      }
      return found;
    },
  };
}

function textsIn(
  part: string,
  sent: Readonly<Record<string, unknown>>,
  { fields, texts }: { readonly fields: FieldTable; readonly texts: NamedTexts },
  context: CalendarContext,
): Texts | InvalidValue {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent)) {
    const stored = texts.find(([, sentAs]) => sentAs === name)?.[0];
    const parameter = fields[name]?.parameter;
    if (stored === undefined || parameter === undefined)
      return new InvalidValue(
        `must not have ${name}, but ${texts.map(([, sentAs]) => sentAs).join(', ')} alone`,
      );
    // The texts in the language of the calendar are the default ones.
    const isRemoved = part !== 'default' && part !== context.site.language && value === '';
    const text = isRemoved ? '' : (textTooLong(value) ?? parameter.parse(value, context));
    if (text instanceof InvalidValue)
      return new InvalidValue(`has ${name} in ${part}, which ${text.message}`);
    found[stored] = text as string;
  }
  return found;
}

function confirmed(texts: NamedTexts): Parameter<readonly TextName[]> {
  const names = texts.map(([, sent]) => sent);
  return map(
    list(
      'Texts that are right as they are, on the present originals: `da` for all of a language, `da.title` for one.',
    ),
    (items) => {
      const found = items.map((item) => {
        const [part, ...others] = String(item).split('.');
        const name = others.length === 0 ? undefined : others.join('.');
        const language = languages.find((one) => one === part);
        if (language === undefined || (name !== undefined && !names.includes(name))) return undefined;
        return texts
          .filter(([, sent]) => name === undefined || sent === name)
          .map(([stored]) => [language, stored] as const);
      });
      return found.some((one) => one === undefined)
        ? new InvalidValue(`must be of ${languages.join(', ')}, or of these with ${names.join(', ')}`)
        : found.flatMap((one) => one ?? []);
    },
  );
}
