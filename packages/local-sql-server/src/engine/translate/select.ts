/** One SELECT without its order and limits. */
import { type Expression, isConstant, type OrderItem, type Select, type SelectItem } from '../../tsql/ast.ts';
import { sqlErrorAt } from '../../tsql/sql-error.ts';
import { sameName } from '../catalog.ts';
import { hasAggregate } from './aggregates.ts';
import { isNamed } from './columns.ts';
import type { Compilation, Grouping, Scope, Source } from './compilation.ts';
import { ExpressionTranslator } from './expressions.ts';
import { SourceTranslator } from './sources.ts';
import { equalityKey, type OutputColumn, orderKey, type Typed } from './typed.ts';

/** A SELECT that still lacks its order and limits. */
export interface OpenSelect {
  readonly columns: readonly OutputColumn[];
  readonly atMostOneRow: boolean;
  /** The text, with more columns after its own. */
  sql(more: readonly string[]): string;
  /** The text with its order and limits, and more columns after its own. */
  ordered(order: string, limits: string, more?: readonly string[]): string;
  /** The sources of FROM, and what a column is in SQLite's words. */
  readonly sources: readonly Source[];
  columnSql(index: number): string | undefined;
  orderKey(item: OrderItem): string;
}

interface Item {
  readonly name: string;
  readonly typed: Typed;
}

/** Translates SELECT ... FROM ... WHERE ... GROUP BY ... HAVING. */
export function openSelect(compilation: Compilation, select: Select, outer: Scope): OpenSelect {
  const from = select.from
    ? new SourceTranslator(compilation, outer).translate(select.from)
    : { sql: '', sources: [] };
  const scope: Scope = { sources: from.sources, parent: outer, ctes: outer.ctes };
  const where =
    select.where &&
    new ExpressionTranslator(compilation, { ...scope, clause: 'WHERE' }).condition(select.where);
  const groups = groupKeys(compilation, select, scope);
  const isAggregated = groups.length > 0 || select.having !== undefined || hasAggregate(select.items);
  const inside = (clause: Grouping['clause']): ExpressionTranslator =>
    new ExpressionTranslator(
      compilation,
      isAggregated ? { ...scope, grouping: { keys: new Set(groups.map(({ sql }) => sql)), clause } } : scope,
    );
  checkAssigned(select.items);
  const items = select.items.flatMap((item) => selectItems(item, inside('select'), from.sources));
  const having = select.having && inside('HAVING').condition(select.having);
  const tail = [
    from.sql && ` FROM ${from.sql}`,
    where && ` WHERE ${where}`,
    groups.length &&
      ` GROUP BY ${groups.map(({ sql, type }) => ordinalFree(equalityKey(sql, type))).join(', ')}`,
    having && ` HAVING ${having}`,
  ];
  const list = listOf(items);
  const sql = (more: readonly string[]): string =>
    `SELECT ${[...list, ...more].join(', ')}${tail.filter(Boolean).join('')}`;
  const growing = isAggregated ? undefined : growingList(compilation, select, scope);
  return {
    columns: items.map((item) => outputColumn(item, from.sources.length === 1)),
    atMostOneRow: (isAggregated && !groups.length) || !select.from,
    sql,
    sources: from.sources,
    columnSql: (index) => items[index]?.typed.sql,
    ordered: (order, limits, more = []) =>
      growing && order
        ? growing(`${tail.filter(Boolean).join('')}${order}${limits || ' LIMIT -1'}`)
        : `${sql(more)}${order}${limits}`,
    orderKey: (item) => orderItemKey(item, items, inside('ORDER BY')),
  };
}

function listOf(items: readonly Item[]): string[] {
  return items.map(({ typed }, index) => `${typed.sql} AS c${index}`);
}

/**
 * `SELECT @a = @a + x ... ORDER BY y` adds up in that order: the rows are put in order first, and only then does each
 * give its value. Undefined where no variable grows.
 */
function growingList(
  compilation: Compilation,
  { items }: Select,
  scope: Scope,
): ((rows: string) => string) | undefined {
  if (!compilation.volatileVariables.size || !items.every(({ kind }) => kind === 'assign')) return undefined;
  const alias = compilation.alias();
  const columns: string[] = [];
  const sources = scope.sources.map((source) => ({
    ...source,
    fields: source.fields.map(({ name, typed }) => {
      const sql = `${alias}.v${columns.push(typed.sql) - 1}`;
      return { name, typed: { ...typed, sql } };
    }),
  }));
  const translator = new ExpressionTranslator(compilation, { ...scope, sources });
  const list = listOf(items.flatMap((item) => selectItems(item, translator, sources)));
  const inner = columns.map((sql, index) => `${sql} AS v${index}`).join(', ');
  // SQLite would merge a plain subquery into the query around it, and compute the values before it sorts.
  return (rows) =>
    `WITH ${alias} AS MATERIALIZED (SELECT ${inner}${rows}) SELECT ${list.join(', ')} FROM ${alias}`;
}

function groupKeys(compilation: Compilation, select: Select, scope: Scope): Typed[] {
  const translator = new ExpressionTranslator(compilation, { ...scope, clause: 'GROUP BY' });
  return select.group.map((expression) => {
    if (['number', 'string', 'null'].includes(expression.kind)) throw sqlErrorAt(expression.at, 164);
    return translator.value(expression);
  });
}

/** A bare number would mean a position to SQLite; any constant orders and groups alike. */
function ordinalFree(sql: string): string {
  return /^-?\d+$/.test(sql) ? 'NULL' : sql;
}

/** Throws 141 for a SELECT that assigns some of its items and gives others. */
function checkAssigned(items: readonly SelectItem[]): void {
  const [first] = items;
  const assigned = items.filter(({ kind }) => kind === 'assign');
  if (first && assigned.length && assigned.length < items.length) throw sqlErrorAt(first.at, 141);
}

/** The columns that one item stands for: a star is as many as its sources have. */
export function selectItems(
  item: SelectItem,
  translator: ExpressionTranslator,
  sources: readonly Source[],
): Item[] {
  if (item.kind === 'star') return starItems(item, translator, sources);
  const typed = translator.value(item.expression);
  if (item.kind === 'assign') return [{ name: '', typed }];
  return [{ name: item.alias ?? typed.name ?? '', typed: withName(item.expression, typed) }];
}

/** Only a bare column passes on that it is an identity. */
function withName(expression: Expression, typed: Typed): Typed {
  return expression.kind === 'column' ? typed : { ...typed, identity: false };
}

function starItems(
  { qualifier, at }: SelectItem & { kind: 'star' },
  translator: ExpressionTranslator,
  sources: readonly Source[],
): Item[] {
  const meant = qualifier.length ? sources.filter((source) => isNamed(source, qualifier)) : sources;
  if (!meant.length && qualifier.length) throw sqlErrorAt(at, 107, qualifier.join('.'));
  if (!meant.length) throw sqlErrorAt(at, 263);
  return meant.flatMap((source) =>
    source.fields.map(({ name, typed }) => ({
      name,
      typed: translator.scope.grouping
        ? translator.value({ kind: 'column', parts: [source.name, name], at })
        : typed,
    })),
  );
}

/** A column of a join is no identity for SELECT INTO. */
function outputColumn({ name, typed }: Item, isAlone: boolean): OutputColumn {
  const { type, nullable, identity = false, isJson = false, isNull = false, collationRank = 0 } = typed;
  return { name, type, nullable, identity: identity && isAlone, isJson, isNull, collationRank };
}

/** An ORDER BY item is a position, the name of an output column, or any expression over the sources. */
function orderItemKey(
  { expression, descending }: OrderItem,
  items: readonly Item[],
  translator: ExpressionTranslator,
): string {
  const typed = orderedItem(expression, items) ?? translator.value(expression);
  return `${ordinalFree(orderKey(typed.sql, typed.type))}${descending ? ' DESC' : ''}`;
}

function orderedItem(expression: Expression, items: readonly Item[]): Typed | undefined {
  if (expression.kind === 'number') {
    const position = Number(expression.text);
    const item = items[position - 1];
    if (!item) throw sqlErrorAt(expression.at, 108, expression.text);
    return item.typed;
  }
  if (isConstant(expression)) throw sqlErrorAt(expression.at, 408, 1);
  if (expression.kind === 'variable') throw sqlErrorAt(expression.at, 1008, 1);
  if (expression.kind !== 'column' || expression.parts.length > 1) return undefined;
  const [name = ''] = expression.parts;
  const found = items.filter((item) => sameName(item.name, name));
  if (found.length > 1 && new Set(found.map(({ typed }) => typed.sql)).size > 1)
    throw sqlErrorAt(expression.at, 209, name);
  return found[0]?.typed;
}
