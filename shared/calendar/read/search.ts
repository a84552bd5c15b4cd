/** Searching events for words (behaviour section 6.2): what is looked at, and what is looked for. */

import { plainText } from '../model/text/html.ts';
import { textIn } from '../model/text/render-text.ts';
import type { Language } from '../model/values.ts';
import type { EventEntry } from '../replica/entries.ts';

/** Words too common to search for, unless nothing else is asked. */
const common = new Set(
  (
    'about an are as at be by com for from how in is it of on or that the this to was what when where who will ' +
    'with www'
  ).split(' '),
);
/** Words of a search, at most; of more, the whole is a phrase. */
const maxWords = 9;

/** Fields that are searched, in the order in which they stand in the text. */
export const searchedFields = ['title', 'excerpt', 'description'] as const;

const token = /(-?)(?:"([^"]*)"?|([^\s,+"]+))/g;

/** What a text must and must not contain, in lower case. */
export interface Words {
  readonly wanted: readonly string[];
  readonly excluded: readonly string[];
}

/**
 * Parses a search: words separated by whitespace, commas or plus signs, `"a phrase"`, `-word` to exclude. Single letters and
 * common words are dropped; the whole is a phrase when nothing is left, or when there are more than nine words.
 */
export function parseSearch(search: string): Words {
  const wanted: string[] = [];
  const excluded: string[] = [];
  const whole = search.toLowerCase();
  for (const [, minus, phrase, word = ''] of whole.matchAll(token)) {
    const text = phrase ?? word.replace(/^'+|(?<!')'+$/g, '');
    if (text.trim() === '' || /^[a-z-]$/.test(text) || common.has(text)) continue;
    (minus === '-' ? excluded : wanted).push(text);
  }
  const count = wanted.length + excluded.length;
  return count === 0 || count > maxWords ? { wanted: [whole.trim()], excluded: [] } : { wanted, excluded };
}

/** Returns title, excerpt and description of an event as plain text in lower case, as they would be shown; of one with a password only the title. */
export function searchText({ record }: EventEntry, language: Language | undefined): string {
  const fields = record.access_password === undefined ? searchedFields : (['title'] as const);
  return fields.map((field) => plainText(textIn(record, field, language)).toLowerCase()).join('\n');
}
