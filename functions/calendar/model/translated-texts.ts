/** Texts in several languages side by side: what a language lacks, and what is older than its original (docs/calendar-contract.md, "Languages"). */

import { hash } from 'node:crypto';
import { type Kind, type Language, languages, type TranslatedFrom, type Translations } from './values.ts';

/** A record that may have texts in several languages. */
export interface WithTexts {
  readonly translations?: Translations | undefined;
  readonly translated_from?: TranslatedFrom | undefined;
}

/** A text in a language: of a field, by the name under which it is stored. */
export type TextName = readonly [language: Language, field: string];

/** What a text in a language is beside its original. */
export type TextState = 'current' | 'older' | 'missing';

/** Characters of a digest. */
const digestLength = 8;

/** Names under which texts are stored, by the kind of the record. */
const eventTexts = ['title', 'description', 'excerpt', 'event_status_reason'];
const contactTexts = ['title', 'description', 'excerpt'];
const termTexts = ['name', 'description'];
const textsOfKind: Partial<Readonly<Record<Kind, readonly string[]>>> = {
  event: eventTexts,
  venue: contactTexts,
  organizer: contactTexts,
  category: termTexts,
  tag: termTexts,
};

function originalOf(record: object | undefined, field: string): string {
  const text = (record as Readonly<Record<string, unknown>> | undefined)?.[field];
  return typeof text === 'string' ? text : '';
}

const digestOf = (text: string) => hash('sha256', text, 'base64url').slice(0, digestLength);

/**
 * Returns what to note of the originals of the translations of a record after a change: a text that is written, or confirmed, is made on the
 * default text as it is then; any other keeps the one that it was made on, also where the default text changes. A note that differs from the
 * one before is that of whoever has given the text: a copy, or a file.
 */
export function translatedFromAfter(
  before: WithTexts | undefined,
  after: WithTexts,
  confirmed: readonly TextName[] = [],
): TranslatedFrom | undefined {
  const isConfirmed = (language: Language, field: string) =>
    confirmed.some(([ofLanguage, name]) => ofLanguage === language && name === field);
  const noted = languages.flatMap((language) => {
    const texts = Object.entries(after.translations?.[language] ?? {}).flatMap(([field, text]) => {
      const was = before?.translated_from?.[language]?.[field];
      const given = after.translated_from?.[language]?.[field];
      const [originalBefore, original] = [originalOf(before, field), originalOf(after, field)];
      const isWritten = before?.translations?.[language]?.[field] !== text;
      const note = isConfirmed(language, field)
        ? digestOf(original)
        : given !== undefined && given !== was
          ? given
          : isWritten
            ? digestOf(original)
            : (was ??
              (before === undefined || originalBefore === original ? undefined : digestOf(originalBefore)));
      return note === undefined ? [] : [[field, note] as const];
    });
    return texts.length === 0 ? [] : [[language, Object.fromEntries(texts)] as const];
  });
  return noted.length === 0 ? undefined : Object.fromEntries(noted);
}

/** Returns notes with those of some texts from others. */
export function withNotes(
  notes: TranslatedFrom | undefined,
  others: TranslatedFrom | undefined,
  texts: readonly TextName[],
): TranslatedFrom | undefined {
  const all: Record<string, Readonly<Record<string, string>>> = { ...notes };
  for (const [language, field] of texts) {
    const note = others?.[language]?.[field];
    if (note !== undefined) all[language] = { ...all[language], [field]: note };
  }
  return Object.keys(all).length === 0 ? undefined : all;
}

/** Returns a record with what is to be noted of the originals of its translations; the same one where it has none, and had none. */
export function withTranslatedFrom<R extends object>(
  before: WithTexts | undefined,
  record: R,
  confirmed: readonly TextName[] = [],
): R {
  const { translations, translated_from: given } = record as WithTexts;
  if (translations === undefined && given === undefined) return record;
  const { translated_from: _given, ...others } = record as R & WithTexts;
  const noted = translatedFromAfter(before, record, confirmed);
  return (noted === undefined ? others : { ...others, translated_from: noted }) as R;
}

/** Returns what a text in a language is beside its original; undefined where there is neither. */
export function textState(record: WithTexts, [language, field]: TextName): TextState | undefined {
  const original = originalOf(record, field);
  const text = record.translations?.[language]?.[field];
  if (text === undefined) return original === '' ? undefined : 'missing';
  const from = record.translated_from?.[language]?.[field];
  return from === undefined || from === digestOf(original) ? 'current' : 'older';
}

/** What a record needs of translators: a language, and whether it lacks texts or has some that are older than their originals. */
export type TranslationNeed = `${Language}.${'missing' | 'older'}`;

export const translationNeeds = languages.flatMap((language) => [
  `${language}.missing` as const,
  `${language}.older` as const,
]);

const missingInAll: readonly TranslationNeed[] = languages.map((language) => `${language}.missing` as const);
const nothing: readonly TranslationNeed[] = [];
const needs = new WeakMap<object, readonly TranslationNeed[]>();

/** Returns what a record needs of translators. Kept for each state of a record that has translations, since lists ask for it. */
export function needsOf(record: WithTexts & { readonly kind: Kind }): readonly TranslationNeed[] {
  const fields = textsOfKind[record.kind] ?? [];
  // Most records: nothing is kept of them, of which a calendar may have a hundred thousand.
  if (record.translations === undefined)
    return fields.some((field) => originalOf(record, field) !== '') ? missingInAll : nothing;
  const known = needs.get(record);
  if (known !== undefined) return known;
  const found = languages.flatMap((language) => {
    const states = new Set(fields.map((field) => textState(record, [language, field])));
    return (['missing', 'older'] as const)
      .filter((state) => states.has(state))
      .map((state) => `${language}.${state}` as const);
  });
  needs.set(record, found);
  return found;
}
