/** Names of countries in the reader's language. */

import { type PageLanguage, pageLanguages } from './words.ts';

/** Returns the codes of the countries (ISO 3166) by their names in each language of the pages. */
function codesByName(): ReadonlyMap<string, string> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const named = pageLanguages.flatMap((language) => {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    return codes.flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [[name.toLowerCase(), code] as const];
    });
  });
  return new Map(named);
}

let codes: ReadonlyMap<string, string> | undefined;

/** Returns a country in a language; a name that no language of the pages has stays as it was written. */
export function countryIn(country: string, language: PageLanguage): string {
  codes ??= codesByName();
  const code = codes.get(country.trim().toLowerCase());
  return code === undefined
    ? country
    : (new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? country);
}
