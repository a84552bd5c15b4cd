/** Values of each SQL type on their way through a parameter, a view and a procedure: written, read, and written back as they were read. */

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readCustomData } from '../../shared/custom-data/read.ts';
import { replaceCustomData } from '../../shared/custom-data/replace.ts';
import { anyText, fc, numRuns } from '../support/properties.ts';
import { useDatabases } from '../support/test-databases.ts';

const databases = useDatabases();
const user = { usrPropID: 2, langID: 1033, account: 'alice', name: 'Alice Archer' };

const pad = (value: number, length: number) => String(value).padStart(length, '0');
const json = <T>(values: fc.Arbitrary<T>) => values.map((value) => JSON.stringify(value));
const whole = (min: bigint, max: bigint) => fc.bigInt({ min, max }).map(String);

/** A decimal with all decimals of its type. */
const decimal = (digits: number, scale: number) =>
  fc.bigInt({ min: -(10n ** BigInt(digits)) + 1n, max: 10n ** BigInt(digits) - 1n }).map((unscaled) => {
    const text = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
    const sign = unscaled < 0n ? '-' : '';
    return scale === 0 ? sign + text : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
  });

const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2079-06-05'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const clock = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59))
  .map(([hour, minute, second]) => `${pad(hour, 2)}:${pad(minute, 2)}:${pad(second, 2)}`);
const fraction = (scale: number) =>
  scale === 0 ? fc.constant('') : fc.nat(10 ** scale - 1).map((value) => `.${pad(value, scale)}`);
const time = (scale: number) => fc.tuple(clock, fraction(scale)).map((parts) => parts.join(''));
const moment = (scale: number) => fc.tuple(day, time(scale)).map(([date, at]) => `${date}T${at}`);
const threeHundredths = fc
  .tuple(day, clock, fc.nat(99), fc.constantFrom('0', '3', '7'))
  .map(([date, at, hundredths, last]) => `${date}T${at}.${pad(hundredths, 2)}${last}`);

const base64 = (lengths: fc.IntArrayConstraints) =>
  fc.uint8Array(lengths).map((bytes) => Buffer.from(bytes).toString('base64'));

/** Writes a number of 32 bits in as few digits as read back as the same one. */
function shortestReal(value: number): string {
  for (let digits = 1; ; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text) + 0);
  }
}

/** What the contract names, but `xml` and `image`, which the local server does not have. */
const types: readonly (readonly [type: string, value: fc.Arbitrary<string>])[] = [
  ['bit', json(fc.boolean())],
  ['tinyint', whole(0n, 255n)],
  ['smallint', whole(-32_768n, 32_767n)],
  ['int', whole(-2_147_483_648n, 2_147_483_647n)],
  ['bigint', whole(-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n)],
  ['decimal(15, 2)', decimal(15, 2)],
  ['decimal(38, 20)', decimal(15, 20)],
  ['decimal(15, 0)', decimal(15, 0)],
  ['numeric(38, 38)', decimal(15, 38)],
  ['money', decimal(15, 4)],
  ['smallmoney', decimal(9, 4)],
  ['float', fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => String(value + 0))],
  [
    'real',
    fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => shortestReal(Math.fround(value))),
  ],
  ['nvarchar(40)', json(anyText({ maxLength: 20 }).filter((text) => !text.includes('\0')))],
  ['nvarchar(max)', json(anyText().filter((text) => !text.includes('\0')))],
  ['nchar(3)', json(fc.string({ minLength: 3, maxLength: 3 }))],
  ['varchar(20)', json(fc.string({ maxLength: 20 }))],
  ['varchar(max)', json(fc.string())],
  ['char(3)', json(fc.string({ minLength: 3, maxLength: 3 }))],
  ['date', json(day)],
  ['time(7)', json(time(7))],
  ['time(0)', json(time(0))],
  ['datetime', json(threeHundredths)],
  ['smalldatetime', json(fc.tuple(day, clock).map(([date, at]) => `${date}T${at.slice(0, 5)}:00`))],
  ['datetime2(7)', json(moment(7))],
  ['datetime2(3)', json(moment(3))],
  ['datetimeoffset(4)', json(moment(4).map((text) => `${text}Z`))],
  ['uniqueidentifier', json(fc.uuid().map((text) => text.toUpperCase()))],
  ['varbinary(20)', json(base64({ maxLength: 20 }))],
  ['varbinary(max)', json(base64({}))],
  ['binary(3)', json(base64({ minLength: 3, maxLength: 3 }))],
];

/** A table of one value behind two identifiers: one that a view reads, and one that a procedure reads. */
async function twoSources(type: string) {
  const id = randomUUID().slice(0, 8);
  const propID = 1_000_000_000 + Number.parseInt(randomUUID().slice(0, 7), 16);
  const [view, procedure] = [`v${id}`, `p${id}`];
  const batches = [
    `CREATE TABLE dbo.[table_${id}] (propID int NOT NULL PRIMARY KEY, value ${type} NULL)`,
    `CREATE VIEW dbo.[CustomData_${view}] AS SELECT propID, value FROM dbo.[table_${id}]`,
    `CREATE PROCEDURE dbo.[pCustomData_${procedure}_Get] @propID int, @usrPropID int, @langID int AS
SELECT value FROM dbo.[table_${id}] WHERE propID = @propID`,
    ...[view, procedure].map(
      (
        name,
      ) => `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pvalue ${type} AS
BEGIN
    DELETE FROM dbo.[table_${id}] WHERE propID = @propID;
    INSERT INTO dbo.[table_${id}] (propID, value) VALUES (@propID, @pvalue);
END`,
    ),
    `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${propID}, N'${view}', 'REF'), (${propID}, N'${procedure}', 'REF')`,
  ];
  for (const batch of batches) await databases().customization.query(batch, {}, { repeatable: false });
  return { view, procedure, of: { propID, user } };
}

test.each(types)('%s', async (type, values) => {
  const { view, procedure, of } = await twoSources(type);
  const { customization } = databases();
  const read = async () => String((await readCustomData(customization, of)).content);
  const write = (body: string) => replaceCustomData(customization, of, body, undefined);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 1, arbitrary: fc.constant('null') }, { weight: 9, arbitrary: values }),
      async (value) => {
        const expected = `{"${procedure}":{"value":${value}},"${view}":{"value":${value}}}`;
        await write(`{"${view}":{"value":${value}}}`);
        expect(await read()).toBe(expected);
        await write(await read());
        expect(await read()).toBe(expected);
      },
    ),
    numRuns(5),
  );
});
