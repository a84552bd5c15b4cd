/** MERGE: one query per WHEN clause finds its rows, before any of them changes. */
import type { TableSource } from '../../tsql/ast.ts';
import { sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import type { Merge, MergeClause } from '../../tsql/statement-ast.ts';
import { sameName, type Table } from '../catalog.ts';
import type { Row } from '../run/connection.ts';
import type { Need } from '../security/access.ts';
import type { SqlType, SqlValue } from '../session.ts';
import type {
  Compilation,
  CteScope,
  Scope,
  Source,
  TranslatedSource,
  TranslationContext,
} from '../translate/compilation.ts';
import { ExpressionTranslator } from '../translate/expressions.ts';
import { SourceTranslator } from '../translate/sources.ts';
import { converted } from '../translate/typed.ts';
import { nvarchar } from '../types.ts';
import { checkReferences, checkReferencing } from './foreign-keys.ts';
import {
  changeNeeds,
  changeResult,
  type InsertTarget,
  insertRows,
  insertTarget,
  intoTarget,
  targetTable,
} from './insert.ts';
import { compileOutput, type OutputPlan } from './output.ts';
import type { ChangedRow, ChangeResult, ChangeRuntime } from './runtime.ts';
import { type CompiledAssignment, compileAssignments } from './update-delete.ts';
import { newCompilation, noScope, storedType } from './writer.ts';

/** A compiled MERGE. */
export interface MergePlan {
  readonly needs: readonly Need[];
  readonly table: Table;
  readonly compilation: Compilation;
  readonly clauses: readonly ClausePlan[];
  readonly output: OutputPlan | undefined;
  readonly into: InsertTarget | undefined;
}

/** One WHEN clause: its query gives the target's row number and columns, new values, and what OUTPUT reads of the source. */
interface ClausePlan {
  readonly action: MergeClause['action']['kind'];
  readonly sql: string;
  readonly types: readonly SqlType[];
  readonly valueCount: number;
  readonly assignments: readonly CompiledAssignment[];
  readonly insert: InsertTarget | undefined;
  /** Places of the INSERT list that are the word DEFAULT. */
  readonly defaults: readonly number[];
}

interface Sides {
  readonly table: Table;
  readonly target: TranslatedSource;
  readonly source: TranslatedSource;
  readonly both: Scope;
  readonly on: string;
}

/** Compiles a MERGE. Throws 40517 for a target that is no table, and what its parts throw. */
export function compileMerge(
  translationContext: TranslationContext,
  merge: Merge,
  withIdentity: (table: Table) => boolean,
): MergePlan {
  if (merge.top) throw unsupported('MERGE TOP', merge.at);
  const compilation = newCompilation(translationContext);
  const sides = translateSides(compilation, translationContext, merge);
  const { table } = sides;
  const clauses = merge.clauses.map((clause, index) => {
    const earlier = merge.clauses.slice(0, index).filter(({ match }) => match === clause.match);
    return compileClause(compilation, sides, clause, earlier, withIdentity(table));
  });
  const action: Source = {
    name: '',
    schema: undefined,
    alias: '',
    fields: [{ name: '$action', typed: { sql: '', type: nvarchar(10), nullable: false } }],
  };
  const output =
    merge.output &&
    compileOutput(translationContext, merge.output, { table }, [...sides.source.sources, action], 'MERGE');
  const into = merge.output?.into && intoTarget(translationContext, merge.output.into, output?.columns ?? []);
  const rights = [...new Set(merge.clauses.map((clause) => clause.action.kind.toUpperCase()))];
  const needs = [
    ...compilation.needs.filter(({ object }) => object !== table),
    ...rights.flatMap((right) => changeNeeds(right, table, { reads: true, into })),
  ];
  return { needs, table, compilation, clauses, output, into };
}

function translateSides(
  compilation: Compilation,
  translationContext: TranslationContext,
  { with: withClause, target, alias, source, on, at }: Merge,
): Sides {
  const ctes = withClause.reduce<CteScope | undefined>((outer, cte) => ({ cte, outer }), undefined);
  const isCte =
    target.kind === 'table' &&
    withClause.some(
      ({ name }) => target.name.parts.length === 1 && sameName(name, target.name.parts[0] ?? ''),
    );
  if (isCte) throw unsupported('MERGE into a common table expression', at);
  const table = targetTable(translationContext, target);
  const node: TableSource =
    target.kind === 'table'
      ? { kind: 'table', name: target.name, alias, hints: target.hints, at }
      : { kind: 'tableVariable', name: target.name, alias, at };
  const scope: Scope = { ...noScope, ctes };
  const translated = new SourceTranslator(compilation, scope).translate(node);
  const from = new SourceTranslator(compilation, scope).translate(source);
  const both: Scope = { ...scope, sources: [...translated.sources, ...from.sources] };
  const condition = new ExpressionTranslator(compilation, { ...both, clause: 'ON' }).condition(on);
  return { table, target: translated, source: from, both, on: condition };
}

/** The sources that a clause may read: both sides where they match, else the one that has the row. */
function scopeOf({ target, source, both }: Sides, match: MergeClause['match']): Scope {
  if (match === 'matched') return both;
  return { ...both, sources: match === 'notMatched' ? source.sources : target.sources };
}

function compileClause(
  compilation: Compilation,
  sides: Sides,
  { match, condition, action }: MergeClause,
  earlier: readonly MergeClause[],
  withIdentity: boolean,
): ClausePlan {
  const { table, target, source, on } = sides;
  const scope = scopeOf(sides, match);
  const test = new ExpressionTranslator(compilation, { ...scope, clause: 'WHERE' });
  const isMet = condition ? [test.condition(condition)] : [];
  const isEarlier = earlier.map(({ condition: other }) =>
    other ? `NOT ifnull(${test.condition(other)}, 0)` : '0',
  );
  const insert =
    action.kind === 'insert' ? insertTarget(table, action.columns, action.at, withIdentity) : undefined;
  const [targetSource] = target.sources;
  const assigned = {
    name: table.name,
    fields: targetSource?.fields ?? [],
    base: targetSource?.base ?? noBase(table),
  };
  const assignments =
    action.kind === 'update' ? compileAssignments(compilation, scope, action.assignments, assigned) : [];
  const given = insert && action.kind === 'insert' ? insertValues(compilation, scope, insert, action) : [];
  const values = [...assignments, ...given];
  const row = match === 'notMatched' ? 'NULL' : `${targetSource?.alias}."%row"`;
  const before = (targetSource?.fields ?? []).map(({ typed }) => typed);
  const after = source.sources.flatMap(({ fields }) => fields.map(({ typed }) => typed));
  const list = [
    row,
    ...before.map(({ sql }) => (match === 'notMatched' ? 'NULL' : sql)),
    ...values.map(({ sql }) => sql),
    ...after.map(({ sql }) => (match === 'notMatchedBySource' ? 'NULL' : sql)),
  ];
  const from = {
    matched: { sql: `${source.sql} CROSS JOIN ${target.sql}`, where: on },
    notMatched: { sql: source.sql, where: `NOT EXISTS (SELECT 1 FROM ${target.sql} WHERE ${on})` },
    notMatchedBySource: { sql: target.sql, where: `NOT EXISTS (SELECT 1 FROM ${source.sql} WHERE ${on})` },
  }[match];
  return {
    action: action.kind,
    sql: `SELECT ${list.join(', ')} FROM ${from.sql} WHERE ${[from.where, ...isEarlier, ...isMet].join(' AND ')}`,
    types: [{ name: 'bigint' }, ...before, ...values, ...after].map((part) =>
      'type' in part ? part.type : part,
    ) as SqlType[],
    valueCount: values.length,
    assignments,
    insert,
    defaults: given.flatMap(({ isDefault }, index) => (isDefault ? [index] : [])),
  };
}

function noBase(table: Table) {
  return { table, columns: [] };
}

/** The values of INSERT, in the types of their columns. Throws 109, 110, 213. */
function insertValues(
  compilation: Compilation,
  scope: Scope,
  { table, places, hasColumnList }: InsertTarget,
  { values, at }: MergeClause['action'] & { kind: 'insert' },
): { sql: string; type: SqlType; isDefault: boolean }[] {
  const translator = new ExpressionTranslator(compilation, scope);
  if (!values) return places.map(() => ({ sql: 'NULL', type: { name: 'int' }, isDefault: true }));
  if (values.length !== places.length)
    throw sqlErrorAt(at, hasColumnList ? (values.length > places.length ? 110 : 109) : 213);
  return values.map((value, index) => {
    const column = table.columns[places[index] ?? 0];
    const type = storedType(column?.type ?? { name: 'int' });
    if (value.kind === 'default') return { sql: 'NULL', type, isDefault: true };
    return { sql: converted(translator.value(value), type).sql, type, isDefault: false };
  });
}

interface FoundRow {
  readonly clause: ClausePlan;
  readonly row: bigint | undefined;
  readonly before: Row;
  readonly given: Row;
  readonly source: Row;
}

/** Runs a compiled MERGE. Throws 8672 when a row of the target would change twice. */
export function runMerge(runtime: ChangeRuntime, plan: MergePlan): ChangeResult {
  const found = plan.clauses.flatMap((clause) => search(runtime, plan, clause));
  const rows = found.flatMap(({ row }) => row ?? []);
  if (new Set(rows).size < rows.length) throw sqlErrorAt({ line: 0, column: 0 }, 8672);
  const changed = [...changeRows(runtime, plan, found), ...addRows(runtime, plan, found)];
  return changeResult(runtime, plan, plan.table, changed);
}

function search(runtime: ChangeRuntime, { table, compilation }: MergePlan, clause: ClausePlan): FoundRow[] {
  const width = table.columns.length;
  const end = width + clause.valueCount;
  const parameters = runtime.values(compilation.parameters);
  return runtime.connection.query(clause.sql, parameters, clause.types).map(([row = null, ...rest]) => ({
    clause,
    row: row === null ? undefined : BigInt(row as bigint),
    before: rest.slice(0, width),
    given: rest.slice(width, end),
    source: rest.slice(end),
  }));
}

/** Updates and deletes: old rows go first, so that keys may be exchanged. */
function changeRows(runtime: ChangeRuntime, { table }: MergePlan, found: readonly FoundRow[]): ChangedRow[] {
  const writer = runtime.writer(table);
  const changes = found
    .filter(({ row }) => row !== undefined)
    .map((match) => ({
      ...match,
      after: match.clause.action === 'update' ? updated(runtime, table, match) : undefined,
    }));
  for (const { row } of changes) writer.delete(row ?? 0n);
  for (const { row, after } of changes) if (after) writer.insert(after, row);
  checkReferences(
    runtime,
    table,
    changes.flatMap(({ after }) => (after ? [after] : [])),
    'MERGE',
  );
  checkReferencing(runtime, table, changes, 'MERGE');
  return changes.map(({ clause, before, after, source }) => ({
    deleted: before,
    inserted: after,
    fromValues: [...source, clause.action.toUpperCase()],
  }));
}

function updated(runtime: ChangeRuntime, table: Table, { clause, before, given }: FoundRow): Row {
  const writer = runtime.writer(table);
  const after: SqlValue[] = [...before];
  clause.assignments.forEach(({ place, isDefault }, index) => {
    const column = place === undefined ? undefined : table.columns[place];
    if (place !== undefined && column)
      after[place] = isDefault ? writer.default(column) : (given[index] ?? null);
  });
  return writer.complete(after, 'UPDATE');
}

function addRows(runtime: ChangeRuntime, plan: MergePlan, found: readonly FoundRow[]): ChangedRow[] {
  return plan.clauses.flatMap((clause) => {
    const items = found.filter((item) => item.clause === clause);
    if (!clause.insert || !items.length) return [];
    const defaults = new Set(items.flatMap((_, row) => clause.defaults.map((place) => `${row},${place}`)));
    const given = items.map((item) => item.given);
    return insertRows(runtime, clause.insert, given, defaults).map((inserted, index) => ({
      deleted: undefined,
      inserted,
      fromValues: [...(items[index]?.source ?? []), 'INSERT'],
    }));
  });
}
