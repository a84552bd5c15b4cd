/**
 * Rows as CSV (RFC 4180) for spreadsheets: a byte order mark, by which they know UTF-8; the names of the columns; CRLF after each line.
 * Values are written as in JSON (`sql-json.ts`), texts without their quotes. NULL is nothing, an empty text `""`.
 */

import { createTurns } from '../../../shared/limits/turns.ts';
import { sqlValueToJson } from '../../../shared/sql/sql-json.ts';
import type { ResultSet } from '../../../shared/sql/values.ts';
import { isFormula } from '../../../shared/text/formula.ts';

/** The media type of what is written here. */
export const csvMediaType = 'text/csv; charset=utf-8; header=present';

const byteOrderMark = '\uFEFF';

/** Cells of a line after which others get a turn, if this one has taken long. */
const cellsOfStep = 1_000;

/** Returns the rows as CSV. A text that a spreadsheet would run as a formula gets an apostrophe before it; JSON has the text unchanged. */
export function rowsToCsv({ columns, rows }: ResultSet): Promise<string> {
  return toCsv(
    columns.map(({ name }) => name),
    rows,
    (row) => columns.map((column, index) => sqlValueToJson(row[index] ?? null, column)),
  );
}

/**
 * Returns lines as CSV. `toTexts` gives one JSON text per name, and is called when the line of a row is written. Others get turns between
 * lines, and within long ones.
 */
export async function toCsv<Row>(
  names: readonly string[],
  rows: readonly Row[],
  toTexts: (row: Row) => readonly string[] | Promise<readonly string[]>,
): Promise<string> {
  if (names.length === 0) return byteOrderMark;
  const turns = createTurns();
  let table = byteOrderMark;
  const write = async (values: readonly string[], toField: (value: string) => string) => {
    let line = '';
    for (let at = 0; at < values.length; at += cellsOfStep) {
      const fields = values.slice(at, at + cellsOfStep).map(toField);
      line += (at === 0 ? '' : ',') + fields.join(',');
      await turns.next();
    }
    // A line of nothing would be none.
    table += `${line === '' ? '""' : line}\r\n`;
  };
  await write(names, textField);
  for (const row of rows) await write(await toTexts(row), field);
  return table;
}

function field(json: string): string {
  if (json === 'null') return '';
  if (json.startsWith('"')) return textField(JSON.parse(json) as string);
  return json.startsWith('{') || json.startsWith('[') ? textField(json) : json;
}

function textField(text: string): string {
  const harmless = isFormula(text) ? `'${text}` : text;
  // Where the comma is for decimals, spreadsheets split a line at semicolons.
  const isPlain = harmless !== '' && !/[",;\r\n]|^\s|\s$/.test(harmless);
  return isPlain ? harmless : `"${harmless.replaceAll('"', '""')}"`;
}
