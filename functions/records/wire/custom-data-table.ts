/** Values of custom data as tables: a line for each row of a value, a column for each property of its rows. */

import { type JsonMember, jsonElements, jsonMembers } from '../../../shared/custom-data/members.ts';
import { toCsv } from '../csv/csv.ts';

/** The column of rows that are no objects. */
const valueColumn = 'value';

/** The column of the identifiers of objects. */
const idColumn = 'id';

/** Returns a value as CSV: a line for each element of an array, else one; none for null. `columns` are those of its source, which has them without rows too. */
export function valueToCsv(value: string, columns: readonly string[]): string {
  const rows = rowsOf(value);
  const names = namesOf(columns, rows);
  return toCsv(
    names,
    rows.map((row) => cellsOf(names, row)),
  );
}

/**
 * Returns values of many objects as CSV, with the identifier of the object in the first column. An object without rows has a line of its
 * identifier alone. A property `id` has the identifier of the custom data before it.
 */
export function valuesToCsv(
  identifier: string,
  items: readonly { readonly id: string; readonly value: string }[],
  columns: readonly string[],
): string {
  const tables = items.map(({ id, value }) => ({ id: JSON.stringify(id), rows: rowsOf(value) }));
  const names = namesOf(
    columns,
    tables.flatMap(({ rows }) => rows),
  );
  const heads = names.map((name) => (name === idColumn ? `${identifier}.${name}` : name));
  return toCsv(
    [idColumn, ...heads],
    tables.flatMap(({ id, rows }) =>
      (rows.length === 0 ? [new Map<string, string>()] : rows).map((row) => [id, ...cellsOf(names, row)]),
    ),
  );
}

/** JSON texts by column. */
type TableRow = ReadonlyMap<string, string>;

function rowsOf(value: string): TableRow[] {
  const text = value.trim();
  if (text === 'null') return [];
  const rows = text.startsWith('[') ? jsonElements(text) : [text];
  return rows.map((row) => new Map(membersOf(row).map(({ name, text: cell }) => [name, cell])));
}

function membersOf(row: string): JsonMember[] {
  return row.startsWith('{') ? jsonMembers(row) : [{ name: valueColumn, text: row }];
}

function namesOf(columns: readonly string[], rows: readonly TableRow[]): string[] {
  return [...new Set([...columns, ...rows.flatMap((row) => [...row.keys()])])];
}

function cellsOf(names: readonly string[], row: TableRow): string[] {
  return names.map((name) => row.get(name) ?? 'null');
}
