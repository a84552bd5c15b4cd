/** Text that every database returns as it was stored. */

/** Checks whether a text is free of U+0000 and of lone surrogates, which no two databases keep alike. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** What is said about a text that is not. */
export const unstorable = 'must not contain U+0000 or a lone surrogate';
