/** Values there and back. */
import sql from 'mssql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyText, fc, runs } from '../support/properties.ts';
import { ScriptedEngine } from '../support/scripted-engine.ts';
import { clientConfig, startWire, type WireServer } from '../support/wire-server.ts';

let server: WireServer;
let pool: sql.ConnectionPool;

beforeAll(async () => {
  server = await startWire(new ScriptedEngine());
  pool = await new sql.ConnectionPool(clientConfig(server.port)).connect();
});

afterAll(async () => {
  await pool.close();
  await server.stop();
});

/** Characters of code page 1252. */
const western = fc.constantFrom(...'aZ0 \'"\\\n\u00a0éßÿ€Ÿ‰…').map(String);
const text = (maxLength: number) => anyText({ maxLength });
const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
const instant = (min: string, max: string) =>
  fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true });
/** Numbers with as many decimals as a double tells apart. */
const exact = (limit: number, scale: number) =>
  fc.integer({ min: -limit, max: limit }).map((units) => Number((units / 10 ** scale).toFixed(scale)));

/** A type, its values, and how a value looks when it comes back where it looks different. */
const CASES: [
  string,
  sql.ISqlType | (() => sql.ISqlType),
  fc.Arbitrary<unknown>,
  ((value: never) => unknown)?,
][] = [
  ['bit', sql.Bit, fc.boolean()],
  ['tinyint', sql.TinyInt, fc.integer({ min: 0, max: 255 })],
  ['smallint', sql.SmallInt, fc.integer({ min: -32_768, max: 32_767 })],
  ['int', sql.Int, fc.integer()],
  [
    'bigint',
    sql.BigInt,
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    (value: bigint) => value.toString(),
  ],
  ['decimal(9, 4)', sql.Decimal(9, 4), exact(999_999_999, 4)],
  ['decimal(38, 3)', sql.Decimal(38, 3), exact(2 ** 31 - 1, 3)],
  ['numeric(18, 0)', sql.Numeric(18, 0), fc.integer()],
  // tedious cuts a money value after multiplying it, so only fractions that a double holds exactly arrive as they were.
  ['money', sql.Money, fc.integer().map((units) => units / 16)],
  ['smallmoney', sql.SmallMoney, fc.integer({ min: -214_748, max: 214_748 })],
  ['real', sql.Real, fc.float({ noNaN: true, noDefaultInfinity: true }).map(withoutMinusZero)],
  ['float', sql.Float, fc.double({ noNaN: true, noDefaultInfinity: true }).map(withoutMinusZero)],
  ['char(20)', sql.Char(20), fc.string({ unit: western, maxLength: 20 })],
  ['varchar(20)', sql.VarChar(20), fc.string({ unit: western, maxLength: 20 })],
  ['varchar(max)', sql.VarChar(sql.MAX), fc.string({ unit: western, maxLength: 9000 })],
  ['nchar(40)', sql.NChar(40), text(20)],
  ['nvarchar(40)', sql.NVarChar(40), text(20)],
  ['nvarchar(max)', sql.NVarChar(sql.MAX), text(9000)],
  ['text', sql.Text, fc.string({ unit: western, maxLength: 100 })],
  ['ntext', sql.NText, text(100)],
  ['binary', sql.Binary, bytes(20)],
  ['varbinary(20)', sql.VarBinary(20), bytes(20)],
  ['varbinary(max)', sql.VarBinary(sql.MAX), bytes(9000)],
  ['image', sql.Image, bytes(100)],
  ['uniqueidentifier', sql.UniqueIdentifier, fc.uuid(), (value: string) => value.toUpperCase()],
  ['date', sql.Date, instant('0001-01-01', '9999-12-31'), startOfDay],
  ['time(3)', sql.Time(3), instant('1970-01-01T00:00:00.000Z', '1970-01-01T23:59:59.999Z')],
  ['time(7)', sql.Time(7), instant('1970-01-01T00:00:00.000Z', '1970-01-01T23:59:59.999Z')],
  ['datetime2(3)', sql.DateTime2(3), instant('0001-01-01', '9999-12-31T23:59:59.999Z')],
  ['datetime2(7)', sql.DateTime2(7), instant('0001-01-01', '9999-12-31T23:59:59.999Z')],
  ['datetimeoffset(3)', sql.DateTimeOffset(3), instant('0001-01-02', '9999-12-30')],
  ['smalldatetime', sql.SmallDateTime, instant('1900-01-01', '2079-06-06'), startOfMinute],
];

/** tedious sends -0 as 0. */
function withoutMinusZero(value: number): number {
  return value === 0 ? 0 : value;
}

function startOfDay(value: Date): Date {
  return new Date(Math.floor(value.getTime() / 86_400_000) * 86_400_000);
}

function startOfMinute(value: Date): Date {
  return new Date(Math.floor(value.getTime() / 60_000) * 60_000);
}

async function echo(type: sql.ISqlType | (() => sql.ISqlType), value: unknown): Promise<unknown> {
  const { recordset } = await pool.request().input('v', type, value).query('echo');
  return recordset[0].v;
}

describe('any value that mssql sends comes back as it was', () => {
  test.each(CASES)('%s', async (_name, type, values, expected) => {
    expect(await echo(type, null)).toBe(null);
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        expect(await echo(type, value)).toEqual(expected ? expected(value as never) : value);
      }),
      runs(50),
    );
  });

  test('datetime, to its precision of a three-hundredth of a second', async () => {
    const values = instant('1753-01-01', '9999-12-31T23:59:59.990Z');
    expect(await echo(sql.DateTime, null)).toBe(null);
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const back = (await echo(sql.DateTime, value)) as Date;
        expect(Math.abs(back.getTime() - value.getTime())).toBeLessThanOrEqual(2);
        expect(await echo(sql.DateTime, back)).toEqual(back);
      }),
      runs(50),
    );
  });
});
