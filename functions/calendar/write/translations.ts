/** The texts of a record in several languages. */

import type { Language, Translations } from '../model/values.ts';

type Texts<Field extends string> = { readonly [F in Field]?: string | undefined };
type TranslatedTexts<Field extends string> = Texts<Field> & {
  readonly translations?: Translations | undefined;
};

/** Returns texts after a write: those in a language stand beside the default ones; those of a new record are its default ones too. */
export function textsAfter<Field extends string>(
  before: TranslatedTexts<Field> | undefined,
  changes: Texts<Field>,
  language: Language | undefined,
  fields: readonly Field[],
): { readonly [F in Field]: string } & { readonly translations: Translations | undefined } {
  const old = pickTexts(before, fields);
  const sentTexts = pickTexts(changes, fields);
  const texts = language === undefined || before === undefined ? { ...old, ...sentTexts } : old;
  return { ...texts, translations: translationsAfter(before?.translations, sentTexts, language) } as never;
}

/** An empty translation is none: the default text shows through again. */
function translationsAfter(
  before: Translations | undefined,
  given: Readonly<Record<string, string | undefined>>,
  language: Language | undefined,
): Translations | undefined {
  if (language === undefined || Object.keys(given).length === 0) return before;
  const translated = Object.entries({ ...before?.[language], ...given }).filter(([, text]) => text !== '');
  return { ...before, [language]: Object.fromEntries(translated) };
}

function pickTexts<Field extends string>(
  texts: Texts<Field> | undefined,
  fields: readonly Field[],
): Texts<Field> {
  const present = fields.filter((field) => texts?.[field] !== undefined);
  return Object.fromEntries(present.map((field) => [field, texts?.[field]])) as Texts<Field>;
}
