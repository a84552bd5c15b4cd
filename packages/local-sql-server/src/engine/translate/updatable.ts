/** Views, CTEs and derived tables as targets of UPDATE and DELETE: their rows keep the rows of the base table behind them. */
import type { Query } from '../../tsql/ast.ts';
import { type Position, sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import { sameName } from '../catalog.ts';
import { hasAggregate } from './aggregates.ts';
import type { BaseRows, Compilation, Scope, Source, UpdatableQuery, UpdatableTarget } from './compilation.ts';
import { completeQuery, scopeWithCtes } from './queries.ts';
import { openSelect } from './select.ts';

/** Translates the query behind a target. Throws 4403, 4405, 4406, 4426 where a change through it has no one meaning. */
export function updatableQuery(
  compilation: Compilation,
  query: Query,
  parent: Scope,
  { name, names, assigned, node: { at } }: UpdatableTarget,
): UpdatableQuery {
  const { body } = query;
  if (body.kind !== 'select') throw sqlErrorAt(at, 4426, name);
  if (body.distinct || body.group.length || body.having || hasAggregate(body.items))
    throw sqlErrorAt(at, 4403, name);
  if (body.top?.percent || body.top?.withTies || query.offset)
    throw unsupported('a change through TOP PERCENT, WITH TIES or OFFSET', at);
  const outer = scopeWithCtes(query, parent);
  compilation.changeTarget = body.from && { node: body.from, assigned: undefined };
  const open = openSelect(compilation, body, outer);
  compilation.changeTarget = undefined;
  const places = open.columns.map((column, index) =>
    placeOf(open.sources, open.columnSql(index) ?? column.name),
  );
  const nameAt = (index: number): string => names?.[index] ?? open.columns[index]?.name ?? '';
  const source = baseSource(open.sources, places, nameAt, { name, assigned, at });
  const { base } = source;
  const more = [`${base.row} AS r`, ...base.values.map((sql, index) => `${sql} AS b${index}`)];
  const translated = completeQuery(compilation, open, body, query, outer, more);
  return {
    ...translated,
    baseOf: (alias) => ({
      table: base.table,
      object: base.object,
      row: `${alias}.r`,
      values: base.values.map((_, index) => `${alias}.b${index}`),
      columns: places.flatMap((place, index) =>
        place?.source === source ? [{ name: nameAt(index), column: place.column }] : [],
      ),
    }),
  };
}

interface Place {
  readonly source: Source;
  /** The column of the base table. */
  readonly column: string;
}

type BaseSource = Source & { readonly base: BaseRows };

function hasBase(source: Source): source is BaseSource {
  return source.base !== undefined;
}

/** The column of a base table that a select item is, if it is one as it stands. */
function placeOf(sources: readonly Source[], sql: string): Place | undefined {
  for (const source of sources.filter(hasBase)) {
    const field = source.fields.find(({ typed }) => typed.sql === sql);
    const found = field && source.base.columns.find(({ name }) => sameName(name, field.name));
    if (found) return { source, column: found.column };
  }
  return undefined;
}

/** The source whose rows change: the only one, or that of the columns which UPDATE assigns. */
function baseSource(
  sources: readonly Source[],
  places: readonly (Place | undefined)[],
  nameAt: (index: number) => string,
  { name, assigned, at }: Pick<UpdatableTarget, 'assigned'> & { name: string; at: Position },
): BaseSource {
  const [only] = sources;
  if (only && sources.length === 1 && hasBase(only)) return only;
  const assignedPlaces = (assigned ?? []).map((column) => {
    const index = places.findIndex((_, place) => sameName(nameAt(place), column));
    if (index < 0) throw sqlErrorAt(at, 207, column);
    const place = places[index];
    if (!place) throw sqlErrorAt(at, 4406, name);
    return place.source;
  });
  const [first] = assignedPlaces;
  if (!first || !hasBase(first) || assignedPlaces.some((source) => source !== first))
    throw sqlErrorAt(at, sources.some(hasBase) ? 4405 : 4403, name);
  return first;
}
