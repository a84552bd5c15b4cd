/** What custom views and procedures have returned, as values of custom data. */

import { rowsToJson } from '../../sql/sql-json.ts';
import type { ResultSet } from '../../sql/values.ts';
import { viewRowsToJson } from '../../sql/view-rows.ts';
import { toVersion } from '../registrations.ts';
import { type Reference, sourceFailed } from './reference.ts';
import { resultsBySource } from './source-results.ts';

/** The values of the sources of an object. */
export interface SourceValues {
  /** By identifier, as JSON text: REF one object, an array of several or null; REF_RO always an array; or as the registered shape says. */
  readonly values: ReadonlyMap<string, string>;
  /** How often the custom data of the object had been replaced when the last source was read; undefined without sources. */
  readonly version: number | undefined;
}

/** Turns the results of `sourceStatements` into values; what stands before the first of them does not count. Throws `custom-data-source-failed`. */
export function toSourceValues(
  references: readonly Reference[],
  results: readonly ResultSet[],
): SourceValues {
  const groups = resultsBySource(results);
  const values = references.map(
    (reference, index) => [reference.identifier, sourceValue(reference, groups[index] ?? [])] as const,
  );
  return { values: new Map(values), version: toVersion(results.at(-1)) };
}

function sourceValue(reference: Reference, results: readonly ResultSet[]): string {
  const { identifier, source } = reference;
  const rows = source.hasProcedure ? procedureRows(identifier, results) : (viewRowsToJson(results) ?? []);
  return isMany(reference, rows.length) ? `[${rows.join(',')}]` : (rows[0] ?? 'null');
}

function isMany({ kind, shape }: Reference, rows: number): boolean {
  if (shape !== undefined) return shape === 'many';
  return kind === 'REF_RO' || rows > 1;
}

/** The first result counts. Two columns of one name would be two properties of one name, of which a client sees one. */
function procedureRows(identifier: string, [first]: readonly ResultSet[]): string[] {
  if (first === undefined) return [];
  const names = first.columns.map(({ name }) => name);
  const repeatedName = names.find((name, index) => names.indexOf(name) !== index);
  if (repeatedName === undefined) return rowsToJson(first);
  throw sourceFailed(
    `Cannot read the custom data "${identifier}": its procedure returns two columns of the name "${repeatedName}".`,
    { facts: { identifier } },
  );
}
