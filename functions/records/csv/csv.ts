/**
 * Rows as CSV (RFC 4180) for spreadsheets: a byte order mark, by which they know UTF-8; the names of the columns; CRLF after each line.
 * Values are written as in JSON (`sql-json.ts`), texts without their quotes. NULL is nothing, an empty text `""`.
 */

import { sqlValueToJson } from '../../../shared/sql/sql-json.ts';
import type { ResultSet } from '../../../shared/sql/values.ts';

/** The media type of what is written here. */
export const csvMediaType = 'text/csv; charset=utf-8; header=present';

const byteOrderMark = '\uFEFF';

/**
 * What a spreadsheet takes for a formula, at the start of a text: also signs of full width, and the minus of mathematics. Neither a blank nor
 * a character that is not seen stops all of them.
 */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{2212}]|^[\t\r\n]/u;

/** Returns the rows as CSV. A text that a spreadsheet would run as a formula gets an apostrophe before it; JSON has the text unchanged. */
export function rowsToCsv({ columns, rows }: ResultSet): string {
  const texts = rows.map((row) => columns.map((column, index) => sqlValueToJson(row[index] ?? null, column)));
  return toCsv(
    columns.map(({ name }) => name),
    texts,
  );
}

/** Returns lines as CSV. `rows` has one JSON text per name. */
export function toCsv(names: readonly string[], rows: readonly (readonly string[])[]): string {
  if (names.length === 0) return byteOrderMark;
  const lines = [names.map(textField), ...rows.map((row) => row.map(field))];
  return byteOrderMark + lines.map((fields) => `${lineOf(fields)}\r\n`).join('');
}

/** A line of nothing would be none. */
function lineOf(fields: readonly string[]): string {
  return fields.length === 1 && fields[0] === '' ? '""' : fields.join(',');
}

function field(json: string): string {
  if (json === 'null') return '';
  if (json.startsWith('"')) return textField(JSON.parse(json) as string);
  return json.startsWith('{') || json.startsWith('[') ? textField(json) : json;
}

function textField(text: string): string {
  const harmless = formula.test(text) ? `'${text}` : text;
  // Where the comma is for decimals, spreadsheets split a line at semicolons.
  const isPlain = harmless !== '' && !/[",;\r\n]|^\s|\s$/.test(harmless);
  return isPlain ? harmless : `"${harmless.replaceAll('"', '""')}"`;
}
