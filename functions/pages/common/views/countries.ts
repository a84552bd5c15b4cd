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

/** Codes that have a name and are no country. */
const otherRegions = ['AC', 'CP', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'];
/** The countries of the languages of the pages, which come first. */
const firstCountries = ['DK', 'SE'];

/** Lists the countries: the names under which they are stored, which are English, and those in a language, by which they are sorted. */
export function countries(language: PageLanguage): readonly (readonly [stored: string, shown: string])[] {
  const stored = new Intl.DisplayNames('en', { type: 'region' });
  const shown = new Intl.DisplayNames(language, { type: 'region' });
  codes ??= codesByName();
  const all = [...new Set(codes.values())]
    .filter((code) => !otherRegions.includes(code) && !firstCountries.includes(code))
    .map((code) => [stored.of(code) ?? code, shown.of(code) ?? code] as const)
    .sort(([, one], [, other]) => one.localeCompare(other, language));
  return [
    ...firstCountries.map((code) => [stored.of(code) ?? code, shown.of(code) ?? code] as const),
    ...all,
  ];
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
