/** One statement through the driver: parameters bound by type, results as plain values. */

import type { IRecordSet, ISqlType, Request } from 'mssql';
import { CodedError } from '../errors.ts';
import { isSilence } from './classify-failure.ts';
import { loadDriver } from './driver.ts';
import { StatementTimeout, stepOf } from './slow-statement.ts';
import {
  type Column,
  forJson,
  forXml,
  type Parameters,
  type ResultSet,
  type SqlParameter,
  type SqlValue,
} from './values.ts';

type Driver = typeof import('mssql');

export interface StatementOptions {
  /** Milliseconds until the statement is cancelled. The driver's own limit ends with the first packet of the reply. Default: none. */
  readonly timeoutMs?: number;
  /** Bytes of the results, at most. Default: any number. */
  readonly maxBytes?: number;
  /** The result that decides what has become of a change, and comes behind its commit. */
  readonly outcome?: {
    /** The names of its columns. */
    readonly columns: readonly string[];
    /** Whether it comes in parts, results with these columns: those are the answer where the statement takes too long, too. */
    readonly isInParts?: boolean;
    /** Told of a fault behind it. What was committed stays so: the results up to the outcome are the answer then. */
    readonly onFaultBehind: (error: unknown) => void;
  };
}

interface StreamedResult extends ResultSet {
  readonly rows: SqlValue[][];
}

/**
 * Runs a statement and returns one result set per SELECT, in order; where one is the outcome, those from there on. Throws `reply-too-large`,
 * and cancels the statement, when the results have more than `maxBytes`.
 */
export async function runStatement(
  request: Request,
  sql: string,
  parameters: Parameters,
  { timeoutMs, maxBytes = Number.POSITIVE_INFINITY, outcome }: StatementOptions = {},
): Promise<ResultSet[]> {
  const driver = await loadDriver();
  for (const [name, parameter] of Object.entries(parameters)) {
    request.input(name, driverType(driver, parameter), driverValue(parameter));
  }
  const results: StreamedResult[] = [];
  const errors: Error[] = [];
  let bytes = 0;
  let decided: StreamedResult | undefined;
  // Rows come one by one, so that they are counted before there are too many.
  request.stream = true;
  let step: string | undefined;
  request.on('error', (error: Error) => errors.push(error));
  request.on('info', ({ message }: Error) => {
    step = stepOf(message) ?? step;
  });
  request.on('recordset', (columns: unknown) => {
    let result: StreamedResult = { columns: toColumns(driver, columns), rows: [] };
    if (outcome !== undefined && hasColumns(result, outcome.columns)) {
      // What procedures gave before does not count.
      results.length = 0;
      bytes = 0;
      if (outcome.isInParts === true) result = decided ?? result;
      decided = result;
    }
    results.push(result);
  });
  request.on('row', (row: unknown) => {
    if (bytes > maxBytes) return;
    const values = toRow(row);
    bytes += bytesOf(values);
    results.at(-1)?.rows.push(values);
    if (bytes <= maxBytes) return;
    // A change before its outcome is not stopped for what its procedures give.
    if (outcome !== undefined && decided === undefined) {
      results.length = 0;
      bytes = 0;
      return;
    }
    results.length = 0;
    request.cancel();
  });
  const started = performance.now();
  let isLate = false;
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          isLate = true;
          request.cancel();
        }, timeoutMs);
  try {
    await request.query(sql);
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    const last = errors.pop();
    if (last !== undefined)
      throw Object.assign(last, { precedingErrors: errors, ...(isLate ? { code: 'ETIMEOUT' } : {}) });
  } catch (error) {
    const failure = isTimeout(error)
      ? new StatementTimeout(error, {
          step,
          ranMs: performance.now() - started,
          isChange: outcome !== undefined,
        })
      : error;
    if (outcome === undefined || decided === undefined || decided.rows.length === 0) throw failure;
    if (outcome.isInParts === true && !(failure instanceof StatementTimeout)) throw failure;
    outcome.onFaultBehind(failure);
    return [decided];
  } finally {
    clearTimeout(timer);
  }
  return results;
}

/** Checks whether the server has ended a statement that took too long. */
function isTimeout(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ETIMEOUT' && !isSilence(error);
}

function hasColumns({ columns }: ResultSet, names: readonly string[]): boolean {
  return columns.length === names.length && columns.every(({ name }, index) => name === names[index]);
}

function tooLarge(limit: number): CodedError {
  return new CodedError('reply-too-large', `Cannot answer: the reply is larger than ${limit} bytes.`, {
    facts: { limit },
    hint: 'Ask for less at once, where the operation has pages. Operators: raise BODY_BYTES_IN_FLIGHT, with the memory for it.',
  });
}

/** Bytes of memory that a row and a value take besides their text. */
const overhead = 24;

function bytesOf(row: readonly SqlValue[]): number {
  let bytes = overhead;
  for (const value of row)
    bytes += overhead + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0);
  return bytes;
}

/** Runs a batch as it is, without sp_executesql around it: what it sets lasts for the connection. Returns one result set per SELECT. */
export async function runBatch(request: Request, sql: string): Promise<ResultSet[]> {
  const { recordsets } = await request.batch(sql);
  return toResultSets(await loadDriver(), recordsets);
}

function toResultSets(driver: Driver, recordsets: unknown): ResultSet[] {
  return (recordsets as IRecordSet<SqlValue[]>[]).map((recordset) => toResultSet(driver, recordset));
}

function driverType(driver: Driver, parameter: SqlParameter): ISqlType {
  switch (parameter.type) {
    case 'int':
      return driver.Int();
    case 'float':
      return driver.Float();
    case 'bit':
      return driver.Bit();
    case 'varbinary':
      return driver.VarBinary(driver.MAX);
    case 'nvarchar':
      return driver.NVarChar(parameter.length > 4_000 ? driver.MAX : parameter.length);
  }
}

function driverValue({ type, value }: SqlParameter): unknown {
  if (typeof value === 'function') return value();
  return type === 'varbinary' && value !== null ? Buffer.from(value) : value;
}

interface DriverColumn {
  readonly name: string;
  readonly type: unknown;
  readonly scale?: number;
}

function toResultSet(driver: Driver, recordset: IRecordSet<SqlValue[]>): ResultSet {
  return { columns: toColumns(driver, recordset.columns), rows: [...recordset].map(toRow) };
}

/** In array row mode the driver lists the columns in order; its types describe the object rows of the other mode. */
function toColumns(driver: Driver, columns: unknown): Column[] {
  const all = columns as readonly DriverColumn[];
  return all.map(({ name, type, scale }) => ({
    name,
    type: (all.length === 1 ? documentTypes.get(name) : undefined) ?? typeName(driver, type),
    scale: scale ?? 0,
  }));
}

/** How the server calls the only column of FOR JSON and FOR XML, and the type that it has here. */
const documentTypes: ReadonlyMap<string, string> = new Map([
  ['JSON_F52E2B61-18A1-11d1-B105-00805F49916B', forJson],
  ['XML_F52E2B61-18A1-11d1-B105-00805F49916B', forXml],
]);

/** The driver joins the pieces of such a column to one text, in an object even where rows are arrays. */
function toRow(row: unknown): SqlValue[] {
  return Array.isArray(row) ? row : Object.values(row as Readonly<Record<string, SqlValue>>);
}

let names: Map<unknown, string> | undefined;

function typeName(driver: Driver, type: unknown): string {
  names ??= new Map(Object.entries(driver.TYPES).map(([name, factory]) => [factory, name.toLowerCase()]));
  return names.get(type) ?? 'unknown';
}
