/** What the records domain relies on from SQL Server: run against the local server, or a real one named by TEST_DB_SERVER. */

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readChanges, start } from '../../functions/records/changes/feed.ts';
import { recordFields } from '../../functions/records/objects/fields.ts';
import { Objects } from '../../functions/records/objects/find.ts';
import { type KindName, objectKinds } from '../../functions/records/objects/kinds.ts';
import { searchObjects } from '../../functions/records/objects/search.ts';
import { ObjectSources } from '../../functions/records/objects/source.ts';
import { createObject, readObject, updateObject } from '../../functions/records/objects/store.ts';
import { listReferenceData, readReferenceData } from '../../functions/records/reference-data/lists.ts';
import { Users } from '../../functions/records/users/users.ts';
import { readConfig } from '../../shared/config.ts';
import { readCustomData } from '../../shared/custom-data/read.ts';
import { replaceCustomData } from '../../shared/custom-data/replace.ts';
import { noteObjectChange } from '../../shared/sql/change-journal.ts';
import type { Database } from '../../shared/sql/database.ts';
import { int, rowsOf } from '../../shared/sql/values.ts';
import { useDatabases } from '../support/test-databases.ts';
import { useFakeClock } from '../support/timers.ts';

const databases = useDatabases();
const alice = { usrPropID: 2, langID: 1033, account: 'alice', name: 'Alice Archer' };
const english = 1033;
const sourceOf = (name: KindName) => new ObjectSources().of(databases().main, objectKinds[name]);

/** A propID that no other test uses. Custom data needs no object. */
function newPropID(): number {
  return 1_000_000_000 + Number.parseInt(randomUUID().slice(0, 7), 16);
}

const customization = (batch: string) => databases().customization.query(batch, {}, { repeatable: false });

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

  test.each([
    ['one for an identifier of 120 characters', 120, 1],
    ['none for a longer one, which with its prefix is no name of a view', 121, 0],
  ])('of reading reference data that do not exist: %s', async (_, length, expected) => {
    const { database, statements } = counted();
    await expect(readReferenceData(database, 'x'.repeat(length), english)).rejects.toMatchObject({
      kind: 'not-found',
      code: 'reference-data-not-found',
    });
    expect(statements).toHaveLength(expected);
  });

  test('of reading reference data: one', async () => {
    const { database, statements } = counted();
    await readReferenceData(database, 'priorities', english);
    expect(statements).toHaveLength(1);
  });
});

const types = readConfig({}).OBJECT_TYPES as Required<ReturnType<typeof readConfig>['OBJECT_TYPES']>;

describe('objects', () => {
  test('are found by their exact identifier', async () => {
    const objects = new Objects(() => types);
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
      { typeID: types.diaries, parentPropID: undefined, usrPropID: 2 },
    );
    const diaryPropID = await new Objects(() => types).propIdOf(
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
        createObject(databases().main, objectKinds.journalizedCase, fields, {
          typeID: types['journalized-cases'],
          parentPropID: diaryPropID,
          usrPropID: 2,
        }),
      ),
    );
    expect(new Set(created.map(({ record }) => record['number']))).toEqual(
      new Set(Array.from({ length: 10 }, (_, index) => `2050/${index + 1}`)),
    );
    expect(created[0]?.record).toMatchObject(fields);
    const listed = await searchObjects(
      databases().main,
      objectKinds.journalizedCase,
      await sourceOf('journalizedCase'),
      {
        where: { 'number[startsWith]': '2050/', 'title[contains]': String(fields.title).slice(1, 3) },
        sort: ['-number'],
        parent: { propID: diaryPropID, id: 'not compared' },
        page: { limit: 3, offset: 8 },
        fields: recordFields(objectKinds.journalizedCase),
        count: false,
      },
    );
    expect(listed.records).toHaveLength(2);
    const { records, total } = await searchObjects(
      databases().main,
      objectKinds.journalizedCase,
      await sourceOf('journalizedCase'),
      {
        where: { bkDate30: '0001-01-01', bkFloat30: 1.7976931348623157e308, 'bkFloat30[from]': 0 },
        sort: ['-createdAt'],
        page: { limit: 3, offset: 8 },
        fields: recordFields(objectKinds.journalizedCase),
        count: true,
      },
    );
    expect([records.length, total]).toEqual([2, 10]);
  });

  test('are changed by one of several writers who read the same state', async () => {
    const { record } = await createObject(
      databases().main,
      objectKinds.diary,
      { title: 'Diary', year: 2050 },
      { typeID: types.diaries, parentPropID: undefined, usrPropID: 2 },
    );
    const propID = await new Objects(() => types).propIdOf(
      databases().main,
      objectKinds.diary,
      String(record['id']),
    );
    const { etag } = await readObject(databases().main, objectKinds.diary, await sourceOf('diary'), {
      propID,
      id: String(record['id']),
    });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, (_, bkInt01) =>
        updateObject(databases().main, objectKinds.diary, { propID, usrPropID: 2 }, { bkInt01 }, [etag]),
      ),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      ...Array(4).fill('rejected'),
    ]);
  });
});

describe('changes', () => {
  test('are each read once, also one that is committed late', async () => {
    const { main } = databases();
    const create = async () => {
      const fields = { title: 'Diary', year: 2050 };
      const of = { typeID: types.diaries, parentPropID: undefined, usrPropID: 2 };
      const { record } = await createObject(main, objectKinds.diary, fields, of);
      return String(record['id']);
    };
    const slow = await create();
    const quick = await create();
    const propIdOf = (id: string) => new Objects(() => types).propIdOf(main, objectKinds.diary, id);
    let { latest } = await readChanges(databases(), start, 1);
    const seen: string[] = [];
    const follow = async () => {
      const page = await readChanges(databases(), latest, 100);
      seen.push(...page.changes.map(({ objectID }) => objectID));
      latest = page.position;
    };
    // The first transaction has its number long before it commits, and the second one begins meanwhile.
    const { main: other } = databases.another();
    await other.query('SELECT 1 AS connected;');
    const ofSlow = { propID: int(await propIdOf(slow)), usrPropID: int(2) };
    const late = `BEGIN TRANSACTION;\n${noteObjectChange}\nWAITFOR DELAY '00:00:00.500';\nCOMMIT TRANSACTION;`;
    const first = other.query(late, ofSlow, { repeatable: false });
    const target = { propID: await propIdOf(quick), usrPropID: 2 };
    const second = updateObject(main, objectKinds.diary, target, { bkInt01: 1 }, undefined);
    let areDone = false;
    const both = Promise.all([first, second]).finally(() => {
      areDone = true;
    });
    while (!areDone) await follow();
    await both;
    await follow();
    expect(seen.toSorted()).toEqual([slow, quick].toSorted());
  });
});

describe('users', () => {
  test('are found by e-mail address, without regard to case', async () => {
    expect(await new Users(() => 'records-service').byEmail(databases().main, 'Alice@Example.org')).toEqual(
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
    expect(await new Users(() => '').byEmail(databases().main, email)).toBeUndefined();
  });

  test('are asked for once in five seconds, and then seen as they have become', async () => {
    const wait = useFakeClock();
    const account = randomUUID();
    const email = `${account}@example.org`;
    const change = (statement: string) => databases().main.query(statement, {}, { repeatable: false });
    await change(`DECLARE @id int;
INSERT INTO dbo.tObjProperties (objectID, moduleID, typeID) VALUES (N'${account}', 1, 1);
SET @id = SCOPE_IDENTITY();
INSERT INTO dbo.tPersons (propID, name, email) VALUES (@id, N'Person', N'${email}');
INSERT INTO dbo.tUserSettings (usrPropID, account, langID) VALUES (@id, N'${account}', 1033);`);
    const users = new Users(() => account);
    const languages = async () => [
      (await users.byEmail(databases().main, email))?.langID,
      await users.service(databases().main).then(
        ({ langID }) => langID,
        ({ code }: { code: string }) => code,
      ),
    ];
    expect(await languages()).toEqual([1033, 1033]);
    await change(`UPDATE dbo.tUserSettings SET langID = 1053 WHERE account = N'${account}'`);
    wait(4_999);
    expect(await languages()).toEqual([1033, 1033]);
    wait(1);
    expect(await languages()).toEqual([1053, 1053]);
    await change(`DELETE FROM dbo.tUserSettings WHERE account = N'${account}'`);
    wait(5_000);
    expect(await languages()).toEqual([undefined, 'service-account-missing']);
  });

  test('of the service is found by its account, without regard to case', async () => {
    expect(await new Users(() => 'Records-SERVICE').service(databases().main)).toMatchObject({
      account: 'records-service',
    });
  });

  test('of the service must exist', async () => {
    await expect(new Users(() => 'nobody').service(databases().main)).rejects.toMatchObject({
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
