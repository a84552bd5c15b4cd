/** Changes of rows, run. */
import { sqlError } from '../../tsql/sql-error.ts';
import type { Delete, Insert, Merge, Update } from '../../tsql/statement-ast.ts';
import { convertRows, runInsert } from '../changes/insert.ts';
import { runMerge } from '../changes/merge.ts';
import type { ChangeResult } from '../changes/runtime.ts';
import { runDelete, runUpdate } from '../changes/update-delete.ts';
import type { SqlType } from '../session.ts';
import { Call } from './calls.ts';
import type { Row } from './connection.ts';
import type { Context } from './context.ts';
import { changePlan, insertPlan, mergePlan } from './plans.ts';
import type { StatementRunner } from './statement-runner.ts';

interface Captured {
  readonly types: readonly SqlType[];
  readonly rows: readonly Row[];
}

type Change = Insert | Update | Delete | Merge;

/** Runs INSERT, UPDATE, DELETE or MERGE, and sends the rows of its OUTPUT. */
export async function runChange(runner: StatementRunner, statement: Change): Promise<void> {
  const { context } = runner;
  const captured = await captureRows(runner, statement);
  const { name } = changedTable(context, statement);
  const result = await runner.changing(name, () => apply(context, statement, captured));
  context.rowCount = result.count;
  if (result.output) sendOutput(context, result.output);
  runner.done(result.count);
}

function changedTable(context: Context, statement: Change) {
  if (statement.kind === 'merge') return mergePlan(context, statement).table;
  return statement.kind === 'insert'
    ? insertPlan(context, statement).target.table
    : changePlan(context, statement).table;
}

function sendOutput(context: Context, { columns, rows }: NonNullable<ChangeResult['output']>): void {
  if (context.capture) {
    context.capture.columns = columns.map(({ type }) => type);
    context.capture.rows.push(...rows);
    return;
  }
  context.emit({ kind: 'columns', columns });
  for (const values of rows) context.emit({ kind: 'row', values });
}

/** The rows that the procedure of INSERT ... EXEC gives. Throws 8164 when such statements nest, 213 for rows of another width. */
async function captureRows(runner: StatementRunner, statement: Change): Promise<Captured | undefined> {
  if (statement.kind !== 'insert' || statement.source.kind !== 'execute') return undefined;
  const { context } = runner;
  if (context.capture) throw sqlError(8164);
  const width = insertPlan(context, statement).target.places.length;
  const capture = { columns: [] as readonly SqlType[], rows: [] as Row[] };
  context.capture = capture;
  try {
    await new Call(runner).execute(statement.source.execute);
  } finally {
    context.capture = undefined;
  }
  if (capture.columns.length && capture.columns.length !== width) throw sqlError(213);
  return { types: capture.columns, rows: capture.rows };
}

function apply(context: Context, statement: Change, captured: Captured | undefined): ChangeResult {
  if (statement.kind === 'merge') return runMerge(context, mergePlan(context, statement));
  if (statement.kind !== 'insert') {
    const plan = changePlan(context, statement);
    return statement.kind === 'update' ? runUpdate(context, plan) : runDelete(context, plan);
  }
  const plan = insertPlan(context, statement);
  if (captured) return runInsert(context, plan, convertRows(captured.rows, captured.types, plan.target));
  const { source } = plan;
  const rows = source
    ? context.connection.query(source.sql, context.values(source.compilation.parameters), source.types)
    : [];
  return runInsert(context, plan, rows);
}
