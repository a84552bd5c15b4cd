/** What a search asks for (behaviour section 6.2). */

/** Words too common to search for, unless nothing else is asked. */
const common = new Set(
  (
    'about an are as at be by com for from how in is it of on or that the this to was what when where who will ' +
    'with www'
  ).split(' '),
);
/** Words of a search, at most; of more, the whole is a phrase. */
const maxWords = 9;

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
  const terms: string[] = [];
  const excluded: string[] = [];
  const lowerCaseSearch = search.toLowerCase();
  for (const [, minus, phrase, word = ''] of lowerCaseSearch.matchAll(token)) {
    const text = phrase ?? word.replace(/^'+|(?<!')'+$/g, '');
    if (text.trim() === '' || /^[a-z-]$/.test(text) || common.has(text)) continue;
    (minus === '-' ? excluded : terms).push(text);
  }
  const count = terms.length + excluded.length;
  return count === 0 || count > maxWords
    ? { wanted: [lowerCaseSearch.trim()], excluded: [] }
    : { wanted: terms, excluded };
}
