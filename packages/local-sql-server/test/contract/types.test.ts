/** Types through the real client. */
import sql from 'mssql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyText, fc, numRuns } from '../../../../test/support/properties.ts';
import { type ContractServer, openContractServer } from '../support/contract-server.ts';

let server: ContractServer;
let pool: sql.ConnectionPool;

/** A column: its name, its type for mssql, its declaration, values that come back as they are, and how NULL's neighbours look. */
const COLUMNS: [string, sql.ISqlType | (() => sql.ISqlType), string, fc.Arbitrary<unknown>][] = [
  ['aBit', sql.Bit, 'bit', fc.boolean()],
  ['aTinyint', sql.TinyInt, 'tinyint', fc.integer({ min: 0, max: 255 })],
  ['aSmallint', sql.SmallInt, 'smallint', fc.integer({ min: -32_768, max: 32_767 })],
  ['anInt', sql.Int, 'int', fc.integer()],
  ['aBigint', sql.BigInt, 'bigint', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)],
  ['aDecimal', sql.Decimal(15, 4), 'decimal(15, 4)', fc.integer().map((units) => units / 16)],
  ['aMoney', sql.Money, 'money', fc.integer().map((units) => units / 16)],
  ['aReal', sql.Real, 'real', fc.float({ noNaN: true, noDefaultInfinity: true }).map(withoutMinusZero)],
  ['aFloat', sql.Float, 'float', fc.double({ noNaN: true, noDefaultInfinity: true }).map(withoutMinusZero)],
  [
    'aVarchar',
    sql.VarChar(20),
    'varchar(20)',
    fc.string({ unit: fc.constantFrom(...'aZ0\'"é€'), maxLength: 20 }),
  ],
  [
    'aVarcharMax',
    sql.VarChar(sql.MAX),
    'varchar(max)',
    fc.string({ unit: fc.constantFrom('a', '€'), maxLength: 9000 }),
  ],
  ['anNvarchar', sql.NVarChar(40), 'nvarchar(40)', characters(20)],
  ['anNvarcharMax', sql.NVarChar(sql.MAX), 'nvarchar(max)', characters(5000)],
  ['aDate', sql.Date, 'date', instant('0001-01-01', '9999-12-31').map(startOfDay)],
  ['aTime', sql.Time(3), 'time(3)', instant('1970-01-01T00:00:00.000Z', '1970-01-01T23:59:59.999Z')],
  ['aDatetime2', sql.DateTime2(3), 'datetime2(3)', instant('0001-01-01', '9999-12-31T23:59:59.999Z')],
  ['anOffset', sql.DateTimeOffset(3), 'datetimeoffset(3)', instant('0001-01-02', '9999-12-30')],
  ['aDatetime', sql.DateTime, 'datetime', instant('1753-01-01', '9999-12-31').map(startOfSecond)],
  ['aGuid', sql.UniqueIdentifier, 'uniqueidentifier', fc.uuid().map((guid) => guid.toUpperCase())],
  ['aVarbinary', sql.VarBinary(20), 'varbinary(20)', bytes(20)],
  ['aVarbinaryMax', sql.VarBinary(sql.MAX), 'varbinary(max)', bytes(9000)],
];

function withoutMinusZero(value: number): number {
  return value === 0 ? 0 : value;
}

/** Any text of whole characters: a lone surrogate is none. */
function characters(maxLength: number): fc.Arbitrary<string> {
  return anyText({ maxLength });
}

function bytes(maxLength: number): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
}

function instant(min: string, max: string): fc.Arbitrary<Date> {
  return fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true });
}

function startOfDay(value: Date): Date {
  return new Date(Math.floor(value.getTime() / 86_400_000) * 86_400_000);
}

function startOfSecond(value: Date): Date {
  return new Date(Math.floor(value.getTime() / 1000) * 1000);
}

/** Inserts a row and returns it as it is read back. */
async function store(row: Readonly<Record<string, unknown>>): Promise<unknown> {
  const names = COLUMNS.map(([name]) => name);
  const request = pool.request();
  for (const [name, type] of COLUMNS) request.input(name, type, row[name] ?? null);
  const { recordset } = await request.query(`
    DELETE FROM dbo.AllTypes;
    INSERT INTO dbo.AllTypes (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')});
    SELECT ${names.join(', ')} FROM dbo.AllTypes;`);
  return recordset[0];
}

beforeAll(async () => {
  server = await openContractServer();
  pool = await server.connect();
  const columns = COLUMNS.map(([name, , declaration]) => `${name} ${declaration} NULL`);
  await pool.request().batch(`CREATE TABLE dbo.AllTypes (${columns.join(', ')})`);
});

afterAll(() => server.stop());

describe('values of all types', () => {
  test('are stored and read back as they were', async () => {
    const row = fc.record(Object.fromEntries(COLUMNS.map(([name, , , values]) => [name, values])));
    await fc.assert(
      fc.asyncProperty(row, async (given) => {
        expect(await store(given)).toEqual({ ...given });
      }),
      numRuns(60),
    );
  });

  test('may all be NULL', async () => {
    expect(await store({})).toEqual(Object.fromEntries(COLUMNS.map(([name]) => [name, null])));
  });

  test('are described by their columns', async () => {
    const { recordset } = await pool
      .request()
      .query('SELECT anInt, aDecimal, anNvarchar, aVarbinaryMax FROM dbo.AllTypes');
    const { anInt, aDecimal, anNvarchar, aVarbinaryMax } = recordset.columns;
    expect([anInt?.type, aDecimal?.type, anNvarchar?.type, aVarbinaryMax?.type]).toEqual([
      sql.Int,
      sql.Decimal,
      sql.NVarChar,
      sql.VarBinary,
    ]);
    expect({ ...aDecimal }).toMatchObject({ precision: 15, scale: 4, nullable: true });
    // mssql gives the length in bytes.
    expect(anNvarchar?.length).toBe(80);
  });
});
