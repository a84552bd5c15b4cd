/** Text that every database gives back as it was stored. */

/** Tells whether a text is free of U+0000 and of half surrogate pairs, which no two databases keep alike. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** What is said about a text that is not. */
export const unstorable = 'must not contain U+0000 or half a surrogate pair';
