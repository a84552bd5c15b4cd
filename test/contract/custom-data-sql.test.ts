/** What custom data relies on from SQL Server: run against the local server, or a real one named by TEST_DB_SERVER. */

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readCustomData } from '../../shared/custom-data/read.ts';
import { replaceCustomData } from '../../shared/custom-data/replace.ts';
import type { Database } from '../../shared/sql/database.ts';
import { useDatabases } from '../support/test-databases.ts';

/** Reads custom data as text. */
const readText = async (...of: Parameters<typeof readCustomData>): Promise<string> =>
  String((await readCustomData(...of)).content);

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
    ['varchar(8000)', JSON.stringify('x'.repeat(8_000))],
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
      expect(await readText(databases().customization, { propID, user: alice })).toBe(
        `{"${identifier}":{"value":${text}}}`,
      );
    }
  });

  test.each([
    ['date', '2027-05-01', '2027-05-01'],
    ['smalldatetime', '2027-05-01', '2027-05-01T00:00:00'],
    ['datetime', '2027-05-01', '2027-05-01T00:00:00.000'],
    ['datetime2(0)', '2027-05-01', '2027-05-01T00:00:00'],
    ['smalldatetime', '2027-05-12T10:30', '2027-05-12T10:30:00'],
  ])('of type %s takes the date %s', async (type, value, expected) => {
    const { identifier, propID } = await typedSource(type);
    const of = { propID, user: alice };
    const body = `{"${identifier}":{"value":"${value}"}}`;
    await replaceCustomData(databases().customization, of, body, undefined);
    expect(await readText(databases().customization, of)).toBe(`{"${identifier}":{"value":"${expected}"}}`);
  });

  test('tells identifiers apart by case and accent', async () => {
    const of = { propID: newPropID(), user: alice };
    await replaceCustomData(databases().customization, of, '{"a":1,"A":2,"å":3,"ß":4,"ss":5}', undefined);
    expect(JSON.parse(await readText(databases().customization, of))).toEqual({
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
    expect(await readText(databases().customization, of)).toBe(`{"${identifier}":null}`);
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
      errors: [{ pointer: `/${identifier}`, detail: 'was rejected by its procedure' }],
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
    ).rejects.toMatchObject({ kind: 'overloaded', code: 'database-busy' });
    const read = async () => await readText(databases().customization, of);
    expect(await read()).toBe(`{"${identifier}":null}`);
    await replaceCustomData(databases().customization, of, '{"json":2}', undefined);
    expect(JSON.parse(await read())).toEqual({ json: 2, [identifier]: null });
  });

  test('never reads the view when there is a procedure, and the error of a source is told without its text', async () => {
    const text = await readText(databases().customization, { propID: 401, user: alice });
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
      facts: { number: 50_001, identifier: 'deadline' },
    });
    expect(String(failure)).not.toContain('secret');
  });

  test('takes procedures that return nothing, no rows, or more than one result', async () => {
    const { identifier, propID } = await typedSource('int');
    const read = async () => await readText(databases().customization, { propID, user: alice });
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
    const text = await readText(databases().customization, { propID, user: alice });
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
    // The first read of the procedure looks like a change of another writer in between.
    await customization(`CREATE PROCEDURE dbo.[pCustomData_${identifier}_Get] @propID int, @usrPropID int, @langID int AS
UPDATE dbo.tCustomData SET customData = N'"after"' WHERE propID = @propID AND customDataIdentifier = N'json';
UPDATE dbo.tCustomDataVersions SET version = 2 WHERE propID = @propID;
SELECT 1 AS value`);
    expect(await readText(databases().customization, of)).toBe(
      `{"json":"after","${identifier}":{"value":1}}`,
    );
  });

  test('is stored without a tag when another writer comes before its sources are read, since the tag would be of both', async () => {
    const { identifier, propID } = await typedSource('int');
    const store = async () => {
      const of = { propID, user: alice };
      const { state } = await replaceCustomData(databases().customization, of, '{"json":1}', undefined);
      return state?.etag;
    };
    expect(await store()).toMatch(/^"/);
    await customization(`CREATE PROCEDURE dbo.[pCustomData_${identifier}_Get] @propID int, @usrPropID int, @langID int AS
UPDATE dbo.tCustomDataVersions SET version = version + 1 WHERE propID = @propID;
SELECT 1 AS value`);
    expect(await store()).toBeUndefined();
  });
});

/** The customization database, with a step before each statement, which may change it. */
function withStep(step: (sql: string) => Promise<string> | string): Database {
  const { customization: database } = databases();
  return { query: async (sql, parameters, options) => database.query(await step(sql), parameters, options) };
}

/** Whether a statement is the one that stores a change. */
const stores = (sql: string) => sql.includes('sp_getapplock');

const register = (propID: number, identifier: string, kind: string) =>
  customization(
    `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${propID}, N'${identifier}', '${kind}')`,
  );

describe('custom data that somebody else is writing', () => {
  /** Takes the lock of an object on a separate connection. Returns the function that releases it. */
  async function lock(propID: number) {
    const { customization: other } = databases.another();
    const resource = `@Resource = N'custom-data:${propID}', @LockOwner = N'Session'`;
    await other.query(`EXEC sp_getapplock ${resource}, @LockMode = N'Exclusive', @LockTimeout = 0`);
    return () => other.query(`EXEC sp_releaseapplock ${resource}`);
  }

  test.each([
    ['without a condition', undefined],
    ['with a condition', '*'],
  ] as const)('are waited for five seconds, %s', async (_, ifMatch) => {
    const of = { propID: newPropID(), user: alice };
    const release = await lock(of.propID);
    const statements: string[] = [];
    const impatient = withStep((sql) => {
      if (stores(sql)) statements.push(sql);
      return sql.replace('@LockTimeout = 5000;', '@LockTimeout = 50;');
    });
    await expect(replaceCustomData(impatient, of, '{"a":1}', ifMatch)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'custom-data-busy',
      message: 'Cannot store custom data: others are writing to the same object.',
      retryAfter: 1,
    });
    expect(statements.map((sql) => sql.includes('@LockTimeout = 5000;'))).toEqual([true]);
    expect(await readText(databases().customization, of)).toBe('{}');
    await release();
    await replaceCustomData(databases().customization, of, '{"a":1}', ifMatch);
    expect(await readText(databases().customization, of)).toBe('{"a":1}');
  });

  test('are stored when the other one is done', async () => {
    const of = { propID: newPropID(), user: alice };
    const release = await lock(of.propID);
    const started = Promise.withResolvers<void>();
    const observed = withStep((sql) => {
      if (stores(sql)) started.resolve();
      return sql;
    });
    const stored = replaceCustomData(observed, of, '{"a":1}', undefined);
    await started.promise;
    await release();
    await stored;
    expect(await readText(databases().customization, of)).toBe('{"a":1}');
  });
});

describe('registrations that change between reading and writing', () => {
  /** Replaces custom data while other registrations come in between, the given number of times. */
  async function replaceAgainst(changes: number, ifMatch?: '*') {
    const of = { propID: newPropID(), user: alice };
    let attempts = 0;
    const changing = withStep(async (sql) => {
      if (!stores(sql)) return sql;
      attempts += 1;
      if (attempts <= changes) await register(of.propID, `r${attempts}`, 'REF_RO');
      return sql;
    });
    const error = await replaceCustomData(changing, of, '{"a":1}', ifMatch).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const [rows] = await customization(
      `SELECT customDataIdentifier FROM dbo.tCustomData WHERE propID = ${of.propID} AND kind = 'JSON'`,
    );
    return { error, attempts, stored: rows?.rows.length };
  }

  test.each([0, 1, 2])('are read again: %i changes', async (changes) => {
    expect(await replaceAgainst(changes)).toEqual({ error: undefined, attempts: changes + 1, stored: 1 });
  });

  test('are given up after three attempts', async () => {
    expect(await replaceAgainst(3)).toEqual({
      error: expect.objectContaining({
        kind: 'unavailable',
        code: 'custom-data-busy',
        message: 'Cannot store custom data: the registrations of the object keep changing.',
        retryAfter: 1,
      }),
      attempts: 3,
      stored: 0,
    });
  });

  test('fail a conditional change at once', async () => {
    expect(await replaceAgainst(1, '*')).toEqual({
      error: expect.objectContaining({ kind: 'precondition-failed', code: 'precondition-failed' }),
      attempts: 1,
      stored: 0,
    });
  });
});

test('custom data that are replaced at each reading are read five times, and given as they were last', async () => {
  const { identifier, propID } = await typedSource('int');
  const of = { propID, user: alice };
  await replaceCustomData(databases().customization, of, '{}', undefined);
  await customization(`CREATE PROCEDURE dbo.[pCustomData_${identifier}_Get] @propID int, @usrPropID int, @langID int AS
UPDATE dbo.tCustomDataVersions SET version = version + 1 WHERE propID = @propID;
SELECT version AS value FROM dbo.tCustomDataVersions WHERE propID = @propID`);
  let statements = 0;
  const counting = withStep((sql) => {
    statements += 1;
    return sql;
  });
  expect(await readText(counting, of)).toBe(`{"${identifier}":{"value":6}}`);
  expect(statements).toBe(10);
});

test('custom data come in the order of their identifiers, and can be stored, in whatever order the server has their rows', async () => {
  const propID = newPropID();
  await customization('ALTER TABLE dbo.tCustomData DROP CONSTRAINT PK_tCustomData');
  try {
    for (const identifier of ['z', 'b', 'a']) {
      await customization(
        `CREATE VIEW dbo.[CustomData_${identifier}${propID}] AS SELECT 0 AS propID, 1 AS value`,
      );
      await register(propID, `${identifier}${propID}`, 'REF_RO');
    }
    const of = { propID, user: alice };
    await replaceCustomData(databases().customization, of, '{"y":1,"c":2}', undefined);
    const names = Object.keys(JSON.parse(await readText(databases().customization, of)) as object);
    expect(names).toEqual(
      ['a', 'b', 'c', 'y', 'z'].map((name) => (/[cy]/.test(name) ? name : name + propID)),
    );
  } finally {
    await customization(
      'ALTER TABLE dbo.tCustomData ADD CONSTRAINT PK_tCustomData PRIMARY KEY (propID, customDataIdentifier)',
    );
  }
});
