/** Window functions. */
import { type Call, isConstant, type OrderItem, type Window } from '../../tsql/ast.ts';
import { type Position, sqlErrorAt } from '../../tsql/sql-error.ts';
import type { SqlType } from '../session.ts';
import { bigint, float, int } from '../types.ts';
import { aggregateOver, hasWindow, isAggregate } from './aggregates.ts';
import type { Translator } from './translator.ts';
import { converted, derived, equalityKey, nullTyped, orderKey, type Typed } from './typed.ts';

type Located = Call & { readonly at: Position };

/** Ranking functions, with the type of their result. */
const ranking: Readonly<Record<string, SqlType>> = {
  ROW_NUMBER: bigint,
  RANK: bigint,
  DENSE_RANK: bigint,
  NTILE: bigint,
  PERCENT_RANK: float,
  CUME_DIST: float,
};
const offsets = new Set(['LAG', 'LEAD']);
const ends = new Set(['FIRST_VALUE', 'LAST_VALUE']);

export function isWindowFunction(name: string): boolean {
  return name in ranking || offsets.has(name) || ends.has(name);
}

/** Translates `function(...) OVER (...)`; SQLite's windows and default frames are the standard's, as T-SQL's are. */
export function windowCall(translator: Translator, call: Located): Typed {
  const { clause } = translator.scope;
  if (clause) throw sqlErrorAt(call.at, 4108);
  if (!call.over) throw sqlErrorAt(call.at, 10753, call.name);
  if (!isWindowFunction(call.name) && !isAggregate(call.name)) throw sqlErrorAt(call.at, 4113, call.name);
  if (isWindowFunction(call.name) && !call.over.order.length) throw sqlErrorAt(call.at, 4112, call.name);
  if (call.distinct) throw sqlErrorAt(call.at, 10759);
  if (hasWindow([call.arguments, call.over.partition, call.over.order])) throw sqlErrorAt(call.at, 4109);
  checkFrame(call);
  const over = ` OVER (${windowText(translator, call.over)})`;
  if (isAggregate(call.name)) return aggregateOver(translator, call, over);
  const type = ranking[call.name];
  return type ? ranked(translator, call, type, over) : fromOtherRow(translator, call, over);
}

/** Throws 10752, 10756, 4193 or 4194 for a frame that the function, the order or its bounds do not allow. */
function checkFrame({ name, over, at }: Located): void {
  if (!over?.frame) return;
  if (name in ranking || offsets.has(name)) throw sqlErrorAt(at, 10752, name);
  if (!over.order.length) throw sqlErrorAt(at, 10756);
  if (/^RANGE .*\d/.test(over.frame)) throw sqlErrorAt(at, 4194);
  const [low = '', high = 'CURRENT ROW'] = over.frame.replace(/^(ROWS|RANGE) (BETWEEN )?/, '').split(' AND ');
  if (boundOrder(low) > boundOrder(high) || low === 'UNBOUNDED FOLLOWING' || high === 'UNBOUNDED PRECEDING')
    throw sqlErrorAt(at, 4193, over.frame);
}

/** Where a bound lies: before the current row, at it, or after it. */
function boundOrder(bound: string): number {
  return bound.endsWith('PRECEDING') ? -1 : bound.endsWith('FOLLOWING') ? 1 : 0;
}

function windowText(translator: Translator, { partition, order, frame }: Window): string {
  const keys = partition.map((expression) => {
    const value = translator.value(expression);
    return equalityKey(value.sql, value.type);
  });
  const parts = [
    keys.length ? `PARTITION BY ${keys.join(', ')}` : '',
    order.length ? `ORDER BY ${order.map((item) => orderText(translator, item)).join(', ')}` : '',
    frame ?? '',
  ];
  return parts.filter(Boolean).join(' ');
}

function orderText(translator: Translator, { expression, descending }: OrderItem): string {
  if (expression.kind === 'number') throw sqlErrorAt(expression.at, 5308);
  if (isConstant(expression)) throw sqlErrorAt(expression.at, 5309);
  const value = translator.value(expression);
  return `${orderKey(value.sql, value.type)}${descending ? ' DESC' : ''}`;
}

function ranked(translator: Translator, call: Located, type: SqlType, over: string): Typed {
  const expected = call.name === 'NTILE' ? 1 : 0;
  if (call.arguments.length !== expected) throw sqlErrorAt(call.at, 174, call.name.toLowerCase(), expected);
  const given = call.arguments.map((argument) => translator.as(argument, int).sql).join(', ');
  return { sql: `${call.name.toLowerCase()}(${given})${over}`, type, nullable: false };
}

function fromOtherRow(translator: Translator, call: Located, over: string): Typed {
  const [argument, offset, fallback] = call.arguments;
  const maxArguments = offsets.has(call.name) ? 3 : 1;
  if (!argument || call.arguments.length > maxArguments)
    throw sqlErrorAt(call.at, 174, call.name.toLowerCase(), maxArguments);
  const value = translator.value(argument);
  const more = offset ? [translator.as(offset, bigint).sql] : [];
  const last = fallback ? [converted(fallback ? translator.value(fallback) : nullTyped, value.type).sql] : [];
  const sql = `${call.name.toLowerCase()}(${[value.sql, ...more, ...last].join(', ')})${over}`;
  return derived(value, { sql, nullable: true });
}
