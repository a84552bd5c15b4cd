/** The order of search results by relevance, as WordPress has it. */

import { plainText } from '../model/text/plain-text.ts';
import { searchText } from '../model/text/search-text.ts';
import { parseSearch } from './event-search.ts';

/** The texts of a record from the most to the least important; HTML. */
export interface RankedTexts {
  readonly title: string;
  readonly excerpt: string;
  readonly content: string;
}

/**
 * Returns the ranks of records that a search has found, the best first: 1 for the whole search in the title, 2 for all of its words there, 3
 * for one of them, 4 and 5 for the whole search in the excerpt and in the content, 6 for others.
 */
export function ranksOf(search: string): (texts: RankedTexts) => number {
  const whole = searchText(search.trim());
  const { wanted } = parseSearch(search);
  return ({ title, excerpt, content }) => {
    const searched = searchText(plainText(title));
    if (searched.includes(whole)) return 1;
    if (wanted.length > 0 && wanted.every((word) => searched.includes(word))) return 2;
    if (wanted.some((word) => searched.includes(word))) return 3;
    if (searchText(plainText(excerpt)).includes(whole)) return 4;
    return searchText(plainText(content)).includes(whole) ? 5 : 6;
  };
}
