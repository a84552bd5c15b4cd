/** Values of custom data as tables: a line for each row of a value, a column for each property of its rows. */

import { eachJsonMember, jsonElements } from '../../../shared/custom-data/members.ts';
import { CodedError } from '../../../shared/errors.ts';
import { createTurns, type Turns } from '../../../shared/limits/turns.ts';
import { toCsv } from '../csv/csv.ts';

/** The column of rows that are no objects. */
const valueColumn = 'value';

/** The column of the identifiers of objects. */
const idColumn = 'id';

/** Cells of a table, at most, empty ones included: objects with properties of their own have a column for each of them. */
export const maxTableCells = 2_000_000;

/**
 * Returns a value as CSV: a line for each element of an array, else one; none for null. `columns` are those of its source, which has them
 * without rows too. Throws `too-many-cells`.
 */
export async function valueToCsv(value: string, columns: readonly string[]): Promise<string> {
  const rows = rowsOf(value);
  const names = await namesOf(columns, rows);
  const turns = createTurns();
  return toCsv(names, rows, (row) => cellsOf(names, row, turns));
}

/**
 * Returns values of many objects as CSV, with the identifier of the object in the first column. An object without rows has a line of its
 * identifier alone. A property `id` has the identifier of the custom data before it. Throws `too-many-cells`.
 */
export async function valuesToCsv(
  identifier: string,
  items: readonly { readonly id: string; readonly value: string }[],
  columns: readonly string[],
): Promise<string> {
  const turns = createTurns();
  const lines: { readonly id: string; readonly row: string }[] = [];
  for (const item of items) {
    const id = JSON.stringify(item.id);
    const rows = rowsOf(item.value);
    for (const row of rows.length === 0 ? ['{}'] : rows) lines.push({ id, row });
    await turns.next();
  }
  const rows = lines.map(({ row }) => row);
  const names = await namesOf(columns, rows, 1);
  const heads = names.map((name) => (name === idColumn ? `${identifier}.${name}` : name));
  return toCsv([idColumn, ...heads], lines, async ({ id, row }) => [
    id,
    ...(await cellsOf(names, row, turns)),
  ]);
}

/** Returns the JSON texts of the rows of a value. They are split into cells only when they are read, since the cells of all need much more memory. */
function rowsOf(value: string): string[] {
  const text = value.trim();
  if (text === 'null') return [];
  return text.startsWith('[') ? jsonElements(text) : [text];
}

async function cellsByName(row: string, turns: Turns): Promise<Map<string, string>> {
  if (!row.startsWith('{')) return new Map([[valueColumn, row]]);
  const cells = new Map<string, string>();
  await eachJsonMember(row, turns, ({ name, text }) => cells.set(name, text));
  return cells;
}

/** Returns the names of the columns of rows, `ownColumns` not among them. Throws `too-many-cells` before a table is built. */
async function namesOf(
  columns: readonly string[],
  rows: readonly string[],
  ownColumns = 0,
): Promise<string[]> {
  const turns = createTurns();
  const names = new Set(columns);
  for (const row of rows) {
    for (const name of (await cellsByName(row, turns)).keys()) names.add(name);
    if (rows.length * (names.size + ownColumns) > maxTableCells) throw tooManyCells();
    await turns.next();
  }
  return [...names];
}

async function cellsOf(names: readonly string[], row: string, turns: Turns): Promise<string[]> {
  const cells = await cellsByName(row, turns);
  return names.map((name) => cells.get(name) ?? 'null');
}

function tooManyCells(): CodedError {
  return new CodedError(
    'too-many-cells',
    `Cannot answer CSV: the rows and the properties of the custom data make a table of more than ${maxTableCells} cells.`,
    { hint: 'Ask for JSON, or for smaller pages, or let the rows have the same properties.' },
  );
}
