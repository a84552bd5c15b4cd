/** One statement through the driver: parameters bound by type, results as plain values. */

import type { IRecordSet, ISqlType, Request } from 'mssql';
import { loadDriver } from './driver.ts';
import type { Parameters, ResultSet, SqlParameter, SqlValue } from './values.ts';

type Driver = typeof import('mssql');

/** Runs a statement and returns one result set per SELECT, in order. */
export async function runStatement(
  request: Request,
  sql: string,
  parameters: Parameters,
): Promise<ResultSet[]> {
  const driver = await loadDriver();
  for (const [name, parameter] of Object.entries(parameters)) {
    request.input(name, driverType(driver, parameter), driverValue(parameter));
  }
  const { recordsets } = await request.query(sql);
  return toResultSets(driver, recordsets);
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

/** In array row mode the driver lists the columns in order; its types describe the object rows of the other mode. */
function toResultSet(driver: Driver, recordset: IRecordSet<SqlValue[]>): ResultSet {
  const columns = recordset.columns as unknown as readonly DriverColumn[];
  return {
    columns: columns.map(({ name, type, scale }) => ({
      name,
      type: typeName(driver, type),
      scale: scale ?? 0,
    })),
    rows: [...recordset],
  };
}

let names: Map<unknown, string> | undefined;

function typeName(driver: Driver, type: unknown): string {
  names ??= new Map(Object.entries(driver.TYPES).map(([name, factory]) => [factory, name.toLowerCase()]));
  return names.get(type) ?? 'unknown';
}
