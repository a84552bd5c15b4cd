/** The texts of a record for those who edit it: what is sent back as it is shown is stored as it was. */

import { postFields } from '../model/fields/posts.ts';
import { translatedOf } from '../model/fields/table.ts';
import { termFields } from '../model/fields/term.ts';
import type { AnyPost, TermRecord } from '../model/records.ts';
import type { Readable } from '../model/rights.ts';
import { withOwnAddresses } from '../model/text/own-addresses.ts';
import { paragraphs, textIn } from '../model/text/render-text.ts';
import { type TextState, textState } from '../model/translated-texts.ts';
import { languages } from '../model/values.ts';
import type { PostEntry } from '../replica/entries.ts';
import type { ReadContext } from './read-context.ts';

/** Returns the texts of a record by the names of their fields, without the typographic characters of its view: HTML in paragraphs. */
export function rawTexts(
  { entry: { record } }: Readable<PostEntry>,
  { language, root, replica }: Pick<ReadContext, 'language' | 'root' | 'replica'>,
): Readonly<Record<string, string>> {
  const html = (field: 'description' | 'excerpt') =>
    paragraphs(withOwnAddresses(textIn(record, field, language), root, (id) => replica.image(id)));
  const title = textIn(record, 'title', language).trim();
  const { kind } = record;
  return {
    [kind === 'event' ? 'title' : kind]: title,
    description: html('description'),
    ...(kind === 'event' ? { excerpt: html('excerpt') } : {}),
  };
}

/** The texts of a record in all languages, by the names of their fields, and what each is beside its original. */
export interface TextsByLanguage {
  readonly translations: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly translation_states: Readonly<Record<string, Readonly<Record<string, TextState>>>>;
}

const html = ['description', 'excerpt'];

/** Returns the texts of a record in all languages for those who edit it; of the language of the calendar the default ones alone. */
export function textsByLanguage(
  record: AnyPost | TermRecord,
  { root, replica, site }: Pick<ReadContext, 'root' | 'replica' | 'site'>,
): TextsByLanguage {
  const isTerm = record.kind === 'category' || record.kind === 'tag';
  const fields = translatedOf(isTerm ? termFields[record.kind] : postFields[record.kind]);
  const others = languages.filter((language) => language !== site.language);
  const shown = (field: string, text: string) =>
    html.includes(field) && !isTerm
      ? paragraphs(withOwnAddresses(text, root, (id) => replica.image(id)))
      : text.trim();
  const textsOf = (texts: object | undefined) =>
    Object.fromEntries(
      fields.flatMap(([stored, sent]) => {
        const text = (texts as Readonly<Record<string, unknown>> | undefined)?.[stored];
        return typeof text === 'string' && text !== '' ? [[sent, shown(stored, text)] as const] : [];
      }),
    );
  const statesIn = (language: (typeof languages)[number]) =>
    Object.fromEntries(
      fields.flatMap(([stored, sent]) => {
        const state = textState(record, [language, stored]);
        return state === undefined ? [] : [[sent, state] as const];
      }),
    );
  return {
    translations: {
      default: textsOf(record),
      ...Object.fromEntries(others.map((language) => [language, textsOf(record.translations?.[language])])),
    },
    translation_states: Object.fromEntries(others.map((language) => [language, statesIn(language)])),
  };
}
