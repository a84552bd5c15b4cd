/** What custom data relies on from SQL Server: run against the local server, or a real one named by TEST_DB_SERVER. */

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readCustomData } from '../../shared/records/custom-data/read.ts';
import { replaceCustomData } from '../../shared/records/custom-data/replace.ts';
import { awkwardValues } from '../support/awkward-json.ts';
import { useDatabases } from '../support/test-databases.ts';

const databases = useDatabases();
const alice = { usrPropID: 2, langID: 1033, account: 'alice', name: 'Alice Archer' };

/** A propID that no other test uses. Custom data needs no object. */
function newPropID(): number {
  return 1_000_000_000 + Number.parseInt(randomUUID().slice(0, 7), 16);
}

const customization = (batch: string) => databases().customization.query(batch, {}, { repeatable: false });

/** A table with one column of a type behind an identifier, readable and writable through procedures and a view. */
async function typedSource(type: string): Promise<{ identifier: string; propID: number }> {
  const identifier = `t${randomUUID().slice(0, 8)}`;
  const propID = newPropID();
  await customization(
    `CREATE TABLE dbo.[table_${identifier}] (propID int NOT NULL PRIMARY KEY, value ${type} NULL)`,
  );
  await customization(`CREATE PROCEDURE dbo.[pCustomData_${identifier}_Set] @propID int, @usrPropID int, @pvalue ${type} AS
BEGIN
    SET NOCOUNT ON;
    DELETE FROM dbo.[table_${identifier}] WHERE propID = @propID;
    INSERT INTO dbo.[table_${identifier}] (propID, value) VALUES (@propID, @pvalue);
END`);
  await customization(
    `CREATE VIEW dbo.[CustomData_${identifier}] AS SELECT propID, value FROM dbo.[table_${identifier}]`,
  );
  await customization(
    `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${propID}, N'${identifier}', 'REF')`,
  );
  return { identifier, propID };
}

describe('custom data', () => {
  test.each([
    ['bit', 'true'],
    ['tinyint', '255'],
    ['smallint', '-32768'],
    ['int', '2147483647'],
    ['bigint', '9223372036854775807'],
    ['decimal(5, 2)', '-1.50'],
    ['decimal(38, 10)', '1234567890123456789012345678.0123456789'],
    ['numeric(20, 0)', '12345678901234567890'],
    ['money', '922337203685477.5807'],
    ['float', '1.7976931348623157e+308'],
    ['real', '0.1'],
    ['real', '3.4028235e+38'],
    ['nvarchar(10)', '"å😀"'],
    ['nvarchar(max)', JSON.stringify('x'.repeat(10_000))],
    ['varchar(10)', '"abc"'],
    ['date', '"2026-02-28"'],
    ['time(7)', '"23:59:59.1234567"'],
    ['datetime2(7)', '"2026-02-28T23:59:59.1234567"'],
    ['datetime2(0)', '"2026-02-28T23:59:59"'],
    ['datetime', '"2026-02-28T23:59:59.123"'],
    ['datetimeoffset(3)', '"2026-02-28T22:59:59.123Z"'],
    ['uniqueidentifier', '"6F9619FF-8B86-D011-B42D-00C04FC964FF"'],
    ['varbinary(max)', '"AAEC"'],
  ])('of type %s goes through a procedure and comes back through a view', async (type, value) => {
    const { identifier, propID } = await typedSource(type);
    for (const text of [value, 'null']) {
      await replaceCustomData(
        databases().customization,
        { propID, user: alice },
        `{"${identifier}":{"value":${text}}}`,
        undefined,
      );
      expect((await readCustomData(databases().customization, { propID, user: alice })).text).toBe(
        `{"${identifier}":{"value":${text}}}`,
      );
    }
  });

  test('keeps awkward JSON as it was written', async () => {
    const of = { propID: newPropID(), user: alice };
    const members = Object.entries(awkwardValues).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
    await replaceCustomData(databases().customization, of, `{${members.join(',')}}`, undefined);
    const { text } = await readCustomData(databases().customization, of);
    for (const member of members) expect(text).toContain(member);
  });

  test('tells identifiers apart by case and accent', async () => {
    const of = { propID: newPropID(), user: alice };
    await replaceCustomData(databases().customization, of, '{"a":1,"A":2,"å":3,"ß":4,"ss":5}', undefined);
    expect(JSON.parse((await readCustomData(databases().customization, of)).text)).toEqual({
      a: 1,
      A: 2,
      å: 3,
      ß: 4,
      ss: 5,
    });
  });

  test.each([
    ['THROW', "THROW 50001, N'no', 1"],
    ['RAISERROR, after which a batch would go on', "RAISERROR(N'no', 16, 1)"],
  ])('is rolled back as a whole when a procedure refuses with %s', async (_, refusal) => {
    const { identifier, propID } = await typedSource('int');
    await customization(`ALTER PROCEDURE dbo.[pCustomData_${identifier}_Set] @propID int, @usrPropID int, @pvalue int AS
BEGIN
    INSERT INTO dbo.[table_${identifier}] (propID, value) VALUES (@propID, @pvalue);
    ${refusal};
END`);
    const of = { propID, user: alice };
    await expect(
      replaceCustomData(databases().customization, of, `{"json":1,"${identifier}":{"value":1}}`, undefined),
    ).rejects.toMatchObject({
      kind: 'unprocessable',
      code: 'custom-data-refused',
      message: 'Cannot store custom data: no',
    });
    expect((await readCustomData(databases().customization, of)).text).toBe(`{"${identifier}":null}`);
  });

  test('names the identifier when a procedure refuses that its procedure calls', async () => {
    const { identifier, propID } = await typedSource('int');
    await customization(`CREATE PROCEDURE dbo.[check_${identifier}] AS THROW 50001, N'no', 1`);
    await customization(`ALTER PROCEDURE dbo.[pCustomData_${identifier}_Set] @propID int, @usrPropID int, @pvalue int AS
EXEC dbo.[check_${identifier}]`);
    await expect(
      replaceCustomData(
        databases().customization,
        { propID, user: alice },
        `{"${identifier}":{"value":1}}`,
        undefined,
      ),
    ).rejects.toMatchObject({
      code: 'custom-data-refused',
      errors: [{ pointer: `/${identifier}`, detail: 'was refused by its procedure' }],
    });
  });

  test('is rolled back, and its lock given back, when a procedure takes too long', async () => {
    const { identifier, propID } = await typedSource('int');
    await customization(`ALTER PROCEDURE dbo.[pCustomData_${identifier}_Set] @propID int, @usrPropID int, @pvalue int AS
BEGIN
    INSERT INTO dbo.[table_${identifier}] (propID, value) VALUES (@propID, @pvalue);
    DECLARE @i bigint = 0;
    WHILE @i < 1000000000000 SET @i = @i + 1;
END`);
    const of = { propID, user: alice };
    const { customization: impatient } = databases(3_000);
    await expect(
      replaceCustomData(impatient, of, `{"json":1,"${identifier}":{"value":1}}`, undefined),
    ).rejects.toMatchObject({ kind: 'unavailable', code: 'outcome-unknown' });
    const read = async () => (await readCustomData(databases().customization, of)).text;
    expect(await read()).toBe(`{"${identifier}":null}`);
    await replaceCustomData(databases().customization, of, '{"json":2}', undefined);
    expect(JSON.parse(await read())).toEqual({ json: 2, [identifier]: null });
  });

  test('is stored as a whole by each of 50 writers at once', async () => {
    const of = { propID: newPropID(), user: alice };
    const bodies = Array.from({ length: 50 }, (_, writer) =>
      JSON.stringify({ a: writer, b: writer, [`c${writer % 3}`]: writer }),
    );
    await Promise.all(
      bodies.map((body) => replaceCustomData(databases().customization, of, body, undefined)),
    );
    expect(bodies).toContain((await readCustomData(databases().customization, of)).text);
  });

  test('never reads the view when there is a procedure, and the error of a source is told without its text', async () => {
    const text = (await readCustomData(databases().customization, { propID: 401, user: alice })).text;
    expect(text).toContain('"deadline":[{"deadline":"2026-12-31","readBy":2,"langID":1033}]');
    await customization(
      "ALTER PROCEDURE dbo.pCustomData_deadline_Get @propID int, @usrPropID int, @langID int AS THROW 50001, N'secret', 1",
    );
    const failure = await readCustomData(databases().customization, { propID: 401, user: alice }).catch(
      (error: unknown) => error,
    );
    await customization(`ALTER PROCEDURE dbo.pCustomData_deadline_Get @propID int, @usrPropID int, @langID int AS
SELECT CAST('2026-12-31' AS date) AS deadline, @usrPropID AS readBy, @langID AS langID`);
    expect(failure).toMatchObject({
      kind: 'misconfigured',
      code: 'custom-data-source-failed',
      message: expect.stringContaining('pCustomData_deadline_Get'),
    });
    expect(String(failure)).not.toContain('secret');
  });

  test('takes procedures that return nothing, no rows, or more than one result', async () => {
    const { identifier, propID } = await typedSource('int');
    const read = async () => (await readCustomData(databases().customization, { propID, user: alice })).text;
    const define = (body: string) =>
      customization(
        `CREATE OR ALTER PROCEDURE dbo.[pCustomData_${identifier}_Get] @propID int, @usrPropID int, @langID int AS ${body}`,
      );
    await define('SET NOCOUNT ON');
    expect(await read()).toBe(`{"${identifier}":null}`);
    await define('SELECT 1 AS a WHERE 1 = 0');
    expect(await read()).toBe(`{"${identifier}":null}`);
    await define('SELECT 1 AS a; SELECT 2 AS b');
    expect(await read()).toBe(`{"${identifier}":{"a":1}}`);
    await define('SELECT 1 AS a UNION ALL SELECT 2');
    expect(await read()).toBe(`{"${identifier}":[{"a":1},{"a":2}]}`);
  });

  test('is not read when the procedure returns two columns of one name, of which a client would see one', async () => {
    const { identifier, propID } = await typedSource('int');
    await customization(
      `CREATE PROCEDURE dbo.[pCustomData_${identifier}_Get] @propID int, @usrPropID int, @langID int AS SELECT 1 AS a, 2 AS a`,
    );
    await expect(readCustomData(databases().customization, { propID, user: alice })).rejects.toMatchObject({
      kind: 'misconfigured',
      code: 'custom-data-source-failed',
      message: `Cannot read the custom data "${identifier}": its procedure returns two columns of the name "a".`,
    });
  });

  test.each([
    ['says nothing', 'SELECT 1 AS a'],
    ['fails', "RAISERROR(N'no', 16, 1)"],
  ])('leaves no transaction open on the connection when a procedure begins one and %s', async (_, body) => {
    const { identifier, propID } = await typedSource('int');
    await customization(
      `CREATE PROCEDURE dbo.[pCustomData_${identifier}_Get] @propID int, @usrPropID int, @langID int AS BEGIN TRANSACTION; ${body}`,
    );
    await expect(readCustomData(databases().customization, { propID, user: alice })).rejects.toMatchObject({
      code: 'custom-data-source-failed',
      facts: { identifier },
    });
    const [open] = await customization('SELECT @@TRANCOUNT AS count');
    expect(open?.rows).toEqual([[0]]);
  });

  test('is stored for good on a connection on which a transaction is still open', async () => {
    // A server may say that the statement leaves it open; that is the point.
    await Promise.allSettled([customization('BEGIN TRANSACTION')]);
    const of = { propID: newPropID(), user: alice };
    await replaceCustomData(databases().customization, of, '{"kept":true}', undefined);
    const [open] = await customization('SELECT @@TRANCOUNT AS count');
    expect(open?.rows).toEqual([[0]]);
  });

  test('is read on a connection on which a transaction is still open', async () => {
    const { identifier, propID } = await typedSource('int');
    await Promise.allSettled([customization('BEGIN TRANSACTION')]);
    const { text } = await readCustomData(databases().customization, { propID, user: alice });
    expect(text).toBe(`{"${identifier}":null}`);
  });

  test('names the identifier when its source fails, also where the server names no procedure', async () => {
    const { identifier, propID } = await typedSource('int');
    const failure = () =>
      readCustomData(databases().customization, { propID, user: alice }).catch((error: unknown) => error);
    await customization(
      `ALTER VIEW dbo.[CustomData_${identifier}] AS SELECT ${propID} AS propID, 1 / 0 AS value`,
    );
    expect(await failure()).toMatchObject({
      message: `Cannot read the custom data "${identifier}": its source failed with SQL error 8134.`,
    });
    await customization(`CREATE PROCEDURE dbo.[pCustomData_${identifier}_Get] @propID int AS SELECT 1 AS a`);
    expect(await failure()).toMatchObject({
      message: `Cannot read the custom data "${identifier}": the procedure pCustomData_${identifier}_Get failed with SQL error 8145.`,
    });
  });

  test('does not take an identifier that differs from a registration in trailing spaces, which the server ignores', async () => {
    const { identifier, propID } = await typedSource('int');
    await expect(
      replaceCustomData(
        databases().customization,
        { propID, user: alice },
        `{"${identifier} ":1}`,
        undefined,
      ),
    ).rejects.toMatchObject({
      kind: 'invalid',
      code: 'invalid-body',
      errors: [{ pointer: `/${identifier} `, detail: 'differs from a registration in trailing spaces' }],
    });
  });

  test('is read again when it was replaced between its rows and its sources', async () => {
    const { identifier, propID } = await typedSource('int');
    const of = { propID, user: alice };
    await replaceCustomData(databases().customization, of, '{"json":"before"}', undefined);
    // The first read of the procedure is what somebody else's change looks like who comes in between.
    await customization(`CREATE PROCEDURE dbo.[pCustomData_${identifier}_Get] @propID int, @usrPropID int, @langID int AS
UPDATE dbo.tCustomData SET customData = N'"after"' WHERE propID = @propID AND customDataIdentifier = N'json';
UPDATE dbo.tCustomDataVersions SET version = 2 WHERE propID = @propID;
SELECT 1 AS value`);
    expect((await readCustomData(databases().customization, of)).text).toBe(
      `{"json":"after","${identifier}":{"value":1}}`,
    );
  });
});
