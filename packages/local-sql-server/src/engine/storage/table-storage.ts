/** The SQLite tables of tables. */
import { columnOf, quoteName, type Table, type TableColumn, type TableKey } from '../catalog.ts';
import type { SqlType } from '../session.ts';
import { equalityKey } from '../translate/typed.ts';
import { familyOf } from '../types.ts';

/** The SQLite table of a table: a row number of its own name, and untyped rules (the writer holds those). */
export function createTableSql(table: Table): string {
  const columns = table.columns.map(({ name, type }) => `${quoteName(name)} ${affinity(type)}`);
  return `CREATE TABLE ${table.storage} ("%row" INTEGER PRIMARY KEY, ${columns.join(', ')})`;
}

/** Integers and floats are stored as such, whatever number SQLite is given; all else is stored as it comes. */
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

/** The indexes of a key. In a unique one NULLs are equal too, which SQLite must be told by a second index. */
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
