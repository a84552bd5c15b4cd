/** The SQLite tables of tables. */
import { columnOf, quoteName, type Table, type TableColumn, type TableKey } from '../catalog.ts';
import type { Connection, Row } from '../run/connection.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { equalityKey } from '../translate/typed.ts';
import { familyOf } from '../types.ts';

/** The SQLite table of a table: a row number with a reserved name, and untyped rules (the writer holds those). */
export function createTableSql(table: Table): string {
  const columns = table.columns.map(({ name, type }) => `${quoteName(name)} ${affinity(type)}`);
  return `CREATE TABLE ${table.storage} ("%row" INTEGER PRIMARY KEY, ${columns.join(', ')})`;
}

/** Integers and floats are stored as such, for any number that SQLite is given; all else is stored as it comes. */
function affinity(type: SqlType): string {
  const family = familyOf(type);
  return family === 'integer'
    ? 'INTEGER'
    : family === 'float'
      ? 'REAL'
      : family === 'binary'
        ? 'BLOB'
        : 'TEXT';
}

/** The columns of a key, in its order. */
export function keyColumns(table: Table, key: TableKey): TableColumn[] {
  return key.columns.flatMap(({ name }) => columnOf(table, name) ?? []);
}

/** What SQLite indexes for each column: what the equality of the type compares. */
function keyExpressions(table: Table, key: TableKey): string[] {
  return keyColumns(table, key).map(({ name, type }) => equalityKey(quoteName(name), type));
}

/** The indexes of a key. In a unique one NULLs are equal too, for which SQLite needs a second index. */
export function createIndexSql(table: Table, key: TableKey, filter: string | undefined): string[] {
  const schema = table.temporary ? 'temp.' : '';
  const name = `${table.name}.${key.name}.${key.id}`;
  const bare = table.storage.replace(/^temp\./, '');
  const where = filter === undefined ? '' : ` WHERE ${filter}`;
  const expressions = keyExpressions(table, key);
  const create = (suffix: string, unique: boolean, parts: readonly string[]): string =>
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${schema}${quoteName(name + suffix)} ON ${bare} (${parts.join(', ')})${where}`;
  const nullable = keyColumns(table, key).map((column) => column.nullable);
  if (!key.unique || !nullable.includes(true)) return [create('', key.unique, expressions)];
  const exact = expressions.map((sql, index) => (nullable[index] ? `ifnull(${sql}, x'00')` : sql));
  return [create('', false, expressions), create(' unique', true, exact)];
}

export function dropIndexSql(table: Table, key: TableKey): string[] {
  const schema = table.temporary ? 'temp.' : '';
  const name = `${table.name}.${key.name}.${key.id}`;
  return ['', ' unique'].map((suffix) => `DROP INDEX IF EXISTS ${schema}${quoteName(name + suffix)}`);
}

/** A row with its SQLite row number. */
export interface StoredRow {
  readonly row: bigint;
  readonly values: Row;
}

/** The rows of a table, in the order of their numbers; `where` may leave some out. */
export function storedRows(
  connection: Connection,
  table: Table,
  where = '',
  parameters: readonly SqlValue[] = [],
): StoredRow[] {
  const types: SqlType[] = [{ name: 'bigint' }, ...table.columns.map(({ type }) => type)];
  return connection
    .query(`SELECT * FROM ${table.storage}${where} ORDER BY 1`, parameters, types)
    .map(([row, ...values]) => ({ row: BigInt(row as bigint), values }));
}

/** A condition for columns that equal the parameters ?1, ?2, ...; `operator` may be IS, which holds for NULLs too. */
export function whereEqual(table: Table, names: readonly string[], operator = '='): string {
  const test = ({ name, type }: TableColumn, index: number): string =>
    `${equalityKey(quoteName(name), type)} ${operator} ${equalityKey(`?${index + 1}`, type)}`;
  return names
    .flatMap((name) => columnOf(table, name) ?? [])
    .map(test)
    .join(' AND ');
}

/** Checks whether a table has a row with these values in these columns. */
export function hasRow(
  connection: Connection,
  table: Table,
  names: readonly string[],
  values: Row,
  operator = '=',
): boolean {
  const sql = `SELECT 1 FROM ${table.storage} WHERE ${whereEqual(table, names, operator)} LIMIT 1`;
  return connection.query(sql, values, []).length > 0;
}
