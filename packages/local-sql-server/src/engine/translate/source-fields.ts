/** What the sources of FROM have in common: their fields and names. */
import type { TableSource } from '../../tsql/ast.ts';
import { sqlErrorAt } from '../../tsql/sql-error.ts';
import { type CatalogObject, sameName } from '../catalog.ts';
import type { SqlType } from '../session.ts';
import type { Compilation, Field, Source, TranslatedQuery } from './compilation.ts';
import { columnValue } from './typed.ts';

/** Sources whose rows an outer join may leave out: then all their columns may be NULL. */
export function optional(sources: readonly Source[], isOptional: boolean): readonly Source[] {
  if (!isOptional) return sources;
  const nullable = (field: Field): Field => ({ ...field, typed: { ...field.typed, nullable: true } });
  return sources.map((source) => ({ ...source, fields: source.fields.map(nullable) }));
}

/** JSON has no bytes, and loses digits of floats: both travel as text. */
export function packed(type: string, sql: string): string {
  if (type.includes('binary')) return `iif(${sql} IS NULL, NULL, hex(${sql}))`;
  return type === 'float' || type === 'real' ? `iif(${sql} IS NULL, NULL, printf('%!.17g', ${sql}))` : sql;
}

/** A value of a JSON array in SQLite's form; see `packed`. */
export function unpacked(type: SqlType, sql: string): string {
  if (type.name.includes('binary')) return `unhex(${sql})`;
  return type.name === 'float' || type.name === 'real' ? `CAST(${sql} AS REAL)` : sql;
}

/** The fields of a query in FROM, under its alias. Throws 8155, 8156, 8158, 8159. */
export function fieldsOf(
  query: TranslatedQuery,
  name: string,
  names: readonly string[] | undefined,
  alias: string,
  at: TableSource['at'],
): Field[] {
  if (names && names.length < query.columns.length) throw sqlErrorAt(at, 8158, name);
  if (names && names.length > query.columns.length) throw sqlErrorAt(at, 8159, name);
  const fields = query.columns.map((column, index): Field => {
    const columnName = names?.[index] ?? column.name;
    if (columnName === '') throw sqlErrorAt(at, 8155, index + 1, name);
    const typed = columnValue(column, `${alias}.c${index}`);
    return { name: columnName, typed: { ...typed, isNull: false, identity: column.identity ?? false } };
  });
  const twice = fields.find(
    (field, index) => fields.findIndex((other) => sameName(other.name, field.name)) < index,
  );
  if (twice) throw sqlErrorAt(at, 8156, twice.name, name);
  return fields;
}

/** Throws 1013 for sources with the same name. */
export function checkNames(sources: readonly Source[], { at }: TableSource): void {
  sources.forEach((source, index) => {
    const other = sources
      .slice(0, index)
      .find(
        (earlier) => sameName(earlier.name, source.name) && (earlier.schema ?? '') === (source.schema ?? ''),
      );
    if (other) throw sqlErrorAt(at, 1013, source.name, source.name);
  });
}

/** The views of the server, which each database shows alike. */
export function isServerWide(schema: string, name: string): boolean {
  return /^(databases|sysdatabases)$/i.test(name) && /^(sys|dbo|)$/i.test(schema);
}

/** The same source by another name. */
export function renamed(
  source: TableSource & { kind: 'table' },
  parts: readonly string[],
): TableSource & { kind: 'table' } {
  return { ...source, name: { ...source.name, parts } };
}

/** Throws 308 for a hint with an index that the table does not have. */
export function checkIndexHints(
  { name, hints, at }: TableSource & { kind: 'table' },
  object: CatalogObject | undefined,
): void {
  const keys = object?.kind === 'table' ? object.keys : [];
  for (const hint of hints.filter((text) => text.startsWith('INDEX '))) {
    const index = hint.slice('INDEX '.length);
    if (!keys.some((key) => sameName(key.name, index)))
      throw sqlErrorAt(at, 308, index, name.parts.join('.'));
  }
}

/** Reads with the locks that hints ask for. Throws 1047 for hints that contradict each other. */
export function applyHints(compilation: Compilation, { hints, at }: TableSource & { kind: 'table' }): void {
  if (hints.includes('NOWAIT')) compilation.noWait = true;
  if (
    hints.some((hint) =>
      ['UPDLOCK', 'XLOCK', 'TABLOCKX', 'HOLDLOCK', 'SERIALIZABLE', 'REPEATABLEREAD', 'TABLOCK'].includes(
        hint,
      ),
    )
  )
    compilation.readLock = 'hold';
  else if (hints.includes('READCOMMITTEDLOCK') && compilation.readLock === 'none')
    compilation.readLock = 'wait';
  if (hints.includes('NOLOCK') && hints.includes('UPDLOCK')) throw sqlErrorAt(at, 1047);
}
