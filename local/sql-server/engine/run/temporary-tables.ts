import type { TableDefinition } from '../../tsql/statement-ast.ts';
import { quoteName, sameName, type Table } from '../catalog.ts';
import { buildTable } from '../definitions/build-table.ts';
import type { SqlValue } from '../session.ts';
import { createIndexSql, createTableSql } from '../storage/table-storage.ts';
import type { Connection, Row } from './connection.ts';
import type { Frame } from './frame.ts';

let ids = -1;

/** Makes a #temp table or table variable in SQLite's temporary schema. Its storage is named by its level, so that plans fit again. */
export function createTemporary(
  connection: Connection,
  frame: Frame,
  name: string,
  kind: 'temp' | 'variable',
  definition: TableDefinition,
): Table {
  const shape = buildTable(definition, { id: ids--, schema: 'dbo', name, nextId: () => ids-- });
  const table: Table = {
    ...shape,
    storage: `temp.${quoteName(`${name.toLowerCase()}:${frame.level}`)}`,
    temporary: kind,
  };
  storeTemporary(connection, table);
  (kind === 'temp' ? frame.temporaryTables : frame.tableVariables).set(name.toLowerCase(), table);
  return table;
}

function storeTemporary(connection: Connection, table: Table): void {
  connection.exec(`DROP TABLE IF EXISTS ${table.storage}`);
  connection.exec(createTableSql(table));
  for (const key of table.keys) for (const sql of createIndexSql(table, key, undefined)) connection.exec(sql);
}

/** DECLARE of a table variable. One in a loop is declared once: it keeps its rows in the next round. */
export function declareTable(
  { connection, frame }: { readonly connection: Connection; readonly frame: Frame },
  { name, table }: { readonly name: string; readonly table: TableDefinition },
): void {
  if (!frame.tableVariables.has(name.toLowerCase()))
    createTemporary(connection, frame, name, 'variable', table);
}

export function dropTemporary(connection: Connection, table: Table): void {
  connection.exec(`DROP TABLE IF EXISTS ${table.storage}`);
}

/** Tells plans apart that were made for other temporary tables. */
export function temporarySignature(frames: readonly Frame[]): string {
  if (frames.every((frame) => !frame.temporaryTables.size && !frame.tableVariables.size)) return '';
  const tables = frames.flatMap((frame) => [
    ...frame.temporaryTables.values(),
    ...frame.tableVariables.values(),
  ]);
  return tables
    .map(
      (table) =>
        `${table.storage}(${table.columns.map(({ name, type }) => `${name} ${JSON.stringify(type)}`).join()})`,
    )
    .join();
}

/** A rollback leaves table variables as they are: takes their rows along, to be put back after it. */
export function keepTableVariables(connection: Connection, frames: readonly Frame[]): () => void {
  const tables = frames.flatMap((frame) => [...frame.tableVariables.values()]);
  const kept = tables.map((table) => ({ table, rows: rowsOf(connection, table) }));
  return () => {
    for (const { table, rows } of kept) {
      storeTemporary(connection, table);
      const marks = ['"%row"', ...table.columns].map((_, index) => `?${index + 1}`).join(', ');
      for (const row of rows)
        connection.run(`INSERT INTO ${table.storage} VALUES (${marks})`, row as SqlValue[]);
    }
  };
}

function rowsOf(connection: Connection, table: Table): readonly Row[] {
  const types = [{ name: 'bigint' } as const, ...table.columns.map(({ type }) => type)];
  return connection.query(`SELECT * FROM ${table.storage}`, [], types);
}

export function findTemporary(frames: readonly Frame[], name: string): Table | undefined {
  const current = frames.at(-1);
  if (name.startsWith('@')) return current?.tableVariables.get(name.toLowerCase());
  return frames
    .toReversed()
    .map((frame) => frame.temporaryTables.get(name.toLowerCase()))
    .find((table) => table && sameName(table.name, name));
}
