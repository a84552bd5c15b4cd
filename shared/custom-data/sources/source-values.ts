/** What custom views and procedures have returned, as values of custom data. */

import { createTurns, type Turns } from '../../limits/turns.ts';
import { rowsToJson } from '../../sql/sql-json.ts';
import { documentOf, forXml, type ResultSet } from '../../sql/values.ts';
import { viewRows } from '../../sql/view-rows.ts';
import { isJson, jsonElements } from '../members.ts';
import { toVersion } from '../registrations.ts';
import { type Reference, sourceFailed } from './reference.ts';
import { resultsBySource } from './source-results.ts';

/** The values of the sources of an object. */
export interface SourceValues {
  /** By identifier, as JSON text: REF one object, an array of several or null; REF_RO always an array; or as the registered shape says. */
  readonly values: ReadonlyMap<string, string>;
  /** By identifier, the columns that the source has given; none where it gives JSON itself. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
  /** By identifier, the columns of texts among them, whose values are the same where they are equal. */
  readonly texts: ReadonlyMap<string, ReadonlySet<string>>;
  /** How often the custom data of the object had been replaced when the last source was read; undefined without sources. */
  readonly version: number | undefined;
}

/** Turns the results of `sourceStatements` into values; what stands before the first of them does not count. Throws `custom-data-source-failed`. */
export async function toSourceValues(
  references: readonly Reference[],
  results: readonly ResultSet[],
): Promise<SourceValues> {
  const groups = resultsBySource(results);
  const turns = createTurns();
  const read = [];
  for (const [index, reference] of references.entries()) {
    const result = resultOf(reference, groups[index] ?? []);
    const { identifier } = reference;
    const value = await resultValue(reference, result, turns);
    read.push({ identifier, value, columns: columnNames(result), texts: textColumns(result) });
  }
  return {
    values: new Map(read.map(({ identifier, value }) => [identifier, value])),
    columns: new Map(read.map(({ identifier, columns }) => [identifier, columns])),
    texts: new Map(read.map(({ identifier, texts }) => [identifier, texts])),
    version: toVersion(results.at(-1)),
  };
}

/** Returns the result that counts of those of a source: the first of a procedure. */
export function resultOf({ source }: Reference, results: readonly ResultSet[]): ResultSet | undefined {
  return source.hasProcedure ? results[0] : viewRows(results);
}

/** Returns the names of the columns of a result; none of FOR JSON. */
export function columnNames(result: ResultSet | undefined): readonly string[] {
  return result === undefined || documentOf(result) !== undefined
    ? []
    : result.columns.map(({ name }) => name);
}

const textTypes = new Set(['char', 'varchar', 'nchar', 'nvarchar', 'text', 'ntext', 'xml']);

/** Returns the names of the columns of texts of a result; none of FOR JSON. */
export function textColumns(result: ResultSet | undefined): ReadonlySet<string> {
  const columns = result === undefined || documentOf(result) !== undefined ? [] : result.columns;
  return new Set(columns.flatMap(({ name, type }) => (textTypes.has(type) ? [name] : [])));
}

/** Returns the value that a result is, as JSON text. Throws `custom-data-source-failed`. */
export async function resultValue(
  reference: Reference,
  result: ResultSet | undefined,
  turns: Turns,
): Promise<string> {
  const document = result && documentOf(result);
  if (document !== undefined) return documentValue(reference, document);
  const rows = result === undefined ? [] : await rowTexts(reference.identifier, result, turns);
  return isMany(reference, rows.length) ? `[${rows.join(',')}]` : (rows[0] ?? 'null');
}

/** What FOR JSON gives is the value as it is; only a registered shape changes it. */
function documentValue(
  reference: Reference,
  { type, text }: { readonly type: string; readonly text: string },
): string {
  const { identifier, shape } = reference;
  if (type === forXml)
    throw sourceFailed(`Cannot read the custom data "${identifier}": its source returns XML (FOR XML).`, {
      facts: { identifier },
      hint: 'Let it return columns, or FOR JSON.',
    });
  if (text === '') return isMany(reference, 0) ? '[]' : 'null';
  if (!isJson(text))
    throw sourceFailed(`Cannot read the custom data "${identifier}": what its source returns is not JSON.`, {
      facts: { identifier },
      hint: 'With WITHOUT_ARRAY_WRAPPER, FOR JSON gives JSON only for one row.',
    });
  const value = text.trim();
  const isArray = value.startsWith('[');
  if (shape === 'many') return isArray ? value : value === 'null' ? '[]' : `[${value}]`;
  if (shape === 'one' && isArray) return jsonElements(value)[0] ?? 'null';
  return value;
}

function isMany({ kind, shape }: Reference, rows: number): boolean {
  if (shape !== undefined) return shape === 'many';
  return kind === 'REF_RO' || rows > 1;
}

/** The rows as JSON texts. Two columns of one name would be two properties of one name, of which a client sees one. */
function rowTexts(identifier: string, result: ResultSet, turns: Turns): Promise<string[]> {
  const names = result.columns.map(({ name }) => name);
  const repeatedName = names.find((name, index) => names.indexOf(name) !== index);
  if (repeatedName === undefined) return rowsToJson(result, turns);
  throw sourceFailed(
    `Cannot read the custom data "${identifier}": its procedure returns two columns of the name "${repeatedName}".`,
    { facts: { identifier } },
  );
}
