/** Texts that a spreadsheet runs as formulas. */

/**
 * What a spreadsheet takes for a formula, at the start of a text: also signs of full width, and the minus of mathematics. Neither a blank nor
 * a character that is not seen stops all of them.
 */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{2212}]|^[\t\r\n]/u;

/** Checks whether a spreadsheet would run a text as a formula. */
export function isFormula(text: string): boolean {
  return formula.test(text);
}
