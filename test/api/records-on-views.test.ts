/** The metadata of objects on the databases of an existing product: read from views of the customer over tables of other types, names and collations. */

import { beforeAll, describe, expect, test } from 'vitest';
import { recordsDependency } from '../../functions/records/endpoints/health.ts';
import { createRecordsService } from '../../functions/records/endpoints/records-api.ts';
import { databaseScripts, migrateDatabases } from '../../scripts/migrate/migrate.ts';
import { readConfig } from '../../shared/config.ts';
import { healthOf } from '../../shared/http/health.ts';
import { useApp } from '../support/app.ts';
import { appLogin, databasesOf } from '../support/database-settings.ts';
import { createEmptyDatabases, grantAppRights } from '../support/databases-of-test.ts';
import { executeSql } from '../support/execute-sql.ts';
import {
  createObjectViews,
  createProduct,
  productSettings,
  viewSettings,
} from '../support/existing-product.ts';
import { recordsAs, typeNumber } from '../support/records.ts';
import { settingsOfLocalDatabases } from '../support/shared-emulators.ts';

const settings = { ...settingsOfLocalDatabases(), ...productSettings, ...viewSettings };
const app = useApp({ settings, prepareDatabases: false });
const alice = recordsAs(app, 'alice@example.org');
const main = (batch: string) => executeSql(settings, 'main', batch);

beforeAll(async () => {
  await createEmptyDatabases(settings, 'Danish_Norwegian_CI_AS');
  await createProduct(settings);
  await createObjectViews(settings);
  const options = { folders: [databaseScripts], mode: 'adopt', create: false, say: () => {} } as const;
  await migrateDatabases(settings, options);
});

const cases = '/v8.0/journalized-cases';
const idsOf = async (path: string) =>
  ((await alice('GET', path)).json as { id: string }[]).map(({ id }) => id);

test('health is ready', async () => {
  const health = async () => (await app.call('GET', '/health')).json;
  await expect.poll(health).toMatchObject({ dependencies: { database: { state: 'ready' } } });
});

test('health is ready for an app that may only read the views', async () => {
  await grantAppRights(settings);
  const login = { ...settings, DB_USER: appLogin.user, DB_PASSWORD: appLogin.password };
  const service = createRecordsService(readConfig(login), databasesOf(login), 1);
  await expect.poll(healthOf([recordsDependency(service)])).toMatchObject({ database: { state: 'ready' } });
});

describe.each(['v7', 'v8.0'])('in /%s', (version) => {
  test('an object has the columns of the view, and null for others', async () => {
    const { status, json, headers } = await alice('GET', `/${version}/journalized-cases/C-1`);
    expect([status, json]).toEqual([
      200,
      {
        ...Object.fromEntries(Object.keys(json as object).map((name) => [name, null])),
        id: 'C-1',
        diaryId: 'D-1',
        title: 'Møllevej, ny bro',
        number: '17',
        createdAt: '2026-01-02T10:00:00.000Z',
        bkStr01: 'nord',
        bkStr02: '2027-05-01T00:00:00',
        bkInt01: 0,
        bkInt02: 3,
        bkDate01: '2027-05-01',
        bkFloat01: 1250.5,
      },
    ]);
    expect(Object.keys(json as object)).toHaveLength(7 + 120);
    const condition = { headers: { 'If-None-Match': headers.get('etag') ?? '' } };
    expect((await alice('GET', `/${version}/journalized-cases/C-1`, condition)).status).toBe(304);
    expect((await alice('GET', `/${version}/diaries/D-1`)).json).toMatchObject({
      title: 'Byråd',
      year: 2026,
    });
  });
});

test('custom data of many objects are those of the objects of the view', async () => {
  for (const id of ['C-1', 'C-3'])
    expect((await alice('PUT', `${cases}/${id}/custom-data/visited`, { body: `"${id}"` })).status).toBe(201);
  const { json } = await alice('GET', `${cases}/custom-data/visited?bkInt01=0&sort=-number`);
  expect(json).toMatchObject(['C-3', 'C-1'].map((id) => ({ id, value: id })));
  expect((await alice('GET', `${cases}/custom-data/visited?bkStr01=nord&limit=1`)).json).toHaveLength(1);
});

test('objects of the view are found and sorted by custom values', async () => {
  await executeSql(
    settings,
    'customization',
    `CREATE VIEW dbo.CustomData_fees AS SELECT CAST(value AS int) AS propID, CAST(value AS decimal(9, 2)) AS fee FROM GENERATE_SERIES(1, 10000)`,
  );
  await executeSql(
    settings,
    'customization',
    `INSERT INTO dbo.tCustomDataTypes (typeID, customDataIdentifier, kind) VALUES (${typeNumber(app, 'journalized-cases')}, N'fees', 'REF_RO')`,
  );
  const all = await idsOf(`${cases}/custom-data/fees?where[fee][from]=0&sort=fee`);
  expect(all.length).toBeGreaterThan(1);
  expect(await idsOf(`${cases}/custom-data/fees?sort=-fee`)).toEqual(all.toReversed());
  expect(await idsOf(`${cases}/custom-data/fees?where[fee][from]=0&bkStr01=nord`)).toEqual(
    await idsOf(`${cases}/custom-data/fees?bkStr01=nord`),
  );
});

test('fields of the view are chosen', async () => {
  expect((await alice('GET', `${cases}?fields=diaryId,bkInt2,id&bkStr01=nord`)).text).toBe(
    '[{"diaryId":"D-1","bkInt02":3,"id":"C-1"}]',
  );
});

test('a value that does not fit the type of its field is null', async () => {
  expect((await alice('GET', `${cases}/C-2`)).json).toMatchObject({ bkInt01: 1, bkInt02: null });
});

test.each(['c-1', 'C-1%20', 'C-9', 'D-1'])('%s is no case', async (id) => {
  expect(await alice('GET', `${cases}/${id}`)).toMatchObject({
    status: 404,
    json: { code: 'object-not-found' },
  });
});

test.each([
  ['', ['C-1', 'C-2', 'C-3']],
  ['title[contains]=MØLLE', ['C-1']],
  ['title=Skole', ['C-2']],
  ['title=skole', []],
  ['number=17', ['C-1']],
  ['number[startsWith]=1', ['C-1', 'C-2', 'C-3']],
  ['bkStr01=nord', ['C-1']],
  ['bkStr01[startsWith]=S', ['C-2']],
  ['bkInt01=0', ['C-1', 'C-3']],
  ['bkInt02[from]=1', ['C-1']],
  ['bkDate01[from]=2027-01-01', ['C-1']],
  ['bkDate01=2026-12-31', ['C-3']],
  ['bkFloat01[to]=0.1', ['C-3']],
  ['bkStr30=x', []],
  ['sort=-number', ['C-3', 'C-2', 'C-1']],
  ['sort=bkDate01', ['C-2', 'C-3', 'C-1']],
  ['sort=-createdAt&limit=2', ['C-3', 'C-2']],
  ['offset=2', ['C-3']],
])('a search by %j finds %j', async (query, ids) => {
  expect(await idsOf(`${cases}?${query}`)).toEqual(ids);
});

test('a list below an object, its count, links and CSV', async () => {
  expect(await idsOf('/v8.0/diaries/D-1/journalized-cases')).toEqual(['C-1', 'C-2']);
  const path = '/v8.0/diaries/D-1/journalized-cases?count=true&limit=1';
  const { text, headers } = await alice('GET', path, { headers: { Accept: 'text/csv' } });
  expect([headers.get('x-total-count'), headers.get('link')]).toEqual([
    '2',
    expect.stringMatching(/after=[\w-]+>; rel="next"/),
  ]);
  expect(text.split('\r\n')[1]).toMatch(/^C-1,D-1,"Møllevej, ny bro",,17,/);
  expect((await alice('GET', '/v8.0/diaries/none/journalized-cases')).status).toBe(404);
});

test('an object that the procedure of the product hides cannot be read', async () => {
  await main("UPDATE dbo.tObjProperties SET isDeleted = 1 WHERE objectID = N'C-3'");
  await expect.poll(async () => (await alice('GET', `${cases}/C-3`)).status).toBe(404);
  await main("UPDATE dbo.tObjProperties SET isDeleted = 0 WHERE objectID = N'C-3'");
});

test('labels and fields are those of tFieldLabels, and read-only', async () => {
  await executeSql(
    settings,
    'customization',
    "INSERT INTO dbo.tFieldLabels (typeID, field, langID, label) VALUES (12, N'bkStr01', 1033, N'District')",
  );
  const fields = (await alice('GET', `${cases}/fields`)).json as Record<string, unknown>[];
  const field = (name: string) => fields.find((item) => item['name'] === name);
  expect(field('bkStr01')).toMatchObject({
    label: 'District',
    type: 'text',
    readOnly: true,
    required: false,
  });
  expect(field('title')).toMatchObject({ readOnly: true, required: false });
});

test('writes are not allowed', async () => {
  for (const [method, path] of [
    ['PATCH', `${cases}/C-1`],
    ['POST', '/v8.0/diaries/D-1/journalized-cases'],
    ['POST', '/v8.0/diaries'],
  ] as const)
    expect(await alice(method, path, { body: { title: 'x' } })).toMatchObject({
      status: 405,
      json: { code: 'method-not-allowed' },
    });
});

test.each(['/v8.0/deeds', '/v7/documents/P-1', '/v8.0/journalized-cases/C-1/deeds', '/v8.0/deeds/fields'])(
  '%s is 404 with the setting that leaves the kind out',
  async (path) => {
    expect(await alice('GET', path)).toMatchObject({
      status: 404,
      json: { code: 'no-such-path', hint: expect.stringContaining('OBJECT_METADATA') },
    });
  },
);

test('a path of no kind has no hint', async () => {
  expect((await alice('GET', '/v8.0/colours')).json).not.toHaveProperty('hint');
  expect((await alice('GET', '/v8.0/deeds/W-1/custom-data/a/b')).json).not.toHaveProperty('hint');
});

test('a changed view counts without a restart, and a broken one is named', async () => {
  await main('DROP VIEW dbo.vDiaries');
  await expect
    .poll(async () => (await alice('GET', '/v8.0/diaries')).json)
    .toMatchObject({
      code: 'database-contract',
      detail: 'Cannot use the database: the view vDiaries is missing.',
    });
  await main('CREATE VIEW dbo.vDiaries AS SELECT journal AS objectID, aar AS year FROM dbo.tJournaler');
  await expect
    .poll(async () => (await alice('GET', '/v8.0/diaries')).json)
    .toMatchObject({ detail: expect.stringContaining('the column title of the view vDiaries is missing') });
  await main('DROP VIEW dbo.vDiaries');
  await main(
    'CREATE VIEW dbo.vDiaries AS SELECT journal AS objectID, navn AS title, 1 / 0 AS bkInt01 FROM dbo.tJournaler',
  );
  const failure = 'Cannot use the database: the view vDiaries failed with SQL error 8134';
  for (const path of ['/v8.0/diaries', '/v8.0/diaries/D-1'])
    await expect
      .poll(async () => (await alice('GET', path)).json)
      .toMatchObject({ status: 500, code: 'database-contract', detail: `${failure}.` });
  const token = app.token('alice@example.org', ['Service.Access']);
  expect((await app.call('GET', '/v8.0/diaries', { token })).json).toMatchObject({
    detail: `${failure}: Divide by zero error encountered.`,
  });
  await main('DROP VIEW dbo.vDiaries');
  await main(
    `CREATE VIEW dbo.vDiaries AS SELECT journal AS objectID, navn AS TITLE, N'new' AS bkStr2, CAST(12.0 AS decimal(9, 2)) AS bkInt01,
CAST(12.5 AS decimal(9, 2)) AS bkInt02, CAST(-3 AS money) AS bkInt03, CAST(0.5 AS float) AS bkInt04, CAST(9999999999 AS decimal(12, 0)) AS bkInt05
FROM dbo.tJournaler`,
  );
  await expect
    .poll(async () => (await alice('GET', '/v8.0/diaries')).json)
    .toMatchObject([
      {
        id: 'D-1',
        bkStr02: 'new',
        year: null,
        bkInt01: 12,
        bkInt02: null,
        bkInt03: -3,
        bkInt04: null,
        bkInt05: null,
      },
    ]);
});

test('a list below an object says that the view has no column of the parent', async () => {
  await main('DROP VIEW dbo.vJournalizedCases');
  await main('CREATE VIEW dbo.vJournalizedCases AS SELECT sag AS objectID, emne AS title FROM dbo.tSager');
  await expect
    .poll(async () => (await alice('GET', '/v8.0/diaries/D-1/journalized-cases')).json)
    .toMatchObject({
      code: 'database-contract',
      detail: 'Cannot use the database: the column parentID of the view vJournalizedCases is missing.',
    });
  expect(await idsOf(cases)).toEqual(['C-1', 'C-2', 'C-3']);
  expect((await alice('GET', `${cases}/C-1`)).json).toMatchObject({ diaryId: null, number: null });
});
