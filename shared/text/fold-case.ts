/** Letters of ASCII without their case. Those of other alphabets keep theirs: whether two of them are the same differs by language. */

/** Returns a text with its letters A to Z in lower case. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
