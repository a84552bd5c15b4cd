/** How a column is compared with a parameter, by the word of the query. */

/**
 * Parts of texts are found without regard to case, alike on every server: under a Danish collation `aa` holds no `a`, and under a Turkish
 * one `I` is no `i`.
 */
const letters = 'COLLATE Latin1_General_100_CI_AS';

/**
 * Texts are equal character by character, in any collation of the database, in which an index is looked for. The server pads the shorter of
 * two texts with blanks, so that they end in a sign here. Parts of texts are given as `likePart` writes them.
 */
export const comparisons = {
  equals: (column: string, parameter: string, isText: boolean) =>
    `${column} = ${parameter}${isText ? ` AND ${column} + N'.' COLLATE Latin1_General_BIN2 = ${parameter} + N'.'` : ''}`,
  contains: (column: string, parameter: string) =>
    `${column} ${letters} LIKE N'%' + ${parameter} + N'%' ESCAPE N'\\'`,
  startsWith: (column: string, parameter: string) =>
    `${column} ${letters} LIKE ${parameter} + N'%' ESCAPE N'\\'`,
  from: (column: string, parameter: string) => `${column} >= ${parameter}`,
  to: (column: string, parameter: string) => `${column} <= ${parameter}`,
} as const;

export type Comparison = keyof typeof comparisons;

/** Checks whether a comparison looks for a part of a text. */
export function isOfPart(comparison: Comparison): boolean {
  return comparison === 'contains' || comparison === 'startsWith';
}

/** Writes a part of a text for LIKE: each character may get an escape. */
export function likePart(text: string): string {
  return text.replaceAll(/[\\%_[]/g, String.raw`\$&`);
}
