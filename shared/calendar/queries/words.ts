/** Searching events for words (behaviour section 6.2). */

/** Words too common to search for, unless nothing else is asked. */
const common = new Set(
  (
    'about an are as at be by com for from how in is it of on or that the this to was what when where who will ' +
    'with www'
  ).split(' '),
);
/** Words of a search; of more, the whole is a phrase. */
const mostWords = 9;

const piece = /(-?)(?:"([^"]*)"?|([^\s,+"]+))/g;

/** What a text must and must not contain, in lower case. */
export interface Words {
  readonly wanted: readonly string[];
  readonly excluded: readonly string[];
}

/**
 * Reads a search: words separated by blanks, commas or plus signs, `"a phrase"`, `-word` to exclude. Single letters and
 * common words are dropped; the whole is a phrase when nothing is left, or when there are more than nine words.
 */
export function readWords(search: string): Words {
  const wanted: string[] = [];
  const excluded: string[] = [];
  const whole = search.toLowerCase();
  for (const [, minus, phrase, word = ''] of whole.matchAll(piece)) {
    const text = phrase ?? word.replace(/^'+|(?<!')'+$/g, '');
    if (text.trim() === '' || /^[a-z-]$/.test(text) || common.has(text)) continue;
    (minus === '-' ? excluded : wanted).push(text);
  }
  const count = wanted.length + excluded.length;
  return count === 0 || count > mostWords ? { wanted: [whole.trim()], excluded: [] } : { wanted, excluded };
}

/** Tells whether a text in lower case has all words that are wanted, as parts of its own, and none that is excluded. */
export function hasWords(text: string, { wanted, excluded }: Words): boolean {
  return wanted.every((word) => text.includes(word)) && !excluded.some((word) => text.includes(word));
}
