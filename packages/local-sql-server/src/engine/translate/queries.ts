/** Queries: CTEs, order, limits, set operators. */
import {
  type Cte,
  type Expression,
  type ForJson,
  type OrderItem,
  plainSelect,
  type Query,
  type QueryBody,
  type Select,
  type SetOperation,
  type Top,
} from '../../tsql/ast.ts';
import { type Position, sqlErrorAt } from '../../tsql/sql-error.ts';
import { sameName } from '../catalog.ts';
import { commonType, textMax } from '../types.ts';
import type { Compilation, CteScope, Scope, TranslatedQuery } from './compilation.ts';
import { readsCte } from './cte.ts';
import { ExpressionTranslator } from './expressions.ts';
import { jsonSpecification, mustReadOneTable } from './for-json.ts';
import { asXmlText } from './for-xml.ts';
import { rowLimit } from './row-limit.ts';
import { type OpenSelect, openSelect } from './select.ts';
import {
  columnValue,
  converted,
  equalityKey,
  literal,
  type OutputColumn,
  orderKey,
  rankOfBoth,
  withCollation,
} from './typed.ts';

/** Translates a query with its CTEs, order and limits. `parent` is the scope around it, for correlation. */
export function translateQuery(compilation: Compilation, query: Query, parent: Scope): TranslatedQuery {
  const outer = scopeWithCtes(query, parent);
  for (const cte of query.with)
    if (!readsCte({ ...query, at: undefined }, cte)) checkUnread(compilation, cte, outer);
  const ordered = translateOrdered(compilation, query, outer);
  if (query.forXmlText) return asXmlText(ordered, query.at);
  if (query.forJson?.isAuto) mustReadOneTable(compilation, query);
  return query.forJson ? asJson(ordered, query.forJson, query.at) : ordered;
}

/** The scope of a query's parts, with its CTEs. Throws 239 for a name given twice. */
export function scopeWithCtes(query: Query, parent: Scope): Scope {
  const ctes = query.with.reduce<CteScope | undefined>((outer, cte) => {
    if (isDuplicate(query.with, cte)) throw sqlErrorAt(cte.at, 239, cte.name);
    return { cte: withRecursionLimit(cte, query), outer };
  }, parent.ctes);
  return { sources: [], parent, ctes };
}

/** FOR JSON: the rows become one text (or NULL for none), by an aggregate. */
function asJson({ sql, columns }: TranslatedQuery, options: ForJson, at: Position): TranslatedQuery {
  const given = [literal(jsonSpecification(columns, options, at)), ...columns.map((_, index) => `c${index}`)];
  const column: OutputColumn = {
    name: 'JSON_F52E2B61-18A1-11d1-B105-00805F49916B',
    type: textMax,
    nullable: true,
    isJson: !options.withoutWrapper,
  };
  return {
    sql: `SELECT json_rows(${given.join(', ')}) AS c0 FROM (${sql})`,
    columns: [column],
    atMostOneRow: true,
  };
}

/** A CTE that nothing reads must make sense all the same. */
function checkUnread(compilation: Compilation, { name, at }: Cte, outer: Scope): void {
  const from = { kind: 'table', name: { parts: [name], at }, alias: undefined, hints: [], at } as const;
  openSelect(compilation, { ...plainSelect, from, at }, outer);
}

function isDuplicate(ctes: readonly Cte[], cte: Cte): boolean {
  return ctes.some((other) => other !== cte && sameName(other.name, cte.name));
}

function withRecursionLimit(cte: Cte, query: Query): Cte {
  return query.maxRecursion === undefined
    ? cte
    : { ...cte, query: { ...cte.query, maxRecursion: query.maxRecursion } };
}

function translateOrdered(compilation: Compilation, query: Query, outer: Scope): TranslatedQuery {
  const { body, order, offset, fetch } = query;
  const paging = { order, offset, fetch };
  if (body.kind === 'select')
    return completeQuery(compilation, openSelect(compilation, body, outer), body, paging, outer);
  const set = translateBody(compilation, body, outer);
  if (!order.length) return set;
  const keys = order.map((item) => outputKey(item, set.columns, 104));
  const sql = `SELECT ${names(set.columns)} FROM (${set.sql}) ORDER BY ${keys.join(', ')}${limit(compilation, outer, paging, undefined)}`;
  return { ...set, sql };
}

interface Paging {
  readonly order: readonly OrderItem[];
  readonly offset: Expression | undefined;
  readonly fetch: Expression | undefined;
}

/** Adds DISTINCT, ORDER BY and the limits to a SELECT; `more` are columns behind its own. */
export function completeQuery(
  compilation: Compilation,
  open: OpenSelect,
  select: Select,
  paging: Paging,
  outer: Scope,
  more: readonly string[] = [],
): TranslatedQuery {
  const { columns } = open;
  if (select.top && paging.offset) throw sqlErrorAt(select.at, 10741);
  const keys = select.distinct
    ? paging.order.map((item) => outputKey(item, columns, 145))
    : paging.order.map((item) => open.orderKey(item));
  const order = keys.length ? ` ORDER BY ${keys.join(', ')}` : '';
  const atMostOneRow = open.atMostOneRow || isTopOne(select.top);
  const distinct = select.distinct
    ? `SELECT ${names(columns)} FROM (${open.sql([])}) GROUP BY ${groupKeys(columns)}`
    : undefined;
  if (select.top?.withTies && !keys.length) throw sqlErrorAt(select.at, 1062);
  if (select.top?.percent || select.top?.withTies) {
    const rows = distinct
      ? { ...open, sql: (added: readonly string[]) => withMore(distinct, columns, added) }
      : open;
    return { sql: relativeTop(compilation, select.top, rows, keys, outer), columns, atMostOneRow };
  }
  const limits = limit(compilation, outer, paging, select.top);
  const sql = distinct ? `${distinct}${order}${limits}` : open.ordered(order, limits, more);
  return { sql, columns, atMostOneRow };
}

function isTopOne(top: Top | undefined): boolean {
  return top?.count.kind === 'number' && top.count.text === '1' && !top.percent && !top.withTies;
}

/** A query with more columns, over its own. */
function withMore(sql: string, columns: readonly OutputColumn[], more: readonly string[]): string {
  return `SELECT ${[names(columns), ...more].join(', ')} FROM (${sql})`;
}

/** TOP n PERCENT and WITH TIES: by the place of each row in the order. */
function relativeTop(
  compilation: Compilation,
  { count, percent, withTies }: Top,
  open: Pick<OpenSelect, 'sql' | 'columns'>,
  keys: readonly string[],
  outer: Scope,
): string {
  // The keys are columns first, since they may be window functions, of which others cannot be made at once.
  const keyed = open.sql(keys.map((key, index) => `${key.replace(/ DESC$/, '')} AS k${index}`));
  const order = keys.map((key, index) => `k${index}${key.endsWith(' DESC') ? ' DESC' : ''}`).join(', ');
  const over = `OVER (${order && `ORDER BY ${order}`})`;
  const places = [
    `row_number() ${over} AS position`,
    `${withTies ? 'rank' : 'row_number'}() ${over} AS place`,
    'count(*) OVER () AS total',
  ];
  const ranked = `SELECT ${[names(open.columns), ...places].join(', ')} FROM (${keyed})`;
  const number = new ExpressionTranslator(compilation, outer).value(count).sql;
  const limit = percent ? `percent_limit(${number}, total)` : `row_limit(${number})`;
  return `SELECT ${names(open.columns)} FROM (${ranked}) WHERE place <= ${limit} ORDER BY position`;
}

function limit(
  compilation: Compilation,
  outer: Scope,
  { offset, fetch }: Paging,
  top: Top | undefined,
): string {
  const number = (expression: Expression): string => rowLimit(compilation, outer, expression);
  if (top) return ` LIMIT row_limit(${number(top.count)})`;
  if (!offset) return '';
  return ` LIMIT ${fetch ? `fetch_limit(${number(fetch)})` : '-1'} OFFSET row_offset(${number(offset)})`;
}

/** The key of an ORDER BY item that must name an output column, by name or position. */
function outputKey(
  { expression, descending }: OrderItem,
  columns: readonly OutputColumn[],
  otherwise: number,
): string {
  const index = outputIndex(expression, columns);
  const column = columns[index];
  if (!column) throw sqlErrorAt(expression.at, otherwise);
  return `${orderKey(`c${index}`, column.type)}${descending ? ' DESC' : ''}`;
}

function outputIndex(expression: Expression, columns: readonly OutputColumn[]): number {
  if (expression.kind === 'number' && expression.form === 'integer') {
    const position = Number(expression.text);
    if (position < 1 || position > columns.length) throw sqlErrorAt(expression.at, 108, expression.text);
    return position - 1;
  }
  if (expression.kind !== 'column') return -1;
  const name = expression.parts.at(-1) ?? '';
  return columns.findIndex((column) => sameName(column.name, name));
}

function names(columns: readonly OutputColumn[]): string {
  return columns.map((_, index) => `c${index}`).join(', ');
}

function groupKeys(columns: readonly OutputColumn[]): string {
  return columns.map(({ type }, index) => equalityKey(`c${index}`, type)).join(', ');
}

/** A SELECT or set operation without order. */
export function translateBody(compilation: Compilation, body: QueryBody, outer: Scope): TranslatedQuery {
  if (body.kind === 'setOperation') return setOperation(compilation, body, outer);
  return completeQuery(
    compilation,
    openSelect(compilation, body, outer),
    body,
    { order: [], offset: undefined, fetch: undefined },
    outer,
  );
}

/** UNION ALL joins its terms; the others group the rows of both sides by their keys. */
function setOperation(compilation: Compilation, operation: SetOperation, outer: Scope): TranslatedQuery {
  const terms = termsOf(operation).map((term) => translateBody(compilation, term, outer));
  const [first, ...rest] = terms;
  if (!first) throw new TypeError('A set operation has terms');
  if (rest.some((term) => term.columns.length !== first.columns.length)) throw sqlErrorAt(operation.at, 205);
  const columns = rest.reduce(
    (left, right) =>
      left.map((column, index) => commonColumn(column, right.columns[index] ?? column, operation)),
    first.columns,
  );
  if (operation.operator === 'UNION ALL')
    return { sql: unionAll(terms, columns), columns, atMostOneRow: false };
  const sides = terms.map(
    (term, side) => `SELECT ${conversions(term.columns, columns)}, ${side} AS side FROM (${term.sql})`,
  );
  const having = { UNION: '', INTERSECT: ' HAVING min(side) < max(side)', EXCEPT: ' HAVING max(side) = 0' }[
    operation.operator
  ];
  const sql = `SELECT ${names(columns)} FROM (${sides.join(' UNION ALL ')}) GROUP BY ${groupKeys(columns)}${having}`;
  return { sql, columns, atMostOneRow: false };
}

/** A chain of UNION ALL is one list of terms, so that long VALUES do not nest. */
function termsOf(operation: SetOperation): QueryBody[] {
  if (operation.operator !== 'UNION ALL') return [operation.left, operation.right];
  const terms: QueryBody[] = [operation.right];
  let left = operation.left;
  while (left.kind === 'setOperation' && left.operator === 'UNION ALL') {
    terms.unshift(left.right);
    left = left.left;
  }
  return [left, ...terms];
}

const maxTerms = 400;

function unionAll(terms: readonly TranslatedQuery[], columns: readonly OutputColumn[]): string {
  return unionOf(terms.map((term) => `SELECT ${conversions(term.columns, columns)} FROM (${term.sql})`));
}

/** SQLite's UNION ALL of any number of SELECTs: it takes 500 at once. */
export function unionOf(selects: readonly string[]): string {
  const groups: string[] = [];
  for (let start = 0; start < selects.length; start += maxTerms)
    groups.push(selects.slice(start, start + maxTerms).join(' UNION ALL '));
  return groups.length === 1
    ? (groups[0] ?? '')
    : groups.map((group) => `SELECT * FROM (${group})`).join(' UNION ALL ');
}

function conversions(from: readonly OutputColumn[], to: readonly OutputColumn[]): string {
  return from
    .map(
      (column, index) =>
        `${converted(columnValue(column, `c${index}`), to[index]?.type ?? column.type).sql} AS c${index}`,
    )
    .join(', ');
}

function commonColumn(left: OutputColumn, right: OutputColumn, { operator }: SetOperation): OutputColumn {
  const a = columnValue(left, 'c0');
  const b = columnValue(right, 'c0');
  const type = a.isNull
    ? b.type
    : b.isNull
      ? a.type
      : withCollation(commonType(a.type, b.type), a, b, operator);
  return {
    name: left.name,
    type,
    nullable: left.nullable || right.nullable,
    isNull: (a.isNull && b.isNull) ?? false,
    collationRank: rankOfBoth(a, b),
  };
}
