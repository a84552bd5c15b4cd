/** Queries: their rows sent, assigned or stored. */

import type { Name, Query } from '../../tsql/ast.ts';
import { sqlErrorAt } from '../../tsql/sql-error.ts';
import { sameName, stamp, type Table, type TableColumn } from '../catalog.ts';
import { insertRows, insertTarget } from '../changes/insert.ts';
import { newCompilation, noScope } from '../changes/writer.ts';
import { mayCreateTable } from '../security/definition-rights.ts';
import type { SqlType } from '../session.ts';
import type { OutputColumn } from '../translate/typed.ts';
import { int, withCollation } from '../types.ts';
import type { Row } from './connection.ts';
import type { Context } from './context.ts';
import { definerOf } from './define.ts';
import type { QueryPlan } from './plans.ts';

/** Runs a query: sends its rows (under SET FMTONLY ON its columns alone), collects them for INSERT ... EXEC, or assigns them to variables. Returns their number. */
export function sendQuery(context: Context, plan: QueryPlan): number {
  const { connection } = context;
  const parameters = context.values(plan.compilation.parameters);
  if (plan.assigned.length) return assignRows(context, plan);
  if (context.options.get('FMTONLY') === 'ON') {
    context.emit({ kind: 'columns', columns: plan.columns.map(columnOf) });
    return 0;
  }
  const rows = connection.query(plan.sql, parameters, plan.types);
  const sent = plan.isJson ? jsonRows(rows) : rows;
  if (context.capture) {
    context.capture.columns = plan.types;
    context.capture.rows.push(...sent);
    return sent.length;
  }
  context.emit({ kind: 'columns', columns: plan.columns.map(columnOf) });
  for (const values of sent) context.emit({ kind: 'row', values });
  return sent.length;
}

/** FOR JSON comes in rows of this many characters. */
const jsonChunk = 2033;

function jsonRows(rows: readonly Row[]): Row[] {
  const text = rows[0]?.[0];
  if (typeof text !== 'string') return [];
  const count = Math.ceil(text.length / jsonChunk);
  return Array.from({ length: count }, (_, index) => [
    text.slice(index * jsonChunk, (index + 1) * jsonChunk),
  ]);
}

function columnOf({ name, type, nullable, identity }: OutputColumn) {
  return identity ? { name, type, nullable, identity } : { name, type, nullable };
}

/** `SELECT @a = ..., @b = ...`: each row is assigned, so the last one wins; without rows the variables keep their values. */
function assignRows(context: Context, plan: QueryPlan): number {
  const parameters = context.values(plan.compilation.parameters);
  const types = plan.assigned.map((name, index) => context.variable(name)?.type ?? plan.types[index] ?? int);
  let count = 0;
  for (const row of context.connection.iterate(plan.sql, parameters, types)) {
    count++;
    plan.assigned.forEach((name, index) => {
      context.assign(name, row[index] ?? null);
    });
  }
  return count;
}

/** SELECT ... INTO: makes the table from the columns of the query, and stores the rows. */
export function selectInto(context: Context, query: Query): number {
  const { body } = query;
  if (body.kind !== 'select' || !body.into) throw new TypeError('There is no INTO');
  const { into, ...select } = body;
  const compilation = newCompilation(context.translationContext);
  const translated = compilation.query({ ...query, body: { ...select, into: undefined } }, noScope);
  context.mustBeAllowed(compilation.needs);
  const table = makeTable(context, into, translated.columns);
  const types: SqlType[] = translated.columns.map(({ type }) => type);
  const rows = context.connection.query(translated.sql, context.values(compilation.parameters), types);
  const names = table.columns.map(({ name }) => name);
  const previous = context.identityInsert;
  context.identityInsert = table.columns.some(({ identity }) => identity) ? table.id : previous;
  insertRows(context, insertTarget(table, names, into.at, true), rows);
  context.identityInsert = previous;
  return rows.length;
}

/** Returns the table of SELECT INTO; a #temp one may not be there yet in any call. Throws 1038, 2714. */
function makeTable(context: Context, { parts, at }: Name, columns: readonly OutputColumn[]): Table {
  const name = parts.at(-1) ?? '';
  const shape = columns.map((column, index): TableColumn => {
    if (column.name === '') throw sqlErrorAt(at, 1038);
    if (columns.findIndex((other) => sameName(other.name, column.name)) < index)
      throw sqlErrorAt(at, 2705, column.name, name);
    const identity = column.identity ? { seed: '1', increment: '1' } : undefined;
    return {
      id: index + 1,
      name: column.name,
      type: withCollation(column.type, context.wholeCatalog.collation),
      nullable: column.nullable && !identity,
      identity,
      default: undefined,
      computed: undefined,
    };
  });
  if (context.temporaryTables.find(name)) throw sqlErrorAt(at, 2714, name);
  mayCreateTable(context, { parts, at });
  const definer = definerOf(context);
  const home = definer.newHome(parts, at);
  const time = stamp();
  const rules = { columns: shape, keys: [], checks: [], foreignKeys: [] };
  return definer.makeTable(home, shape, () => ({
    ...home,
    ...rules,
    kind: 'table',
    created: time,
    modified: time,
  }));
}
