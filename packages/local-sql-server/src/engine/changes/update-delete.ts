/** UPDATE and DELETE: compiled, then run row by row. */
import { nodesOf, readsVariable } from '../../tsql/contains.ts';
import { sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import type { Assignment, Delete, Update } from '../../tsql/statement-ast.ts';
import { columnOf, sameName, type Table } from '../catalog.ts';
import type { Row } from '../run/connection.ts';
import type { Need } from '../security/access.ts';
import type { SqlType, SqlValue } from '../session.ts';
import type {
  BaseRows,
  Compilation,
  CteScope,
  Scope,
  Source,
  TranslationContext,
} from '../translate/compilation.ts';
import { ExpressionTranslator } from '../translate/expressions.ts';
import { SourceTranslator } from '../translate/sources.ts';
import { converted } from '../translate/typed.ts';
import { fromOf, targetSource } from './change-target.ts';
import { checkReferences, checkReferencing } from './foreign-keys.ts';
import { changeNeeds, changeResult, type InsertTarget, intoTarget } from './insert.ts';
import { limitOf } from './limit.ts';
import { compileOutput, type OutputPlan } from './output.ts';
import type { ChangeResult, ChangeRuntime } from './runtime.ts';
import { newCompilation, noScope, storedType } from './writer.ts';

/** A compiled UPDATE or DELETE: a query for the rows to change, with their new values. */
export interface ChangePlan {
  readonly needs: readonly Need[];
  readonly table: Table;
  readonly sql: string;
  readonly types: readonly SqlType[];
  readonly compilation: Compilation;
  /** What is assigned, in the order of the values after the row and its columns. */
  readonly assignments: readonly {
    readonly place: number | undefined;
    readonly variable: string | undefined;
    readonly isDefault: boolean;
  }[];
  /** The number of columns of the FROM's other sources, which OUTPUT may show. */
  readonly fromWidth: number;
  readonly output: OutputPlan | undefined;
  readonly into: InsertTarget | undefined;
}

/** Compiles the search for the rows of an UPDATE or DELETE. */
export function compileChange(
  translationContext: TranslationContext,
  statement: Update | Delete,
): ChangePlan {
  const compilation = newCompilation(translationContext);
  const ctes = statement.with.reduce<CteScope | undefined>((outer, cte) => ({ cte, outer }), undefined);
  const { from: given, target } = fromOf(translationContext, statement);
  compilation.changeTarget = target;
  const from = new SourceTranslator(compilation, { ...noScope, ctes }).translate(given);
  compilation.changeTarget = undefined;
  const source = targetSource(translationContext, statement, from.sources);
  const { base } = source;
  const scope: Scope = { ...noScope, sources: from.sources, ctes };
  mustNotGrow(statement);
  const otherSources = statement.output ? from.sources.filter((other) => other !== source) : [];
  const values =
    statement.kind === 'update' ? compileAssignments(compilation, scope, statement.assignments, source) : [];
  const where = statement.where
    ? ` WHERE ${new ExpressionTranslator(compilation, { ...scope, clause: 'WHERE' }).condition(statement.where)}`
    : '';
  const list = [
    base.row,
    ...base.values,
    ...values.map(({ sql }) => sql),
    ...otherSources.flatMap(({ fields }) => fields.map(({ typed }) => typed.sql)),
  ];
  const types: SqlType[] = [
    { name: 'bigint' },
    ...base.table.columns.map(({ type }) => type),
    ...values.map(({ type }) => type),
    ...otherSources.flatMap(({ fields }) => fields.map(({ typed }) => typed.type)),
  ];
  const output =
    statement.output &&
    compileOutput(
      translationContext,
      statement.output,
      base,
      otherSources,
      statement.kind === 'update' ? 'UPDATE' : 'DELETE',
    );
  const into =
    statement.output?.into && intoTarget(translationContext, statement.output.into, output?.columns ?? []);
  const { table, object: changed } = base;
  const elsewhere = compilation.needs.filter(({ object }) => object !== changed);
  return {
    table,
    needs: [
      ...elsewhere,
      ...changeNeeds(statement.kind.toUpperCase(), changed, { reads: reads(statement), into }),
    ],
    sql: `SELECT ${list.join(', ')} FROM ${from.sql}${where}${limitOf(compilation, statement)}`,
    types,
    compilation,
    assignments: values,
    fromWidth: otherSources.reduce((sum, { fields }) => sum + fields.length, 0),
    output,
    into,
  };
}

/** Whether a change looks at rows of its table, besides finding them all. */
function reads(statement: Update | Delete): boolean {
  if (statement.where || statement.from || statement.output) return true;
  const values = statement.kind === 'update' ? statement.assignments.map(({ value }) => value) : [];
  return nodesOf(values, 'column').length > 0;
}

/** `SET @a = x = @a + 1`, where a row reads what the row before it has assigned, is not supported. */
function mustNotGrow(statement: Update | Delete): void {
  const assignments = statement.kind === 'update' ? statement.assignments : [];
  const values = assignments.map(({ value }) => value);
  for (const { variable, at } of assignments)
    if (variable !== undefined && readsVariable(values, variable))
      throw unsupported('a variable that counts the rows of UPDATE', at);
}

/** One assignment of SET: where the value goes, and its SQL. */
export interface CompiledAssignment {
  readonly place: number | undefined;
  readonly variable: string | undefined;
  readonly isDefault: boolean;
  readonly sql: string;
  readonly type: SqlType;
}

/** The source that SET assigns to. */
type AssignedSource = Pick<Source, 'name' | 'fields'> & {
  readonly base: Pick<BaseRows, 'table' | 'columns'>;
};

/** Compiles SET. Throws 207, 264, 271, 8102. */
export function compileAssignments(
  compilation: Compilation,
  scope: Scope,
  assignments: readonly Assignment[],
  { name: target, fields, base }: AssignedSource,
): CompiledAssignment[] {
  const { table, columns } = base;
  const translator = new ExpressionTranslator(compilation, { ...scope, clause: 'SET' });
  const seen = new Set<string>();
  return assignments.map(({ column: parts, variable, value, at }) => {
    if (!parts) {
      const type = compilation.variableType(variable ?? '', at);
      const { sql } = converted(translator.value(value), type);
      return { place: undefined, variable, isDefault: false, sql, type };
    }
    const name = parts.at(-1) ?? '';
    const isOfSource = fields.some((field) => sameName(field.name, name));
    const column = columnOf(table, columns.find((shown) => sameName(shown.name, name))?.column ?? '');
    if (!column) throw isOfSource ? sqlErrorAt(at, 4406, target) : sqlErrorAt(at, 207, name);
    if (seen.has(column.name)) throw sqlErrorAt(at, 264, column.name);
    seen.add(column.name);
    if (column.identity) throw sqlErrorAt(at, 8102, column.name);
    if (column.computed !== undefined) throw sqlErrorAt(at, 271, column.name);
    if (column.rowVersion) throw sqlErrorAt(at, 272);
    const isDefault = value.kind === 'default';
    const type = storedType(column.type);
    const sql = isDefault ? 'NULL' : converted(translator.value(value), type).sql;
    return { place: table.columns.indexOf(column), variable, isDefault, sql, type };
  });
}

interface Found {
  readonly row: bigint;
  readonly before: Row;
  readonly given: Row;
  readonly fromValues: Row;
}

/** The rows to change, each once: a join may find one several times. */
function search(runtime: ChangeRuntime, plan: ChangePlan): Found[] {
  const { table, assignments, fromWidth } = plan;
  const width = table.columns.length;
  const found = new Map<bigint, Found>();
  const parameters = runtime.values(plan.compilation.parameters);
  const rows = runtime.connection.query(plan.sql, parameters, plan.types);
  for (const [row, ...rest] of rows) {
    const id = BigInt(row as bigint);
    const end = width + assignments.length;
    if (!found.has(id))
      found.set(id, {
        row: id,
        before: rest.slice(0, width),
        given: rest.slice(width, end),
        fromValues: rest.slice(end, end + fromWidth),
      });
  }
  return [...found.values()];
}

export function runDelete(runtime: ChangeRuntime, plan: ChangePlan): ChangeResult {
  const found = search(runtime, plan);
  const writer = runtime.writer(plan.table);
  for (const { row } of found) writer.delete(row);
  checkReferencing(
    runtime,
    plan.table,
    found.map(({ before }) => ({ before, after: undefined })),
    'DELETE',
  );
  const changed = found.map(({ before, fromValues }) => ({
    deleted: before,
    inserted: undefined,
    fromValues,
  }));
  return changeResult(runtime, plan, plan.table, changed);
}

/** All values are computed from the rows as they were; then old rows go and new ones come, so that keys may be exchanged. */
export function runUpdate(runtime: ChangeRuntime, plan: ChangePlan): ChangeResult {
  const writer = runtime.writer(plan.table);
  const changes = search(runtime, plan).map((found) => {
    const after = [...found.before];
    plan.assignments.forEach(({ place, isDefault }, index) => {
      const column = place === undefined ? undefined : plan.table.columns[place];
      if (place !== undefined && column)
        after[place] = isDefault ? writer.default(column) : (found.given[index] ?? null);
    });
    return { ...found, after: writer.complete(after, 'UPDATE') };
  });
  for (const { row } of changes) writer.delete(row);
  for (const { row, after } of changes) writer.insert(after, row);
  checkReferences(
    runtime,
    plan.table,
    changes.map(({ after }) => after),
    'UPDATE',
  );
  checkReferencing(runtime, plan.table, changes, 'UPDATE');
  assignVariables(runtime, plan, changes.at(-1));
  const changed = changes.map(({ before, after, fromValues }) => ({
    deleted: before,
    inserted: after,
    fromValues,
  }));
  return changeResult(runtime, plan, plan.table, changed);
}

/** Variables take the values of the last row. */
function assignVariables(
  runtime: ChangeRuntime,
  plan: ChangePlan,
  last: (Found & { readonly after: Row }) | undefined,
): void {
  if (!last) return;
  plan.assignments.forEach(({ variable, place }, index) => {
    if (variable === undefined) return;
    const value: SqlValue = place === undefined ? (last.given[index] ?? null) : (last.after[place] ?? null);
    runtime.assign(variable, value);
  });
}
