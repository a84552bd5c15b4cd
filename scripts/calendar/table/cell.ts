/** Cells of a table (RFC 4180). A spreadsheet would read some texts as formulas, so they begin with an apostrophe. */

const formula = /^'*[=+\-@\t\r]/;

/** Writes a text as a cell. */
export function cell(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(plain) || plain !== plain.trim() ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Returns the text of a cell. */
export function textOfCell(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}
