/** What the records domain relies on from SQL Server: run against the local server, or a real one named by TEST_DB_SERVER. */

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readCustomData } from '../../shared/records/custom-data.ts';
import { objectKinds } from '../../shared/records/object-kinds.ts';
import { createObject, listObjects, readObject, updateObject } from '../../shared/records/object-store.ts';
import { createObjects } from '../../shared/records/objects.ts';
import { listReferenceData, readReferenceData } from '../../shared/records/reference-data.ts';
import { replaceCustomData } from '../../shared/records/replace-custom-data.ts';
import { createUsers } from '../../shared/records/users.ts';
import type { Database } from '../../shared/sql/database.ts';
import { rowsOf } from '../../shared/sql/values.ts';
import { awkwardValues } from '../support/awkward-json.ts';
import { useDatabases } from '../support/test-databases.ts';

const databases = useDatabases();
const alice = { usrPropID: 2, langID: 1033, account: 'alice', name: 'Alice Archer' };
const english = 1033;

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
});

describe('round trips', () => {
  /** The customization database, and how many statements it was given. */
  function counted() {
    const { customization: database } = databases();
    const statements: string[] = [];
    const query: Database['query'] = (sql, parameters, options) => {
      statements.push(sql);
      return database.query(sql, parameters, options);
    };
    return { database: { query }, statements };
  }

  test.each([
    ['one for an object with JSON values only', 403, 1],
    ['two for an object with four sources', 401, 2],
  ])('of reading custom data: %s', async (_, propID, expected) => {
    const { database, statements } = counted();
    await readCustomData(database, { propID, user: alice });
    expect(statements).toHaveLength(expected);
  });

  test.each([
    [
      'two for JSON and REF values',
      '{"a":1,"invoice":{"number":"1","amount":1,"dueDate":null,"paid":true}}',
      undefined,
      2,
    ],
    ['one more to compare read-only values', '{"parcels":[]}', undefined, 3],
    ['one more to compare an entity tag', '{"a":1}', '*', 3],
  ] as const)('of replacing custom data: %s', async (_, body, ifMatch, expected) => {
    const { database, statements } = counted();
    const propID = newPropID();
    await customization(
      `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${propID}, N'invoice', 'REF'), (${propID}, N'parcels', 'REF_RO')`,
    );
    await replaceCustomData(database, { propID, user: alice }, body, ifMatch);
    expect(statements).toHaveLength(expected);
  });

  test('of reading reference data: one', async () => {
    const { database, statements } = counted();
    await readReferenceData(database, 'priorities', english);
    expect(statements).toHaveLength(1);
  });
});

describe('objects', () => {
  test('are found by their exact identifier', async () => {
    const objects = createObjects();
    expect(await objects.propIdOf(databases().main, objectKinds.document, 'document-contract')).toBe(401);
    for (const identifier of ['DOCUMENT-CONTRACT', 'document-contract ', 'nothing'])
      await expect(
        objects.propIdOf(databases().main, objectKinds.document, identifier),
      ).rejects.toMatchObject({ code: 'object-not-found' });
    await expect(
      objects.propIdOf(databases().main, objectKinds.deed, 'document-contract'),
    ).rejects.toMatchObject({ code: 'object-not-found' });
  });

  test('keep every type of bk-field, and give cases of one diary different numbers', async () => {
    const { record: diary } = await createObject(
      databases().main,
      objectKinds.diary,
      { title: 'Diary', year: 2050 },
      undefined,
    );
    const diaryPropID = await createObjects().propIdOf(
      databases().main,
      objectKinds.diary,
      String(diary['id']),
    );
    const fields = {
      title: 'Case',
      bkStr30: 'å',
      bkInt30: -2_147_483_648,
      bkDate30: '0001-01-01',
      bkFloat30: 1.7976931348623157e308,
    };
    const created = await Promise.all(
      Array.from({ length: 10 }, () =>
        createObject(databases().main, objectKinds.journalizedCase, fields, diaryPropID),
      ),
    );
    expect(new Set(created.map(({ record }) => record['number']))).toEqual(
      new Set(Array.from({ length: 10 }, (_, index) => `2050/${index + 1}`)),
    );
    expect(created[0]?.record).toMatchObject(fields);
    const listed = await listObjects(databases().main, objectKinds.journalizedCase, {
      parentPropID: diaryPropID,
      where: { bkDate30: '0001-01-01', bkFloat30: 1.7976931348623157e308 },
      page: { limit: 3, offset: 8 },
    });
    expect(listed).toHaveLength(2);
  });

  test('are changed by one of several writers who read the same state', async () => {
    const { record } = await createObject(
      databases().main,
      objectKinds.diary,
      { title: 'Diary', year: 2050 },
      undefined,
    );
    const propID = await createObjects().propIdOf(databases().main, objectKinds.diary, String(record['id']));
    const { etag } = await readObject(databases().main, objectKinds.diary, propID);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, (_, bkInt01) =>
        updateObject(databases().main, objectKinds.diary, propID, { bkInt01 }, [etag]),
      ),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      ...Array(4).fill('rejected'),
    ]);
  });
});

describe('users', () => {
  test('are found by e-mail address, without regard to case', async () => {
    expect(await createUsers(() => 'records-service').byEmail(databases().main, 'Alice@Example.org')).toEqual(
      alice,
    );
  });

  test('who share an address are refused', async () => {
    const email = `${randomUUID()}@example.org`;
    for (const account of [randomUUID(), randomUUID()])
      await databases().main.query(
        `DECLARE @id int;
INSERT INTO dbo.tObjProperties (objectID, moduleID, typeID) VALUES (N'${account}', 1, 1);
SET @id = SCOPE_IDENTITY();
INSERT INTO dbo.tPersons (propID, name, email) VALUES (@id, N'Twin', N'${email}');
INSERT INTO dbo.tUserSettings (usrPropID, account, langID) VALUES (@id, N'${account}', 1033);`,
        {},
        { repeatable: false },
      );
    expect(await createUsers(() => '').byEmail(databases().main, email)).toBeUndefined();
  });

  test('of the service must exist', async () => {
    await expect(createUsers(() => 'nobody').service(databases().main)).rejects.toMatchObject({
      code: 'service-account-missing',
    });
  });
});

describe('reference data', () => {
  test('of the main database are the views named RefData_', async () => {
    expect(await listReferenceData(databases().main)).toEqual(['countries', 'documentTypes', 'languages']);
  });

  test('come in one language, without langID, with every digit', async () => {
    const name = `RefData_${randomUUID().slice(0, 8)}`;
    await customization(
      `CREATE VIEW dbo.[${name}] AS SELECT 1033 AS langID, CAST(0.10 AS decimal(38, 20)) AS [a ]]b], CAST(1.5 AS money) AS price UNION ALL SELECT 1053, 2, 2`,
    );
    expect(await readReferenceData(databases().customization, name.slice(8), english)).toBe(
      '[{"a ]b":0.10000000000000000000,"price":1.5000}]',
    );
  });

  test('that do not exist are not found, whatever they are called', async () => {
    for (const identifier of ['nothing', "x'; DROP VIEW dbo.RefData_priorities; --", 'a]b', ''])
      await expect(readReferenceData(databases().customization, identifier, english)).rejects.toMatchObject({
        code: 'reference-data-not-found',
      });
    expect(
      rowsOf(
        (await customization("SELECT COUNT(*) AS n FROM sys.views WHERE name = N'RefData_priorities'"))[0],
      ),
    ).toEqual([{ n: 1 }]);
  });
});
