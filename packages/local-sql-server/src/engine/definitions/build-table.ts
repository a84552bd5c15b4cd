/** Tables, as their definitions describe them. */

import type { Expression } from '../../tsql/ast.ts';
import { nodesOf } from '../../tsql/contains.ts';
import { sqlErrorAt } from '../../tsql/sql-error.ts';
import type {
  ColumnDefinition,
  Constraint,
  IndexDefinition,
  TableDefinition,
} from '../../tsql/statement-ast.ts';
import {
  columnOf,
  sameName,
  stamp,
  type Table,
  type TableCheck,
  type TableColumn,
  type TableKey,
} from '../catalog.ts';
import { takesDatePart } from '../functions/date-parts.ts';
import { resolveType } from '../type-names.ts';
import { familyOf, isCharacter, withCollation } from '../types.ts';
import { collationNamed } from '../values/collation.ts';

/** Where a new table goes. */
export type TableHome = Pick<Table, 'id' | 'schema' | 'name' | 'storage' | 'temporary'>;

/** Functions that give another result each time. */
const changing = new Set(
  `GETDATE GETUTCDATE CURRENT_TIMESTAMP SYSDATETIME SYSUTCDATETIME SYSDATETIMEOFFSET NEWID RAND SUSER_SNAME
  SUSER_NAME USER_NAME CURRENT_USER SESSION_USER SYSTEM_USER USER DB_NAME DB_ID OBJECT_ID APP_NAME HOST_NAME`.split(
    /\s+/,
  ),
);

/** What building a column depends on: the collations of the database and of texts that name none, and the type of a computed column. */
export interface ColumnRules {
  readonly database: string;
  readonly unnamed: string;
  computed(column: ColumnDefinition, columns: readonly TableColumn[]): Pick<TableColumn, 'type' | 'nullable'>;
}

/** The table that a definition describes, without its foreign keys. Throws what is wrong with it: 2705, 2744, 2749, 1779, 1911, 8111, 8148. */
export function buildTable(
  definition: TableDefinition,
  home: TableHome,
  nextId: () => number,
  columnRules: ColumnRules,
): Table {
  const columns: TableColumn[] = [];
  for (const column of definition.columns)
    columns.push(buildColumn(column, columns, definition.constraints, home.name, columnRules));
  const time = stamp();
  const rules = { columns, keys: [], checks: [], foreignKeys: [] };
  const table: Table = { ...home, ...rules, kind: 'table', created: time, modified: time };
  const [, second] = definition.constraints.filter(
    (constraint) => constraint.kind === 'key' && constraint.primary,
  );
  if (second) throw sqlErrorAt(second.at, 8110, home.name);
  return withConstraints(table, definition.constraints, definition.indexes, nextId);
}

/** Adds keys, checks and indexes to a table. */
export function withConstraints(
  table: Table,
  constraints: readonly Constraint[],
  indexes: readonly IndexDefinition[],
  nextId: () => number,
): Table {
  let result = table;
  for (const constraint of constraints) {
    if (constraint.kind === 'key') result = withKey(result, constraint, nextId);
    if (constraint.kind === 'check')
      result = { ...result, checks: [...result.checks, buildCheck(result, constraint, nextId())] };
  }
  for (const index of indexes) result = withIndex(result, index, nextId());
  return result;
}

export function buildColumn(
  column: ColumnDefinition,
  earlier: readonly TableColumn[],
  constraints: readonly Constraint[],
  table: string,
  rules: ColumnRules,
): TableColumn {
  if (earlier.some(({ name }) => sameName(name, column.name)))
    throw sqlErrorAt(column.at, 2705, column.name, table);
  const id = Math.max(0, ...earlier.map((other) => other.id)) + 1;
  const isKey = constraints.some(
    (constraint) =>
      constraint.kind === 'key' &&
      constraint.primary &&
      constraint.columns.some(({ name }) => sameName(name, column.name)),
  );
  if (isKey && column.nullable === true) throw sqlErrorAt(column.at, 8111, table);
  if (column.computed?.persisted && !isDeterministic(column.computed.expression))
    throw sqlErrorAt(column.at, 4936, column.name, table);
  const shape = column.type ? typeOfColumn(column, id, rules) : rules.computed(column, earlier);
  const rowVersion = isRowVersion(column);
  if (rowVersion && earlier.some((other) => other.rowVersion))
    throw sqlErrorAt(column.at, 2738, table, column.name);
  const { identity } = column;
  if (identity) checkIdentity(column, shape.type, earlier, table);
  return {
    id,
    name: column.name,
    type: withCollation(shape.type, rules.database),
    nullable: shape.nullable && !isKey && !identity,
    identity,
    default: defaultOf(column, constraints, table),
    computed: column.computed?.text,
    ...(rowVersion ? { rowVersion } : {}),
  };
}

function isRowVersion({ type }: ColumnDefinition): true | undefined {
  return type?.name === 'rowversion' || type?.name === 'timestamp' || undefined;
}

/** `sysname` and rowversion are NOT NULL by themselves; all else allows NULL unless it says so. */
function typeOfColumn(
  { type, collation: written, nullable, at }: ColumnDefinition,
  index: number,
  { database, unnamed }: ColumnRules,
): Pick<TableColumn, 'type' | 'nullable'> {
  if (!type) throw new TypeError('Only computed columns have no type');
  const collation = written === undefined ? unnamed : collationNamed(written, database);
  const resolved = resolveType(type, index, 1, collation);
  if (written !== undefined && !isCharacter(resolved)) throw sqlErrorAt(at, 447, resolved.name);
  return { type: resolved, nullable: nullable ?? !notNullTypes.has(type.name) };
}

const notNullTypes = new Set(['sysname', 'rowversion', 'timestamp']);

function isDeterministic(expression: Expression): boolean {
  return !nodesOf(expression, 'call').some((call) => changing.has((call as { name: string }).name));
}

function checkIdentity(
  column: ColumnDefinition,
  type: TableColumn['type'],
  earlier: readonly TableColumn[],
  table: string,
): void {
  if (earlier.some(({ identity }) => identity)) throw sqlErrorAt(column.at, 2744, table);
  const isWhole =
    (familyOf(type) === 'integer' && type.name !== 'bit') || (type.name === 'decimal' && type.scale === 0);
  if (!isWhole) throw sqlErrorAt(column.at, 2749, column.name);
  if (column.nullable === true) throw sqlErrorAt(column.at, 8147, column.name, table);
}

function defaultOf(
  column: ColumnDefinition,
  constraints: readonly Constraint[],
  table: string,
): TableColumn['default'] {
  const [found, second] = constraints.filter(
    (constraint) => constraint.kind === 'default' && sameName(constraint.column, column.name),
  );
  if (second) throw sqlErrorAt(second.at, 8148, 'DEFAULT', column.name, table);
  if (found?.kind !== 'default') return undefined;
  const [first] = columnsIn(found.expression);
  if (first) throw sqlErrorAt(found.at, 128, first);
  return { name: found.name ?? generatedName('DF', table, column.name), text: found.text };
}

/** A name for a constraint that has none, in the manner of SQL Server: unique, and telling what it is. */
export function generatedName(prefix: string, table: string, column = ''): string {
  const parts = [prefix, table.slice(0, 9), column.slice(0, 5)].filter(Boolean);
  return `${parts.join('__')}__${crypto.randomUUID().replaceAll('-', '').slice(0, 8).toUpperCase()}`;
}

function withKey(table: Table, constraint: Constraint & { kind: 'key' }, nextId: () => number): Table {
  if (constraint.primary && table.keys.some(({ form }) => form === 'PRIMARY KEY'))
    throw sqlErrorAt(constraint.at, 1779, table.name);
  const clustered = constraint.clustered ?? (constraint.primary && !table.keys.some((key) => key.clustered));
  const key: TableKey = {
    id: nextId(),
    name: constraint.name ?? generatedName(constraint.primary ? 'PK' : 'UQ', table.name),
    form: constraint.primary ? 'PRIMARY KEY' : 'UNIQUE KEY',
    unique: true,
    clustered,
    columns: constraint.columns,
    include: [],
    filter: undefined,
  };
  checkKey(table, key, constraint);
  const isNullable = ({ name }: { name: string }) => columnOf(table, name)?.nullable;
  if (constraint.primary && key.columns.some(isNullable)) throw sqlErrorAt(constraint.at, 8111, table.name);
  return { ...table, keys: [...table.keys, key] };
}

export function withIndex(table: Table, index: IndexDefinition, id: number): Table {
  if (table.keys.some(({ name }) => sameName(name, index.name)))
    throw sqlErrorAt(index.at, 1913, index.name, table.name);
  const { name, unique, clustered, columns, include, where } = index;
  const key: TableKey = { id, name, form: 'INDEX', unique, clustered, columns, include, filter: where?.text };
  checkKey(table, key, index);
  return { ...table, keys: [...table.keys, key] };
}

function checkKey(
  table: Table,
  key: TableKey,
  { at }: { readonly at: { readonly line: number; readonly column: number } },
): void {
  for (const name of [...key.columns.map((column) => column.name), ...key.include])
    if (!columnOf(table, name)) throw sqlErrorAt(at, 1911, name);
  key.columns.forEach(({ name }, index) => {
    const type = columnOf(table, name)?.type;
    if (type && 'length' in type && type.length === 'max') throw sqlErrorAt(at, 1919, name, table.name);
    if (key.columns.findIndex((other) => sameName(other.name, name)) < index)
      throw sqlErrorAt(at, 1909, key.form === 'INDEX' ? 'index' : 'constraint', name);
  });
  const clustered = key.clustered && table.keys.find((other) => other.clustered);
  if (clustered) throw sqlErrorAt(at, 1902, table.name, clustered.name);
}

/** The names of the columns that an expression reads; the parts of dates look like columns too. */
function columnsIn(expression: Expression): string[] {
  const parts = nodesOf(expression, 'call')
    .filter((call) => takesDatePart.has((call as { name: string }).name))
    .map((call) => (call as { arguments: readonly unknown[] }).arguments[0]);
  return nodesOf(expression, 'column')
    .filter((column) => !parts.includes(column))
    .map((column) => (column as { parts: readonly string[] }).parts.at(-1) ?? '');
}

function buildCheck(table: Table, constraint: Constraint & { kind: 'check' }, id: number): TableCheck {
  const { column } = constraint;
  if (column !== undefined && columnsIn(constraint.expression).some((name) => !sameName(name, column)))
    throw sqlErrorAt(constraint.at, 8141, column, table.name);
  return {
    id,
    name: constraint.name ?? generatedName('CK', table.name, constraint.column),
    text: constraint.text,
    column: constraint.column,
  };
}
