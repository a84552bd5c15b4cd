/** The words of the pages in each language. */

import table from './words.json' with { type: 'json' };

/** English, Danish and Swedish: the order in which the table has them. */
export const pageLanguages = ['en', 'da', 'sv'] as const;
/** Languages of pages; texts of the calendar have English as their default. */
export type PageLanguage = (typeof pageLanguages)[number];

export type Word = keyof typeof table;

export type Words = (word: Word) => string;

/** Returns the function that says a word in a language. */
export function words(language: PageLanguage): Words {
  return (word) => table[word][pageLanguages.indexOf(language)] ?? word;
}

/** Checks whether there is a word for a name. */
export function isWord(name: string): name is Word {
  return Object.hasOwn(table, name);
}
