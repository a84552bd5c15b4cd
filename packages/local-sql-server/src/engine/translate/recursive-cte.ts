/** Recursive common table expressions. */
import type { Cte, QueryBody } from '../../tsql/ast.ts';
import { contains } from '../../tsql/contains.ts';
import { sqlErrorAt } from '../../tsql/sql-error.ts';
import { typeText } from '../types.ts';
import { hasAggregate } from './aggregates.ts';
import type { Compilation, CteScope, Field, Scope, TranslatedQuery } from './compilation.ts';
import { translateBody } from './queries.ts';
import { openSelect } from './select.ts';
import { columnValue, type OutputColumn } from './typed.ts';

const defaultMaxRecursion = 100;

/** `anchor UNION ALL recursive` as SQLite's WITH RECURSIVE, with a count of the depth for MAXRECURSION (530). */
export function recursiveQuery(compilation: Compilation, scope: CteScope): TranslatedQuery {
  const { cte } = scope;
  const { body, maxRecursion = defaultMaxRecursion } = cte.query;
  if (body.kind !== 'setOperation' || body.operator !== 'UNION ALL') throw sqlErrorAt(cte.at, 252, cte.name);
  const outer: Scope = { sources: [], parent: undefined, ctes: scope.outer };
  const anchor = translateBody(compilation, body.left, outer);
  const alias = compilation.alias();
  const fields = anchor.columns.map(
    (column, index): Field => ({
      name: cte.columns?.[index] ?? column.name,
      typed: { ...columnValue(column, `c${index}`), nullable: true, isNull: false },
    }),
  );
  const uses: string[] = [];
  const inner: Scope = { ...outer, ctes: { ...scope, recursive: { alias, fields, uses } } };
  const step = recursiveStep(
    compilation,
    body.right,
    inner,
    anchor.columns,
    cte,
    () => `recursion_depth(${uses[0]}.depth + 1, ${maxRecursion}) AS depth`,
  );
  if (uses.length > 1) throw sqlErrorAt(cte.at, 253, cte.name);
  const names = anchor.columns.map((_, index) => `c${index}`);
  const header = `${alias}(${[...names, 'depth'].join(', ')})`;
  const sql = `WITH RECURSIVE ${header} AS (SELECT ${[...names, '0'].join(', ')} FROM (${anchor.sql}) UNION ALL ${step}) SELECT ${names.join(', ')} FROM ${alias}`;
  return {
    sql,
    columns: anchor.columns.map((column) => ({ ...column, nullable: true, identity: false })),
    atMostOneRow: false,
  };
}

function isOuter(node: { kind?: string; join?: unknown; outer?: unknown }): boolean {
  if (node.kind === 'apply') return node.outer === true;
  return node.kind === 'join' && ['LEFT', 'RIGHT', 'FULL'].includes(String(node.join));
}

function recursiveStep(
  compilation: Compilation,
  body: QueryBody,
  scope: Scope,
  anchor: readonly OutputColumn[],
  cte: Cte,
  depth: () => string,
): string {
  if (body.kind !== 'select') throw sqlErrorAt(body.at, 253, cte.name);
  if (body.distinct) throw sqlErrorAt(body.at, 460, cte.name);
  if (body.top) throw sqlErrorAt(body.at, 461, cte.name);
  if (body.group.length || body.having || hasAggregate(body.items)) throw sqlErrorAt(body.at, 467, cte.name);
  if (contains(body.from, isOuter)) throw sqlErrorAt(body.at, 462, cte.name);
  const open = openSelect(compilation, body, scope);
  if (open.columns.length !== anchor.length) throw sqlErrorAt(body.at, 205);
  open.columns.forEach((column, index) => {
    const wanted = anchor[index];
    if (wanted && !column.isNull && typeText(wanted.type) !== typeText(column.type))
      throw sqlErrorAt(body.at, 240, cte.columns?.[index] ?? wanted.name, cte.name);
  });
  return open.sql([depth()]);
}
