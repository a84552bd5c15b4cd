/** Values of custom data as tables: a line for each row of a value, a column for each property of its rows. */

import { eachJsonMember, jsonElements } from '../../../shared/custom-data/members.ts';
import { CodedError } from '../../../shared/errors.ts';
import { createTurns, type Turns } from '../../../shared/limits/turns.ts';
import { toCsv } from '../csv/csv.ts';

/** The column of rows that are no objects. */
const valueColumn = 'value';

/** The column of the identifiers of objects. */
const idColumn = 'id';

/** The column of the entity tags of values. */
const tagColumn = 'etag';

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

/** The value of one of many objects. */
export interface TableItem {
  readonly id: string;
  readonly value: string;
  /** The entity tag of the value. */
  readonly etag?: string;
  /** Whether its rows are those of the source, with its columns. */
  readonly isTabular: boolean;
}

/** The JSON texts of a row by the names of its columns. */
type Cells = ReadonlyMap<string, string>;

/** The columns of a table of many objects. */
export interface TableColumns {
  /** Of the source. */
  readonly columns: readonly string[];
  /** Those that the caller names; undefined: those of the source. */
  readonly chosen?: readonly string[] | undefined;
  /** Whether the entity tags of the values stand behind the identifiers. Default: no. */
  readonly hasTags?: boolean;
}

/**
 * Returns values of many objects as CSV, with the identifier of the object in the first column. An object without rows has a line of its
 * identifier alone. The columns do not depend on the page: those that the caller names, of all values; else those of the source, and for
 * values that are not of it one column that has them as JSON. A column `id` has the identifier of the custom data before it. Throws
 * `too-many-cells`.
 */
export async function valuesToCsv(
  identifier: string,
  items: readonly TableItem[],
  { columns, chosen, hasTags = false }: TableColumns,
): Promise<string> {
  const turns = createTurns();
  const lines: { readonly first: readonly string[]; readonly cells: () => Cells | Promise<Cells> }[] = [];
  let hasOther = columns.length === 0;
  for (const { id, etag = '', value, isTabular } of items) {
    const rows = rowsOf(value);
    const first = [id, ...(hasTags ? [etag] : [])].map((text) => JSON.stringify(text));
    if (rows.length === 0) lines.push({ first, cells: () => new Map<string, string>() });
    hasOther ||= !isTabular && rows.length > 0;
    const isSplit = isTabular || chosen !== undefined;
    for (const row of rows)
      lines.push({
        first,
        cells: () => (isSplit ? cellsByName(row, turns) : new Map([[valueColumn, row]])),
      });
    await turns.next();
  }
  const names = chosen ?? [...new Set([...columns, ...(hasOther ? [valueColumn] : [])])];
  const firstHeads = [idColumn, ...(hasTags ? [tagColumn] : [])];
  if (lines.length * (names.length + firstHeads.length) > maxTableCells) throw tooManyCells();
  const heads = names.map((name) => (firstHeads.includes(name) ? `${identifier}.${name}` : name));
  return toCsv([...firstHeads, ...heads], lines, async ({ first, cells }) => {
    const byName = await cells();
    return [...first, ...names.map((name) => byName.get(name) ?? 'null')];
  });
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

/** Returns the names of the columns of rows. Throws `too-many-cells` before a table is built. */
async function namesOf(columns: readonly string[], rows: readonly string[]): Promise<string[]> {
  const turns = createTurns();
  const names = new Set(columns);
  for (const row of rows) {
    for (const name of (await cellsByName(row, turns)).keys()) names.add(name);
    if (rows.length * names.size > maxTableCells) throw tooManyCells();
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
