import { sqlError } from '../../tsql/sql-error.ts';
import { quoteName, type Table, type TableKey } from '../catalog.ts';
import { newCompilation, noScope, parseCondition } from '../changes/writer.ts';
import type { Connection } from '../run/connection.ts';
import { createIndexSql, createTableSql } from '../storage/table-storage.ts';
import { tableSource } from '../translate/columns.ts';
import type { Surroundings } from '../translate/compilation.ts';
import { ExpressionTranslator } from '../translate/expressions.ts';

/** Makes the empty SQLite table of a table, with its indexes, in place of what may be there. */
export function buildStorage(connection: Connection, surroundings: Surroundings, table: Table): void {
  connection.exec(`DROP TABLE IF EXISTS ${table.storage}`);
  connection.exec(createTableSql(table));
  for (const key of table.keys) createIndexes(connection, surroundings, table, key);
}

/** Makes the SQLite indexes of a key. Throws 1505 when rows break it. */
export function createIndexes(
  connection: Connection,
  surroundings: Surroundings,
  table: Table,
  key: TableKey,
): void {
  const filter = key.filter === undefined ? undefined : filterSql(surroundings, table, key.filter);
  try {
    for (const sql of createIndexSql(table, key, filter)) connection.exec(sql);
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === 2067)
      throw sqlError(1505, `${table.schema}.${table.name}`, key.name, '...');
    throw error;
  }
}

function filterSql(surroundings: Surroundings, table: Table, text: string): string {
  const source = tableSource(table, ({ name }) => quoteName(name));
  const scope = { ...noScope, sources: [source] };
  return new ExpressionTranslator(newCompilation(surroundings), scope).condition(parseCondition(text));
}
