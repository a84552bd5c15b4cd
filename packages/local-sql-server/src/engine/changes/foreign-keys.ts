/** Foreign keys, when rows change. */
import { sqlError } from '../../tsql/sql-error.ts';
import { columnOf, type ForeignKey, quoteName, sameName, type Table, type TableColumn } from '../catalog.ts';
import type { Row } from '../run/connection.ts';
import type { SqlValue } from '../session.ts';
import { equalityKey } from '../translate/typed.ts';
import type { ChangeRuntime } from './runtime.ts';
import type { ChangeName, StoredRow } from './writer.ts';

interface Link {
  readonly key: ForeignKey;
  readonly child: Table;
  readonly parent: Table;
}

/** Checks that rows of a table refer to rows that are there (547). It is called when the statement's rows are in place. */
export function checkReferences(
  runtime: ChangeRuntime,
  table: Table,
  rows: readonly Row[],
  change: ChangeName,
): void {
  for (const key of table.foreignKeys) {
    const parent = runtime.translationContext.catalog.byId(key.table);
    if (parent?.kind !== 'table') continue;
    for (const row of rows) {
      const values = valuesOf(table, key.columns, row);
      if (!values.includes(null) && !exists(runtime, parent, key.references, values))
        throw conflict(runtime, change, 'FOREIGN KEY', key, parent, key.references);
    }
  }
}

/**
 * Holds the foreign keys that point at rows which are gone or have a new key: refuses (547), or cascades.
 * `after` is the row as it is now, undefined when it is deleted.
 */
export function checkReferencing(
  runtime: ChangeRuntime,
  table: Table,
  changed: readonly { readonly before: Row; readonly after: Row | undefined }[],
  change: ChangeName,
): void {
  for (const { child, key } of runtime.translationContext.catalog.referencing(table)) {
    const link = { key, child, parent: table };
    for (const { before, after } of changed) {
      const old = valuesOf(table, key.references, before);
      if (old.includes(null) || exists(runtime, table, key.references, old)) continue;
      const rows = childRows(runtime, child, key, old);
      if (rows.length) follow(runtime, link, rows, after !== undefined, change);
    }
  }
}

function follow(
  runtime: ChangeRuntime,
  { key, child }: Link,
  rows: readonly StoredRow[],
  renewed: boolean,
  change: ChangeName,
): void {
  if (renewed || key.onDelete !== 'CASCADE')
    throw conflict(runtime, change, 'REFERENCE', key, child, key.columns);
  deleteRows(runtime, child, rows);
}

function deleteRows(runtime: ChangeRuntime, table: Table, rows: readonly StoredRow[]): void {
  for (const { row } of rows) runtime.writer(table).delete(row);
  checkReferencing(
    runtime,
    table,
    rows.map(({ values }) => ({ before: values, after: undefined })),
    'DELETE',
  );
}

function placeOf(table: Table, name: string): number {
  return table.columns.findIndex((column) => sameName(column.name, name));
}

function valuesOf(table: Table, names: readonly string[], row: Row): SqlValue[] {
  return names.map((name) => row[placeOf(table, name)] ?? null);
}

function columnsOf(table: Table, names: readonly string[]): TableColumn[] {
  return names.flatMap((name) => columnOf(table, name) ?? []);
}

function whereEqual(table: Table, names: readonly string[]): string {
  return columnsOf(table, names)
    .map(
      ({ name, type }, index) =>
        `${equalityKey(quoteName(name), type)} = ${equalityKey(`?${index + 1}`, type)}`,
    )
    .join(' AND ');
}

function exists(runtime: ChangeRuntime, table: Table, names: readonly string[], values: Row): boolean {
  return (
    runtime.connection.query(
      `SELECT 1 FROM ${table.storage} WHERE ${whereEqual(table, names)} LIMIT 1`,
      values,
      [],
    ).length > 0
  );
}

function childRows(runtime: ChangeRuntime, child: Table, key: ForeignKey, values: Row): StoredRow[] {
  const columns = child.columns.map(({ name }) => quoteName(name)).join(', ');
  const sql = `SELECT "%row", ${columns} FROM ${child.storage} WHERE ${whereEqual(child, key.columns)}`;
  const types = [{ name: 'bigint' } as const, ...child.columns.map(({ type }) => type)];
  return runtime.connection
    .query(sql, values, types)
    .map(([row, ...rest]) => ({ row: BigInt(row as bigint), values: rest }));
}

const sameTable = { 'FOREIGN KEY': 'FOREIGN KEY SAME TABLE', REFERENCE: 'SAME TABLE REFERENCE' } as const;

function conflict(
  runtime: ChangeRuntime,
  change: ChangeName,
  kind: keyof typeof sameTable,
  key: ForeignKey,
  table: Table,
  names: readonly string[],
) {
  const column = names.length === 1 ? `, column '${names[0]}'` : '';
  const self = key.table === table.id && table.foreignKeys.includes(key);
  return sqlError(
    547,
    change,
    self ? sameTable[kind] : kind,
    key.name,
    runtime.connection.database.name,
    `${table.schema}.${table.name}`,
    column,
  );
}
