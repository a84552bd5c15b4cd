/** The texts of a record in several languages, as a write leaves them. */

import { type TextName, translatedFromAfter, type WithTexts } from '../model/translated-texts.ts';
import { type Language, languages, type TranslatedFrom, type Translations } from '../model/values.ts';

type Texts = Readonly<Record<string, string | undefined>>;

/** Texts of languages, and the default ones, by the names under which they are stored. */
export type TextsByLanguage = { readonly [L in Language | 'default']?: Texts };

/** What a write sends of texts. */
export interface SentTexts {
  /** Those that were sent by the names of their fields. */
  readonly texts: Texts;
  /** The language that these are in; undefined for the default one. */
  readonly language: Language | undefined;
  /** Texts that were sent with their languages. */
  readonly translations?: TextsByLanguage | undefined;
  /** Texts that are right as they are. */
  readonly confirmed?: readonly TextName[] | undefined;
  /** The language of the default texts, where that is one of those here. */
  readonly own?: Language | undefined;
}

/** Returns texts after a write: those in a language stand beside the default ones; those of a new record are its default ones too. `names` are those of texts. */
export function textsAfter(before: WithTexts | undefined, sent: SentTexts, names: readonly string[]) {
  const old = pickTexts({ ...before }, names);
  const parts = partsOf(before, sent, names);
  const translations = languages.reduce<Translations | undefined>(
    (texts, language) => translationsAfter(texts, parts[language] ?? {}, language),
    before?.translations,
  );
  const texts = { ...old, ...parts.default };
  const noted = translatedFromAfter(before, { ...texts, translations }, sent.confirmed);
  return { ...texts, translations, translated_from: noted } as {
    readonly translations: Translations | undefined;
    readonly translated_from: TranslatedFrom | undefined;
  };
}

/** Returns the texts that were sent, by the language in which each is stored. */
function partsOf(
  before: WithTexts | undefined,
  { texts, language, translations = {}, own }: SentTexts,
  names: readonly string[],
): TextsByLanguage {
  const sent = pickTexts(texts, names);
  const isDefault = language === undefined || before === undefined;
  const parts: Record<string, Texts> = {
    ...translations,
    default: { ...(isDefault ? sent : {}), ...translations.default },
    ...(language === undefined ? {} : { [language]: { ...sent, ...translations[language] } }),
  };
  if (own === undefined) return parts;
  // The default texts are those of that language: what is written as one is the other, also where it is emptied.
  const defaults = { ...parts['default'], ...parts[own] };
  const shown = Object.entries(defaults).filter(
    ([name]) => before?.translations?.[own]?.[name] !== undefined && parts[own]?.[name] === undefined,
  );
  return { ...parts, default: defaults, [own]: { ...parts[own], ...Object.fromEntries(shown) } };
}

/** An empty translation is none: the default text shows through again. */
function translationsAfter(
  before: Translations | undefined,
  sent: Texts,
  language: Language,
): Translations | undefined {
  if (Object.keys(sent).length === 0) return before;
  const translated = Object.entries({ ...before?.[language], ...sent }).filter(([, text]) => text !== '');
  return { ...before, [language]: Object.fromEntries(translated) };
}

function pickTexts(texts: Readonly<Record<string, unknown>>, names: readonly string[]): Texts {
  const present = names.filter((name) => texts[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, texts[name] as string]));
}
