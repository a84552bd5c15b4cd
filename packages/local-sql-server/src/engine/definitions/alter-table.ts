/** ALTER TABLE. */
import { type Position, SqlError, sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import type { AlterAction, ColumnDefinition, Constraint, Statement } from '../../tsql/statement-ast.ts';
import { columnOf, constraintsOf, sameName, type Table, type TableColumn } from '../catalog.ts';
import { checkReferences } from '../changes/foreign-keys.ts';
import type { ChangeRuntime } from '../changes/runtime.ts';
import { storedType, TableWriter } from '../changes/writer.ts';
import type { SqlValue } from '../session.ts';
import { createTableSql, type StoredRow, storedRows } from '../storage/table-storage.ts';
import { convert } from '../values/convert.ts';
import { buildColumn, generatedName, withConstraints } from './build-table.ts';
import { columnRules } from './column-rules.ts';
import type { Definer } from './definer.ts';
import { createIndexes } from './table-indexes.ts';

type Alter = Statement & { kind: 'alterTable' };

/** Runs ALTER TABLE: the table is made anew with its rows, so that every rule of the new form is held. */
export function alterTable(definer: Definer, runtime: ChangeRuntime, { name, action, at }: Alter): void {
  const table = definer.table(name.parts, at, 4902);
  switch (action.kind) {
    case 'add':
      add(definer, runtime, table, action);
      return;
    case 'checkConstraint':
      for (const constraint of action.names)
        if (!constraintsOf(table).some((candidate) => sameName(candidate.name, constraint)))
          throw sqlErrorAt(at, 4917, constraint);
      return;
    case 'alterColumn':
      alterColumn(definer, table, action.column);
      return;
    case 'dropColumn':
      for (const column of action.names)
        dropColumn(definer, definer.table(name.parts, at, 4902), column, action.ifExists, at);
      return;
    case 'dropConstraint':
      for (const constraint of action.names)
        dropConstraint(definer, definer.table(name.parts, at, 4902), constraint, action.ifExists, at);
  }
}

function add(
  definer: Definer,
  runtime: ChangeRuntime,
  table: Table,
  { table: parts, check }: AlterAction & { kind: 'add' },
): void {
  const { connection } = definer;
  definer.checkConstraintNames(table, parts.constraints);
  const columns = [...table.columns];
  for (const column of parts.columns)
    columns.push(
      buildColumn(
        column,
        columns,
        parts.constraints,
        table.name,
        columnRules(definer.translationContext, table),
      ),
    );
  const defaults = withDefaults(table.name, columns, parts);
  const shaped = withConstraints({ ...table, columns: defaults }, parts.constraints, parts.indexes, () =>
    connection.database.nextId(),
  );
  const changed = definer.withForeignKeys(shaped, parts.constraints);
  const added = changed.columns.slice(table.columns.length);
  const rows = storedRows(definer.connection, table);
  checkFillable(added, table, rows, parts.columns[0]?.at);
  const writer = new TableWriter(changed, connection, definer.translationContext);
  const filled = rows.map(({ row, values }) => ({
    row,
    values: [
      ...values,
      ...added.map((column) => firstValue(runtime, changed, column, writer, parts.constraints)),
    ],
  }));
  rebuild(definer, changed, filled, check);
  if (check && parts.constraints.some(({ kind }) => kind === 'foreign'))
    checkReferences(
      runtime,
      changed,
      filled.map(({ values }) => values),
      'ALTER TABLE',
    );
}

/** `ADD DEFAULT ... FOR column` gives a column that is there already its default. */
function withDefaults(
  tableName: string,
  columns: readonly TableColumn[],
  { constraints }: (AlterAction & { kind: 'add' })['table'],
): TableColumn[] {
  return columns.map((column) => {
    const found = constraints.find(
      (constraint) => constraint.kind === 'default' && sameName(constraint.column, column.name),
    );
    if (found?.kind !== 'default' || (column.default && column.default.text === found.text)) return column;
    if (column.default) throw sqlErrorAt(found.at, 1781);
    const name = found.name ?? generatedName('DF', tableName, column.name);
    return { ...column, default: { name, text: found.text } };
  });
}

/** A new column of rows that are there must have something to hold. */
function checkFillable(
  added: readonly TableColumn[],
  table: Table,
  rows: readonly unknown[],
  at: Position | undefined,
): void {
  const bare = added.find(
    (column) =>
      !column.nullable &&
      !column.default &&
      !column.identity &&
      !column.rowVersion &&
      column.computed === undefined,
  );
  if (bare && rows.length) throw sqlErrorAt(at ?? { line: 0, column: 0 }, 4901, bare.name, table.name);
}

function firstValue(
  runtime: ChangeRuntime,
  table: Table,
  column: TableColumn,
  writer: TableWriter,
  constraints: readonly Constraint[],
): SqlValue {
  if (column.identity)
    return convert(
      String(runtime.nextIdentity(table)),
      { name: 'decimal', precision: 38, scale: 0 },
      column.type,
    );
  const takesDefault = constraints.some(
    (constraint) =>
      constraint.kind === 'default' && constraint.withValues && sameName(constraint.column, column.name),
  );
  return column.nullable && !takesDefault ? null : writer.default(column);
}

function alterColumn(definer: Definer, table: Table, definition: ColumnDefinition): void {
  const old = columnOf(table, definition.name);
  if (!old) throw sqlErrorAt(definition.at, 4924, 'ALTER TABLE ALTER COLUMN', definition.name, table.name);
  if (old.computed !== undefined || definition.computed)
    throw unsupported('ALTER COLUMN of a computed column', definition.at);
  const isKey = table.keys.find((key) => key.columns.some(({ name }) => sameName(name, old.name)));
  const { type, nullable } = buildColumn(
    { ...definition, identity: undefined },
    [],
    [],
    table.name,
    columnRules(definer.translationContext, table),
  );
  if (isKey && !('length' in type && 'length' in old.type && type.name === old.type.name))
    throw dependent(isKey.name, old.name, 'ALTER COLUMN', definition.at);
  const place = table.columns.indexOf(old);
  const columns = table.columns.map((column) => (column === old ? { ...old, type, nullable } : column));
  const rows = storedRows(definer.connection, table).map(({ row, values }) => ({
    row,
    values: values.map((value, index) =>
      index === place ? convert(value, old.type, storedType(type), undefined, 'implicit') : value,
    ),
  }));
  rebuild(definer, { ...table, columns }, rows, true);
}

function dropColumn(definer: Definer, table: Table, name: string, ifExists: boolean, at: Position): void {
  const column = columnOf(table, name);
  if (!column) {
    if (ifExists) return;
    throw sqlErrorAt(at, 4924, 'ALTER TABLE DROP COLUMN', name, table.name);
  }
  const key = table.keys.find(
    ({ columns, include }) =>
      columns.some((part) => sameName(part.name, name)) || include.some((part) => sameName(part, name)),
  );
  const check = table.checks.find(({ text }) =>
    new RegExp(`(^|[^\\w])\\[?${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\]?([^\\w]|$)`, 'i').test(text),
  );
  const foreign = table.foreignKeys.find(({ columns }) => columns.some((part) => sameName(part, name)));
  const user = key?.name ?? check?.name ?? foreign?.name ?? column.default?.name;
  if (user !== undefined) throw dependent(user, column.name, 'DROP COLUMN', at);
  if (table.columns.length === 1) throw sqlErrorAt(at, 4923, column.name, table.name);
  const place = table.columns.indexOf(column);
  const rows = storedRows(definer.connection, table).map(({ row, values }) => ({
    row,
    values: values.toSpliced(place, 1),
  }));
  rebuild(definer, { ...table, columns: table.columns.toSpliced(place, 1) }, rows, false);
}

function dependent(object: string, column: string, action: string, at: Position): SqlError {
  return new SqlError(
    4922,
    16,
    9,
    `ALTER TABLE ${action} ${column} failed because one or more objects access this column: the object '${object}' is dependent on column '${column}'.`,
    at.line,
  );
}

function dropConstraint(definer: Definer, table: Table, name: string, ifExists: boolean, at: Position): void {
  const found = constraintsOf(table).find((constraint) => sameName(constraint.name, name));
  if (!found) {
    if (ifExists) return;
    throw sqlErrorAt(at, 3728, name);
  }
  const isUsed = definer.catalog
    .referencing(table)
    .some(({ key: { references } }) =>
      table.keys.some(
        ({ id, columns }) =>
          id === found.id &&
          columns.length === references.length &&
          columns.every(({ name: column }, index) => sameName(column, references[index] ?? '')),
      ),
    );
  if (isUsed) throw sqlErrorAt(at, 3725, name, table.name);
  const changed: Table = {
    ...table,
    keys: table.keys.filter(({ id }) => id !== found.id),
    checks: table.checks.filter(({ id }) => id !== found.id),
    foreignKeys: table.foreignKeys.filter(({ id }) => id !== found.id),
    columns: table.columns.map((column) =>
      column.default && sameName(column.default.name, name) ? { ...column, default: undefined } : column,
    ),
  };
  rebuild(definer, changed, storedRows(definer.connection, table), false);
}

/** Stores the rows in a new table under the old name. Rows that were there before a constraint WITH NOCHECK stay unchecked. */
function rebuild(definer: Definer, table: Table, rows: readonly StoredRow[], check: boolean): void {
  const { connection } = definer;
  connection.exec(`DROP TABLE ${table.storage}`);
  connection.exec(createTableSql(table));
  const writer = new TableWriter(
    check ? table : { ...table, checks: [] },
    connection,
    definer.translationContext,
  );
  for (const { row, values } of rows) writer.insert(writer.complete(values, 'ALTER TABLE'), row);
  for (const key of table.keys) createIndexes(connection, definer.translationContext, table, key);
  definer.store(table);
}
