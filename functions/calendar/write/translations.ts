/** The texts of a record in several languages. */

import type { Language, Translations } from '../model/values.ts';

type Texts = Readonly<Record<string, string | undefined>>;

/** Returns texts after a write: those in a language stand beside the default ones; those of a new record are its default ones too. `names` are those of texts. */
export function textsAfter(
  before: { readonly translations?: Translations | undefined } | undefined,
  sent: Texts,
  language: Language | undefined,
  names: readonly string[],
): { readonly translations: Translations | undefined } {
  const old = pickTexts({ ...before }, names);
  const sentTexts = pickTexts(sent, names);
  const texts = language === undefined || before === undefined ? { ...old, ...sentTexts } : old;
  return { ...texts, translations: translationsAfter(before?.translations, sentTexts, language) };
}

/** An empty translation is none: the default text shows through again. */
function translationsAfter(
  before: Translations | undefined,
  sent: Texts,
  language: Language | undefined,
): Translations | undefined {
  if (language === undefined || Object.keys(sent).length === 0) return before;
  const translated = Object.entries({ ...before?.[language], ...sent }).filter(([, text]) => text !== '');
  return { ...before, [language]: Object.fromEntries(translated) };
}

function pickTexts(texts: Readonly<Record<string, unknown>>, names: readonly string[]): Texts {
  const present = names.filter((name) => texts[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, texts[name] as string]));
}
