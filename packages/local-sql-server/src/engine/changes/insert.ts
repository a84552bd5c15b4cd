/** INSERT: compiled, then run row by row. */
import type { Expression } from '../../tsql/ast.ts';
import { type Position, sqlError, sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import type { Insert, Target } from '../../tsql/statement-ast.ts';
import { type CatalogObject, columnOf, sameName, type Table, type TableColumn } from '../catalog.ts';
import type { Row } from '../run/connection.ts';
import type { Need } from '../security/access.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { commonOf } from '../translate/common.ts';
import {
  type Compilation,
  type CteScope,
  findObject,
  type TranslationContext,
} from '../translate/compilation.ts';
import { ExpressionTranslator } from '../translate/expressions.ts';
import { unionOf } from '../translate/queries.ts';
import { columnValue, converted, nullTyped, type OutputColumn, type Typed } from '../translate/typed.ts';
import { convert } from '../values/convert.ts';
import { checkReferences } from './foreign-keys.ts';
import { insertBehindView } from './insertable.ts';
import { limitOf } from './limit.ts';
import { compileOutput, type OutputPlan, outputRows } from './output.ts';
import type { ChangedRow, ChangeResult, ChangeRuntime } from './runtime.ts';
import { newCompilation, noScope, storedType } from './writer.ts';

/** Where rows go: a table, and the places of the given columns in it. */
export interface InsertTarget {
  readonly table: Table;
  readonly places: readonly number[];
  readonly hasColumnList: boolean;
}

export interface InsertPlan {
  readonly needs: readonly Need[];
  readonly target: InsertTarget;
  /** The source rows as SQL; undefined for EXEC, whose rows come from a procedure. */
  readonly source:
    | { readonly sql: string; readonly types: readonly SqlType[]; readonly compilation: Compilation }
    | undefined;
  /** Cells that are the word DEFAULT, as `row,place in the list`. */
  readonly defaults: ReadonlySet<string>;
  readonly output: OutputPlan | undefined;
  readonly into: InsertTarget | undefined;
}

/** Finds the table that a change is about. Throws 208. */
export function targetTable(translationContext: TranslationContext, target: Target): Table {
  if (target.kind === 'tableVariable') {
    const table = translationContext.temporaryTable(target.name);
    if (!table) throw sqlErrorAt(target.at, 1087, target.name);
    return table;
  }
  const { parts } = target.name;
  const object = findObject(translationContext, parts, target.at);
  if (!object) throw sqlErrorAt(target.at, 208, parts.join('.'));
  if (object.kind === 'view') throw unsupported('a change through a view', target.at);
  if (object.kind !== 'table') throw sqlErrorAt(target.at, 208, parts.join('.'));
  return object;
}

/** The columns that values are given for: those of the list, or all that take values. Throws 207, 264, 271. */
export function insertTarget(
  table: Table,
  names: readonly string[] | undefined,
  at: Position,
  withIdentity: boolean,
): InsertTarget {
  if (!names) {
    const taken = table.columns.filter(
      (column) => column.computed === undefined && (withIdentity || !column.identity),
    );
    return { table, places: taken.map((column) => table.columns.indexOf(column)), hasColumnList: false };
  }
  const places = names.map((name, index) => {
    const column = columnOf(table, name);
    if (!column) throw sqlErrorAt(at, 207, name);
    if (column.computed !== undefined) throw sqlErrorAt(at, 271, column.name);
    if (names.findIndex((other) => sameName(other, name)) < index) throw sqlErrorAt(at, 264, name);
    return table.columns.indexOf(column);
  });
  return { table, places, hasColumnList: true };
}

/** Compiles an INSERT. */
export function compileInsert(
  translationContext: TranslationContext,
  written: Insert,
  withIdentity: (table: Table) => boolean,
): InsertPlan {
  const { insert, view, columns } = insertBehindView(translationContext, written);
  const table = targetTable(translationContext, insert.target);
  const target = insertTarget(
    table,
    insert.source.kind === 'defaultValues' ? [] : insert.columns,
    insert.at,
    withIdentity(table),
  );
  const compilation = newCompilation(translationContext);
  const defaults = new Set<string>();
  const source =
    insert.source.kind === 'execute' ? undefined : compileSource(compilation, insert, target, defaults);
  const output =
    insert.output && compileOutput(translationContext, insert.output, { table, columns }, [], 'INSERT');
  const into =
    insert.output?.into && intoTarget(translationContext, insert.output.into, output?.columns ?? []);
  const needs = [
    ...compilation.needs,
    ...changeNeeds('INSERT', view ?? table, { reads: output !== undefined, into }),
  ];
  return { needs, target, source: source && { ...source, compilation }, defaults, output, into };
}

/** The rights that a change needs: to change, to read what it returns or compares, to insert where OUTPUT goes. */
export function changeNeeds(
  right: string,
  object: CatalogObject,
  { reads, into }: { readonly reads: boolean; readonly into: InsertTarget | undefined },
): Need[] {
  const needs: Need[] = [{ right, object }];
  if (reads) needs.push({ right: 'SELECT', object });
  if (into) needs.push({ right: 'INSERT', object: into.table });
  return needs.filter((need) => need.object.kind !== 'table' || need.object.temporary === undefined);
}

export function intoTarget(
  translationContext: TranslationContext,
  into: { readonly target: Target; readonly columns: readonly string[] },
  columns: readonly OutputColumn[],
): InsertTarget {
  const table = targetTable(translationContext, into.target);
  const target = insertTarget(table, into.columns.length ? into.columns : undefined, into.target.at, false);
  if (target.places.length !== columns.length)
    throw sqlErrorAt(into.target.at, target.hasColumnList ? 120 : 213);
  return target;
}

function compileSource(
  compilation: Compilation,
  insert: Insert,
  target: InsertTarget,
  defaults: Set<string>,
): { sql: string; types: SqlType[] } {
  const types = target.places.map((place) => storedType(columnAt(target.table, place).type));
  const { source } = insert;
  const limit = limitOf(compilation, insert);
  if (source.kind === 'values')
    return { sql: valuesSql(compilation, insert, source.rows, target, defaults) + limit, types };
  if (source.kind !== 'query') return { sql: 'SELECT 1', types: [] };
  const ctes = insert.with.reduce<CteScope | undefined>((outer, cte) => ({ cte, outer }), undefined);
  const query = compilation.query(source.query, { ...noScope, ctes });
  checkWidth(query.columns.length, target, insert.at, [121, 120]);
  const list = query.columns.map(
    (column, index) => converted(columnValue(column, `c${index}`), types[index] ?? column.type).sql,
  );
  return { sql: `SELECT ${list.join(', ')} FROM (${query.sql})${limit}`, types };
}

function checkWidth(
  width: number,
  { places, hasColumnList }: InsertTarget,
  at: Position,
  [more, fewer]: readonly [number, number],
): void {
  if (width === places.length) return;
  if (!hasColumnList) throw sqlErrorAt(at, 213);
  throw sqlErrorAt(at, width > places.length ? more : fewer);
}

function columnAt(table: Table, place: number): TableColumn {
  const column = table.columns[place];
  if (!column) throw new RangeError(`Table ${table.name} has no column at ${place}`);
  return column;
}

/** Several rows are combined as by UNION ALL: the cells of a column take one type, and then that of the table. */
function valuesSql(
  compilation: Compilation,
  insert: Insert,
  rows: readonly (readonly Expression[])[],
  target: InsertTarget,
  defaults: Set<string>,
): string {
  const translator = new ExpressionTranslator(compilation, noScope);
  if (rows.length > 1000) throw sqlErrorAt(insert.at, 10738);
  const cells = rows.map((row, index) => {
    if (row.length !== rows[0]?.length) throw sqlErrorAt(insert.at, 10709);
    checkWidth(row.length, target, insert.at, [110, 109]);
    return row.map((cell, place) => {
      if (cell.kind !== 'default') return translator.value(cell);
      defaults.add(`${index},${place}`);
      return nullTyped;
    });
  });
  const columns = target.places.map((place, index) => ({
    common: commonOf(
      cells.flatMap((row) => row[index] ?? []),
      'UNION',
    ),
    stored: storedType(columnAt(target.table, place).type),
  }));
  const cellSql = (cell: Typed, index: number): string => {
    const { common, stored } = columns[index] ?? { common: cell.type, stored: cell.type };
    return converted(rows.length > 1 ? converted(cell, common) : cell, stored).sql;
  };
  return unionOf(cells.map((row) => `SELECT ${row.map(cellSql).join(', ')}`));
}

/** Runs a compiled INSERT over the rows that its source gives. */
export function runInsert(runtime: ChangeRuntime, plan: InsertPlan, rows: readonly Row[]): ChangeResult {
  const stored = insertRows(runtime, plan.target, rows, plan.defaults);
  const changed = stored.map((inserted) => ({ inserted, deleted: undefined, fromValues: [] }));
  return changeResult(runtime, plan, plan.target.table, changed);
}

/** How many rows have changed, and their OUTPUT: it goes to the client, or into a table. */
export function changeResult(
  runtime: ChangeRuntime,
  { output, into }: Pick<InsertPlan, 'output' | 'into'>,
  table: Table,
  changed: readonly ChangedRow[],
): ChangeResult {
  const count = changed.length;
  if (!output) return { count, output: undefined };
  const { columns } = output;
  const rows = outputRows(runtime, output, table, changed);
  if (!into) return { count, output: { columns, rows } };
  const types = columns.map(({ type }) => type);
  insertRows(runtime, into, convertRows(rows, types, into));
  return { count, output: undefined };
}

/** Brings rows from elsewhere (a procedure, OUTPUT) to the columns of a target. */
export function convertRows(
  rows: readonly Row[],
  types: readonly SqlType[],
  { table, places }: InsertTarget,
): Row[] {
  return rows.map((row) =>
    row.map((value, index) => {
      const from = types[index];
      return from
        ? convert(value, from, storedType(columnAt(table, places[index] ?? 0).type), undefined, 'implicit')
        : value;
    }),
  );
}

/** Stores rows, given in the order of the target's places; returns them as stored. Throws 515, 544, 547, 2601, 2627, 2628. */
export function insertRows(
  runtime: ChangeRuntime,
  target: InsertTarget,
  rows: readonly Row[],
  defaults: ReadonlySet<string> = new Set(),
): Row[] {
  const { table } = target;
  const writer = runtime.writer(table);
  const identity = table.columns.findIndex((column) => column.identity);
  checkIdentity(runtime, target, identity);
  const stored = rows.map((row, index) => {
    const given = new Map(
      target.places.map((place, position) => [
        place,
        defaults.has(`${index},${position}`) ? undefined : (row[position] ?? null),
      ]),
    );
    const values = table.columns.map((column, place): SqlValue => {
      const value = given.get(place);
      if (column.rowVersion && value !== undefined && value !== null) throw sqlError(273);
      if (value !== undefined) return value;
      return place === identity ? identityValue(runtime, table, column) : writer.default(column);
    });
    const explicit = identity >= 0 ? given.get(identity) : undefined;
    if (explicit !== undefined && explicit !== null) runtime.noteIdentity(table, BigInt(String(explicit)));
    const complete = writer.complete(values, 'INSERT');
    writer.insert(complete);
    return complete;
  });
  checkReferences(runtime, table, stored, 'INSERT');
  return stored;
}

function identityValue(runtime: ChangeRuntime, table: Table, { type }: TableColumn): SqlValue {
  const value = runtime.nextIdentity(table);
  return convert(String(value), { name: 'decimal', precision: 38, scale: 0 }, type);
}

function checkIdentity(
  runtime: ChangeRuntime,
  { table, places, hasColumnList }: InsertTarget,
  identity: number,
): void {
  if (identity < 0) return;
  const isGiven = places.includes(identity);
  const isAllowed = runtime.allowsIdentity(table);
  if (isGiven && !isAllowed) throw sqlError(544, table.name);
  if (isGiven && !hasColumnList) throw sqlError(8101, table.name);
  if (!isGiven && isAllowed) throw sqlError(545, table.name);
}
