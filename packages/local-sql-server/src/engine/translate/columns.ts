/** Columns and the sources they come from. */
import { type Position, sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import { sameName, type TableColumn } from '../catalog.ts';
import { isMissingColumn } from '../system-views/missing.ts';
import type { Field, Scope, Source } from './compilation.ts';
import type { Typed } from './typed.ts';

type SourceColumn = Pick<TableColumn, 'name' | 'type' | 'nullable'> & Partial<TableColumn>;

/** A table as a source whose columns are read as `sql` says. */
export function tableSource(
  table: {
    readonly name: string;
    readonly columns: readonly SourceColumn[];
    readonly schema?: string | undefined;
  },
  sql: (column: SourceColumn, index: number) => string,
): Source {
  const fields = table.columns.map(
    (column, index): Field => ({
      name: column.name,
      typed: {
        sql: sql(column, index),
        type: column.type,
        nullable: column.nullable,
        collationRank: 1,
        identity: column.identity !== undefined,
      },
    }),
  );
  return { name: table.name, schema: table.schema, fields, alias: '' };
}

/**
 * The meaning of a column name: a column of the nearest scope that has it. Throws 207 or 4104 for an unknown one, 209 for an ambiguous
 * one, 8120 (8121, 8127) when grouping forbids it.
 */
export function columnReference(scope: Scope, parts: readonly string[], at: Position): Typed {
  for (let level: Scope | undefined = scope; level; level = level.parent) {
    const found = findIn(level, parts);
    if (found.length > 1) throw sqlErrorAt(at, 209, parts.join('.'));
    const [match] = found;
    if (match) return checkGrouping(level, match, at);
  }
  const source = parts.length > 1 ? sourceNamed(scope, parts.slice(0, -1)) : partialSource(scope);
  if (source?.isPartial && isMissingColumn(parts.at(-1) ?? ''))
    throw unsupported(`${source.name}.${parts.at(-1)}`, at);
  if (parts.length === 1) throw sqlErrorAt(at, 207, parts[0] ?? '');
  throw source ? sqlErrorAt(at, 207, parts.at(-1) ?? '') : sqlErrorAt(at, 4104, parts.join('.'));
}

interface Match {
  readonly field: Field;
  readonly source: Source;
}

function findIn(scope: Scope, parts: readonly string[]): Match[] {
  const name = parts.at(-1) ?? '';
  const sources =
    parts.length > 1 ? scope.sources.filter((source) => isNamed(source, parts.slice(0, -1))) : scope.sources;
  return sources.flatMap((source) =>
    source.fields.filter((field) => sameName(field.name, name)).map((field) => ({ field, source })),
  );
}

export function isNamed(source: Source, qualifier: readonly string[]): boolean {
  const schema = qualifier.at(-2);
  if (!sameName(source.name, qualifier.at(-1) ?? '')) return false;
  return (
    schema === undefined || schema === '' || (source.schema !== undefined && sameName(source.schema, schema))
  );
}

function sourceNamed(scope: Scope, qualifier: readonly string[]): Source | undefined {
  for (let level: Scope | undefined = scope; level; level = level.parent) {
    const found = level.sources.find((source) => isNamed(source, qualifier));
    if (found) return found;
  }
  return undefined;
}

/** A view of the catalog that may lack the column of a name. */
function partialSource(scope: Scope | undefined): Source | undefined {
  return scope && (scope.sources.find(({ isPartial }) => isPartial) ?? partialSource(scope.parent));
}

const messages = { select: 8120, HAVING: 8121, 'ORDER BY': 8127 } as const;

function checkGrouping({ grouping }: Scope, { field, source }: Match, at: Position): Typed {
  const { typed } = field;
  if (grouping && !grouping.keys.has(typed.sql))
    throw sqlErrorAt(
      at,
      messages[grouping.clause],
      [source.schema, source.name, field.name].filter(Boolean).join('.'),
    );
  return { ...typed, name: field.name };
}
