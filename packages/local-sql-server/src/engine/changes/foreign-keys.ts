/** Foreign keys, when rows change. */
import type { ReferentialAction } from '../../tsql/statement-ast.ts';
import { columnOf, type ForeignKey, sameName, type Table } from '../catalog.ts';
import type { Row } from '../run/connection.ts';
import type { SqlValue } from '../session.ts';
import { hasRow, type StoredRow, storedRows, whereEqual } from '../storage/table-storage.ts';
import type { ChangeRuntime } from './runtime.ts';
import { brokenRule, type ChangeName } from './writer.ts';

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
      if (!values.includes(null) && !hasRow(runtime.connection, parent, key.references, values))
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
  for (const { child, key } of runtime.translationContext.catalog.referencing(table))
    for (const { before, after } of changed) {
      const old = valuesOf(table, key.references, before);
      if (old.includes(null) || hasRow(runtime.connection, table, key.references, old)) continue;
      const rows = storedRows(runtime.connection, child, ` WHERE ${whereEqual(child, key.columns)}`, old);
      if (!rows.length) continue;
      const action = (after ? key.onUpdate : key.onDelete) ?? 'NO ACTION';
      if (action === 'NO ACTION') throw conflict(runtime, change, 'REFERENCE', key, child, key.columns);
      if (action === 'CASCADE' && !after) deleteRows(runtime, child, rows);
      else replaceKeys(runtime, child, key, rows, newKey(runtime, child, key, action, table, after), change);
    }
}

function deleteRows(runtime: ChangeRuntime, table: Table, rows: readonly StoredRow[]): void {
  for (const { row } of rows) runtime.writer(table).delete(row);
  const gone = rows.map(({ values }) => ({ before: values, after: undefined }));
  checkReferencing(runtime, table, gone, 'DELETE');
}

/** What the columns of a foreign key become: those of the parent, their defaults, or NULL. */
function newKey(
  runtime: ChangeRuntime,
  child: Table,
  key: ForeignKey,
  action: ReferentialAction,
  parent: Table,
  after: Row | undefined,
): Row {
  if (action === 'CASCADE') return after ? valuesOf(parent, key.references, after) : [];
  return key.columns.map((name) => {
    const column = columnOf(child, name);
    return action === 'SET DEFAULT' && column ? runtime.writer(child).default(column) : null;
  });
}

function replaceKeys(
  runtime: ChangeRuntime,
  table: Table,
  key: ForeignKey,
  rows: readonly StoredRow[],
  values: Row,
  change: ChangeName,
): void {
  const writer = runtime.writer(table);
  const places = key.columns.map((name) => table.columns.findIndex((column) => sameName(column.name, name)));
  const changed = rows.map(({ row, values: before }) => {
    const after = [...before];
    places.forEach((place, index) => {
      after[place] = values[index] ?? null;
    });
    return { row, before, after: writer.complete(after, change) };
  });
  for (const { row } of changed) writer.delete(row);
  for (const { row, after } of changed) writer.insert(after, row);
  const written = changed.map(({ after }) => after);
  checkReferences(runtime, table, written, change);
  checkReferencing(runtime, table, changed, change);
}

function valuesOf(table: Table, names: readonly string[], row: Row): SqlValue[] {
  return names.map((name) => row[table.columns.findIndex((column) => sameName(column.name, name))] ?? null);
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
  const self = key.table === table.id && table.foreignKeys.includes(key);
  const [column] = names.length === 1 ? names : [];
  return brokenRule(runtime.connection, change, self ? sameTable[kind] : kind, key.name, table, column);
}
