/** Reads the custom views and procedures behind REF and REF_RO registrations, all of an object in one round trip. */

import { CodedError, type ErrorOptions } from '../errors.ts';
import type { Database } from '../sql/database.ts';
import { missingRight } from '../sql/database-contract.ts';
import { SqlFailure } from '../sql/failure.ts';
import { rowsToJson } from '../sql/sql-json.ts';
import { endOpenTransaction, quoteName, refuseOpenTransaction } from '../sql/transaction.ts';
import { int, nvarchar, type ResultSet } from '../sql/values.ts';
import { readView, viewRowsToJson, viewVariables } from '../sql/view-rows.ts';
import { addMeasurement } from '../telemetry/trace.ts';
import { type Registration, selectVersion, toVersion } from './registrations.ts';

/** The user in whose name procedures are called. */
export interface ActingUser {
  readonly usrPropID: number;
  readonly langID: number;
}

export type Reference = Extract<Registration, { kind: 'REF' | 'REF_RO' }>;

/** Columns of the result before the results of each source, which may be any number: its index, and the time of the server. */
const marker = ['$source', '$at'] as const;

/** The statement of a marker; one stands behind the last source too. */
function markerOf(index: number): string {
  return `SELECT ${index} AS [${marker[0]}], SYSUTCDATETIME() AS [${marker[1]}];`;
}

export interface SourceValues {
  /** By identifier, as JSON text: REF one object, an array of several or null; REF_RO always an array; or as the registered shape says. */
  readonly values: ReadonlyMap<string, string>;
  /** How often the custom data of the object had been replaced when the last source was read; undefined without sources. */
  readonly version: number | undefined;
}

/** Reads the value of each reference. Throws `custom-data-source-missing` or `-failed`. */
export async function readSources(
  customization: Database,
  references: readonly Reference[],
  { propID, user }: { readonly propID: number; readonly user: ActingUser },
): Promise<SourceValues> {
  for (const reference of references) checkSource(reference);
  if (references.length === 0) return { values: new Map(), version: undefined };
  const { statements, parameters } = sourceStatements(references);
  const results = await customization
    .query(
      ['SET NOCOUNT ON;', refuseOpenTransaction, statements].join('\n'),
      {
        ...parameters,
        propID: int(propID),
        usrPropID: int(user.usrPropID),
        langID: int(user.langID),
      },
      { name: 'read sources', onResults: (results) => measureSources(references, results) },
    )
    .catch((error: unknown) => explainFailure(error, references));
  return toSourceValues(references, results);
}

/** The statements that read sources, with their own parameters. They use `@propID`, `@usrPropID` and `@langID` of their batch. */
export function sourceStatements(references: readonly Reference[]) {
  const views = references.flatMap(({ identifier, source }, index) =>
    source.hasProcedure ? [] : [[`view${index}`, nvarchar(`CustomData_${identifier}`, 128)] as const],
  );
  const reads = references.map(({ identifier, source }, index) => {
    const read = source.hasProcedure
      ? `EXEC dbo.${quoteName(getProcedure(identifier))} @propID = @propID, @usrPropID = @usrPropID, @langID = @langID;`
      : readView({
          view: `@view${index}`,
          filter: { column: 'propID', value: '@propID' },
          filterRequired: true,
        });
    return `${markerOf(index)}\n${read}`;
  });
  return {
    statements: [
      viewVariables,
      ...reads,
      markerOf(reads.length),
      endOpenTransaction,
      `${selectVersion};`,
    ].join('\n'),
    parameters: Object.fromEntries(views),
  };
}

/** Turns the results of `sourceStatements` into values; what stands before the first of them does not count. Throws `custom-data-source-failed`. */
export function toSourceValues(
  references: readonly Reference[],
  results: readonly ResultSet[],
): SourceValues {
  const groups = bySource(results.slice(0, -1));
  const values = references.map(
    (reference, index) => [reference.identifier, sourceValue(reference, groups[index] ?? [])] as const,
  );
  return { values: new Map(values), version: toVersion(results.at(-1)) };
}

function bySource(results: readonly ResultSet[]): ResultSet[][] {
  const groups: ResultSet[][] = [];
  for (const result of results) {
    if (isMarker(result)) groups.push([]);
    else groups.at(-1)?.push(result);
  }
  return groups;
}

function isMarker({ columns }: ResultSet): boolean {
  return columns.length === marker.length && columns.every(({ name }, index) => name === marker[index]);
}

/** Measures each source by the times of the server, which ends with the last marker. */
export function measureSources(references: readonly Reference[], results: readonly ResultSet[]): void {
  const times = results.filter(isMarker).map(({ rows }) => Number(rows[0]?.[1]));
  const end = times.at(-1);
  if (end === undefined) return;
  const groups = bySource(results.slice(0, -1));
  const now = performance.now();
  for (const [index, { identifier, source }] of references.entries()) {
    const [started = end, ended = end] = times.slice(index, index + 2);
    // The columns of a view come before its rows.
    const rows = groups[index]?.[source.hasProcedure ? 0 : 1]?.rows.length ?? 0;
    const procedure = source.hasProcedure ? getProcedure(identifier) : `CustomData_${identifier}`;
    addMeasurement(
      'source',
      identifier,
      { 'app.source.name': procedure, 'db.response.returned_rows': rows },
      { started: now - (end - started), ended: now - (end - ended) },
    );
  }
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

/** Returns the name of the procedure that reads an identifier. */
export function getProcedure(identifier: string): string {
  return `pCustomData_${identifier}_Get`;
}

/** Checks whether a source can be read at all. */
export function isReadable({ source }: Reference): boolean {
  return source.hasProcedure || source.view === 'usable';
}

function checkSource(reference: Reference): void {
  if (isReadable(reference)) return;
  const { identifier, source } = reference;
  if (source.view === 'without-propID')
    throw sourceFailed(
      `Cannot read the custom data "${identifier}": the view CustomData_${identifier} has no column propID.`,
      {
        facts: { identifier },
        hint: 'Give it the column propID, which says to which object a row belongs.',
      },
    );
  throw new CodedError(
    'custom-data-source-missing',
    `Cannot read the custom data "${identifier}": neither the procedure ${getProcedure(identifier)} nor the view CustomData_${identifier} exists.`,
    {
      facts: { identifier },
      hint: 'Create one of them in the customization database, give the user of the service the right to it, or remove the registration.',
    },
  );
}

function explainFailure(error: unknown, references: readonly Reference[]): never {
  if (!(error instanceof SqlFailure)) throw error;
  const { number, procedure } = error;
  const raisedBy = references.find(({ identifier }) => error.isRaisedBy(getProcedure(identifier)));
  const { identifier } = raisedBy ?? (references.length === 1 ? references[0] : undefined) ?? {};
  const subject = identifier === undefined ? 'the custom data' : `the custom data "${identifier}"`;
  const source = procedure === undefined ? 'its source' : `the procedure ${procedure}`;
  const reason = missingRight(error) ?? `${source} failed with SQL error ${number}`;
  throw sourceFailed(`Cannot read ${subject}: ${reason}.`, {
    cause: error,
    ...(references.length === 1 ? {} : { hint: 'Values of other sources can be read by their identifiers.' }),
    facts: { number, ...(identifier === undefined ? {} : { identifier }) },
  });
}

function sourceFailed(message: string, options: ErrorOptions<'custom-data-source-failed'>): CodedError {
  return new CodedError('custom-data-source-failed', message, options);
}
