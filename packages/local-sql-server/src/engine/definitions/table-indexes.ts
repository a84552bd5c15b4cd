/** The SQLite tables and indexes of a table. */
import { sqlError } from '../../tsql/sql-error.ts';
import { quoteName, type Table, type TableKey } from '../catalog.ts';
import { newCompilation, noScope, parseCondition } from '../changes/writer.ts';
import type { Connection } from '../run/connection.ts';
import { createIndexSql, createTableSql } from '../storage/table-storage.ts';
import { tableSource } from '../translate/columns.ts';
import type { TranslationContext } from '../translate/compilation.ts';
import { ExpressionTranslator } from '../translate/expressions.ts';

/** Creates the empty SQLite table of a table, with its indexes, in place of what may be there. */
export function buildStorage(
  connection: Connection,
  translationContext: TranslationContext,
  table: Table,
): void {
  connection.exec(`DROP TABLE IF EXISTS ${table.storage}`);
  connection.exec(createTableSql(table));
  for (const key of table.keys) createIndexes(connection, translationContext, table, key);
}

/** Creates the SQLite indexes of a key. Throws 1505 when rows break it. */
export function createIndexes(
  connection: Connection,
  translationContext: TranslationContext,
  table: Table,
  key: TableKey,
): void {
  const filter = key.filter === undefined ? undefined : filterSql(translationContext, table, key.filter);
  try {
    for (const sql of createIndexSql(table, key, filter)) connection.exec(sql);
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === 2067)
      throw sqlError(1505, `${table.schema}.${table.name}`, key.name, '...');
    throw error;
  }
}

function filterSql(translationContext: TranslationContext, table: Table, text: string): string {
  const source = tableSource(table, ({ name }) => quoteName(name));
  const scope = { ...noScope, sources: [source] };
  return new ExpressionTranslator(newCompilation(translationContext), scope).condition(parseCondition(text));
}
