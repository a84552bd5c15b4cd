/** Aggregates. */
import type { Call, Expression } from '../../tsql/ast.ts';
import { contains } from '../../tsql/contains.ts';
import { type Position, sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import type { SqlType } from '../session.ts';
import {
  asDecimal,
  bigint,
  familyOf,
  float,
  int,
  isCharacter,
  isNumeric,
  isUnicode,
  nvarchar,
  varchar,
} from '../types.ts';
import type { Translator } from './translator.ts';
import {
  converted,
  derived,
  equalityKey,
  hasPlainKey,
  orderKey,
  refuseOperand,
  type Typed,
  typeId,
} from './typed.ts';

type Located = Call & { readonly at: Position };

const names = new Set(
  'COUNT COUNT_BIG APPROX_COUNT_DISTINCT SUM AVG MIN MAX STRING_AGG STDEV STDEVP VAR VARP'.split(' '),
);

export function isAggregate(name: string): boolean {
  return names.has(name);
}

/** Whether an expression aggregates the rows of its query; subqueries have their aggregates. */
export function hasAggregate(expression: unknown): boolean {
  return contains(
    expression,
    (node) => node.kind === 'call' && isAggregate(String(node.name)) && !(node as Call).over,
    ({ kind }) => kind !== 'query',
  );
}

/** Whether a window function stands in an expression; subqueries have their own. */
export function hasWindow(expression: unknown): boolean {
  return contains(
    expression,
    (node) => node.kind === 'call' && (node as Call).over !== undefined,
    ({ kind }) => kind !== 'query',
  );
}

/** Translates an aggregate over the rows of a group. Throws 147 in WHERE, 130 inside another aggregate, 4109 over a window. */
export function aggregateCall(translator: Translator, call: Located): Typed {
  if (hasWindow(call.arguments)) throw sqlErrorAt(call.at, 4109);
  if (translator.scope.clause === 'WHERE') throw sqlErrorAt(call.at, 147);
  if (translator.scope.clause === 'SET') throw sqlErrorAt(call.at, 157);
  if (translator.scope.clause === 'GROUP BY') throw sqlErrorAt(call.at, 144);
  return aggregateOver(translator, call, '');
}

/** The same with a window after it; `over` is its text, or empty. */
export function aggregateOver(translator: Translator, call: Located, over: string): Typed {
  const { grouping: _grouping, ...ungrouped } = translator.scope;
  const hasQuery = contains(call.arguments, ({ kind }) => kind === 'query');
  if (hasQuery || (call.arguments.some(hasAggregate) && !over)) throw sqlErrorAt(call.at, 130);
  // In a window the arguments are themselves results of the grouped query.
  const inner = over ? translator : translator.in(ungrouped);
  if (call.star) return counted(call, `count(*)${over}`);
  const [argument, second] = call.arguments;
  const expected = call.name === 'STRING_AGG' ? 2 : 1;
  if (!argument || call.arguments.length !== expected) throw sqlErrorAt(call.at, 174, call.name, expected);
  const value = inner.value(argument);
  if (value.isNull && !call.name.startsWith('COUNT'))
    throw sqlErrorAt(call.at, 8117, 'NULL', call.name.toLowerCase());
  if (call.name === 'STRING_AGG') return stringAggregate(inner, call, value, second);
  return aggregate(call, value, over);
}

function counted({ name }: Located, sql: string): Typed {
  return { sql, type: name === 'COUNT' ? int : bigint, nullable: false };
}

function aggregate(call: Located, value: Typed, over: string): Typed {
  const distinct = call.distinct ? 'DISTINCT ' : '';
  switch (call.name) {
    case 'COUNT':
    case 'COUNT_BIG':
      return counted(
        call,
        `count(${distinct}${call.distinct ? equalityKey(value.sql, value.type) : value.sql})${over}`,
      );
    case 'SUM':
      return sum(value, distinct, over);
    case 'APPROX_COUNT_DISTINCT':
      if (over) throw unsupported('APPROX_COUNT_DISTINCT with OVER', call.at);
      return counted(call, `count(DISTINCT ${equalityKey(value.sql, value.type)})`);
    case 'AVG':
      return average(value, distinct, over);
    case 'STDEV':
    case 'STDEVP':
    case 'VAR':
    case 'VARP': {
      if (!isNumeric(value.type)) throw refuseOperand(value.type, call.name.toLowerCase());
      const sql = `${call.name.toLowerCase()}_of(${distinct}${converted(value, float).sql})${over}`;
      return { sql, type: float, nullable: true };
    }
    default:
      return extreme(call.name.toLowerCase(), value, over);
  }
}

function sum(value: Typed, distinct: string, over: string): Typed {
  const family = familyOf(value.type);
  if (family === 'integer' && value.type.name !== 'bit') {
    const type = value.type.name === 'bigint' ? bigint : int;
    return { sql: totalOf(value, type, distinct, over), type, nullable: true };
  }
  if (family === 'float') return { sql: `sum(${distinct}${value.sql})${over}`, type: float, nullable: true };
  if (family === 'money')
    return { sql: `decimal_sum(${distinct}${value.sql})${over}`, type: { name: 'money' }, nullable: true };
  if (family !== 'decimal') throw refuseOperand(value.type, 'sum');
  const { scale } = asDecimal(value.type);
  return {
    sql: `decimal_sum(${distinct}${value.sql})${over}`,
    type: { name: 'decimal', precision: 38, scale },
    nullable: true,
  };
}

/** The sum must fit the type of the result, also where it is only divided. SQLite's own overflows at 64 bits, which bigints reach. */
function totalOf({ sql }: Typed, type: SqlType, distinct: string, over: string): string {
  const sum = type.name === 'bigint' ? 'decimal_sum' : 'sum';
  return `fit_integer(${sum}(${distinct}${sql})${over}, ${typeId(type)})`;
}

function average(value: Typed, distinct: string, over: string): Typed {
  const family = familyOf(value.type);
  if (family === 'integer' && value.type.name !== 'bit') {
    const type = value.type.name === 'bigint' ? bigint : int;
    const sql = `integer_arithmetic('/', ${totalOf(value, type, distinct, over)}, nullif(count(${distinct}${value.sql})${over}, 0), ${typeId(type)})`;
    return { sql, type, nullable: true };
  }
  if (family === 'float') return { sql: `avg(${distinct}${value.sql})${over}`, type: float, nullable: true };
  if (family !== 'decimal' && family !== 'money') throw refuseOperand(value.type, 'avg');
  const scale = family === 'money' ? 4 : Math.max(asDecimal(value.type).scale, 6);
  const sum = `decimal_sum(${distinct}${value.sql})${over}`;
  const sql = `decimal_arithmetic('/', ${sum}, nullif(count(${distinct}${value.sql})${over}, 0), 38, ${scale})`;
  return {
    sql,
    type: family === 'money' ? { name: 'money' } : { name: 'decimal', precision: 38, scale },
    nullable: true,
  };
}

function extreme(name: string, value: Typed, over: string): Typed {
  if (value.type.name === 'bit') throw refuseOperand(value.type, name);
  const isPlain = hasPlainKey(value.type) && value.type.name !== 'uniqueidentifier';
  const sql = isPlain
    ? `${name}(${value.sql})${over}`
    : `${name}_by_key${over && '_over'}(${value.sql}, ${orderKey(value.sql, value.type)})${over}`;
  return derived(value, { sql, nullable: true });
}

function stringAggregate(
  translator: Translator,
  call: Located,
  value: Typed,
  separator: Expression | undefined,
): Typed {
  if (contains(separator, ({ kind }) => kind === 'column')) throw sqlErrorAt(call.at, 8733);
  const text = isCharacter(value.type) ? value : converted(value, nvarchar(4000));
  const between = separator ? translator.as(separator, nvarchar(4000)).sql : "''";
  const order = (call.withinGroup ?? []).map(({ expression, descending }) => {
    const key = translator.value(expression);
    return `${orderKey(key.sql, key.type)}${descending ? ' DESC' : ''}`;
  });
  const isMax = 'length' in text.type && text.type.length === 'max';
  const type = isUnicode(text.type) ? nvarchar(isMax ? 'max' : 4000) : varchar(isMax ? 'max' : 8000);
  const ordering = order.length ? ` ORDER BY ${order.join(', ')}` : '';
  const aggregate = `string_agg(${text.sql}, ${between}${ordering})`;
  const sql = isMax ? aggregate : `limited_text(${aggregate}, ${isUnicode(text.type) ? 4000 : 8000})`;
  return derived(text, { sql, type, nullable: true });
}
