/** Searching events for words (behaviour section 6.2). */

/** Words too common to search for, unless nothing else is asked. */
const common = new Set(
  (
    'about an are as at be by com for from how in is it of on or that the this to was what when where who will ' +
    'with www'
  ).split(' '),
);

const piece = /(-?)(?:"([^"]*)"?|([^\s,"]+))/g;

/** What a text must and must not contain, in lower case. */
export interface Words {
  readonly wanted: readonly string[];
  readonly excluded: readonly string[];
}

/** Reads a search: words separated by blanks or commas, `"a phrase"`, `-word` to exclude. */
export function readWords(search: string): Words {
  const wanted: string[] = [];
  const plain: string[] = [];
  const excluded: string[] = [];
  for (const [, minus, phrase, word] of search.toLowerCase().matchAll(piece)) {
    const text = (phrase ?? word ?? '').trim();
    if (text === '') continue;
    if (minus === '-') excluded.push(text);
    else (phrase === undefined ? plain : wanted).push(text);
  }
  const telling = plain.filter((word) => word.length > 1 && !common.has(word));
  const isEmpty = telling.length + wanted.length + excluded.length === 0;
  return { wanted: [...wanted, ...(isEmpty ? plain : telling)], excluded };
}

/** Tells whether a text in lower case has all words that are wanted, as parts of its own, and none that is excluded. */
export function hasWords(text: string, { wanted, excluded }: Words): boolean {
  return wanted.every((word) => text.includes(word)) && !excluded.some((word) => text.includes(word));
}
