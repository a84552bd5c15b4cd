/** The texts of events, venues and organizers that may show pictures and links: in the default language and in others. */

import type { AnyPost, CalendarRecord } from '../../../functions/calendar/model/records.ts';
import type { Translations } from '../../../functions/calendar/model/values.ts';

const names = ['description', 'excerpt'] as const;

/** A record that may have such texts. */
type WithTexts = Partial<Pick<AnyPost, (typeof names)[number] | 'translations'>>;

/** Returns the texts of a record in all languages. */
export function textsOf({ description = '', excerpt = '', translations = {} }: WithTexts): string[] {
  return [description, excerpt, ...Object.values(translations).flatMap(Object.values<string>)];
}

/** Returns a record with changed texts, in all languages; the same one where none changes, or it has none. */
export function withTexts<R extends CalendarRecord>(record: R, change: (text: string) => string): R {
  return 'title' in record ? withChangedTexts<R & AnyPost>(record as R & AnyPost, change) : record;
}

function withChangedTexts<R extends WithTexts>(record: R, change: (text: string) => string): R {
  const changed = Object.fromEntries(
    names.flatMap((name) => {
      const text = record[name];
      const after = text === undefined ? text : change(text);
      return after === text ? [] : [[name, after]];
    }),
  );
  const translations = changedTranslations(record.translations, change);
  if (translations === record.translations && Object.keys(changed).length === 0) return record;
  return { ...record, ...changed, ...(translations === undefined ? {} : { translations }) };
}

function changedTranslations(
  translations: Translations | undefined,
  change: (text: string) => string,
): Translations | undefined {
  if (translations === undefined) return undefined;
  let isChanged = false;
  const languages = Object.entries(translations).map(([language, texts]) => [
    language,
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => {
        const after = names.some((item) => item === name) ? change(text) : text;
        isChanged ||= after !== text;
        return [name, after];
      }),
    ),
  ]);
  return isChanged ? (Object.fromEntries(languages) as Translations) : translations;
}
