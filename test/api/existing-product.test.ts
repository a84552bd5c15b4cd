/** The API on the adopted databases of an existing product: custom data, reference data and authorized work, the metadata of objects is left out. */

import { beforeAll, describe, expect, test } from 'vitest';
import { databaseScripts, migrateDatabases } from '../../scripts/migrate/migrate.ts';
import { useApp } from '../support/app.ts';
import { createEmptyDatabases } from '../support/databases-of-test.ts';
import { executeSql } from '../support/execute-sql.ts';
import { createProduct, productSettings } from '../support/existing-product.ts';
import { recordsAs } from '../support/records.ts';
import { settingsOfLocalDatabases } from '../support/shared-emulators.ts';

const settings = { ...settingsOfLocalDatabases(), ...productSettings };
const app = useApp({ settings, prepareDatabases: false });
const alice = recordsAs(app, 'alice@example.org');
const bjorn = recordsAs(app, 'bjorn@example.org');

beforeAll(async () => {
  await createEmptyDatabases(settings);
  await createProduct(settings);
  await migrateDatabases(settings, {
    folders: [databaseScripts],
    mode: 'adopt',
    create: false,
    say: () => {},
  });
});

describe('on the databases of an existing product', () => {
  test('health is ready', async () => {
    await expect
      .poll(async () => (await app.call('GET', '/health')).json)
      .toMatchObject({ dependencies: { database: { state: 'ready' } } });
  });

  test('users come through the view of the customer', async () => {
    expect((await alice('GET', '/v8.0/authorized')).json).toEqual({
      account: 'aarc',
      name: 'Alice Archer',
      usrPropID: 9002,
      langID: 1033,
    });
    expect((await bjorn('GET', '/v7/authorized')).json).toMatchObject({ usrPropID: 9003, langID: 1053 });
    expect((await recordsAs(app, 'svc-records@example.org')('GET', '/v8.0/authorized')).status).toBe(401);
  });

  test('the metadata of objects is left out of the API and its document', async () => {
    const { paths } = (await app.call('GET', '/openapi.json')).json as { paths: object };
    const records = Object.keys(paths).filter((path) => path.startsWith('/v8.0/'));
    expect(records).toEqual([
      '/v8.0/authorized',
      ...['diaries', 'journalized-cases', 'deeds', 'documents'].flatMap((kind) => [
        `/v8.0/${kind}/{id}/custom-data`,
        `/v8.0/${kind}/{id}/custom-data/sources`,
        `/v8.0/${kind}/openapi.json`,
        `/v8.0/${kind}/{id}/custom-data/{identifier}`,
      ]),
      '/v8.0/reference-data',
      '/v8.0/reference-data/{identifier}',
      '/v8.0/reference-data/custom',
      '/v8.0/reference-data/custom/{identifier}',
      ...['diaries', 'journalized-cases', 'deeds', 'documents'].map((kind) => `/v8.0/${kind}/{id}/changes`),
      '/v8.0/changes',
    ]);
    for (const path of ['/v8.0/diaries', '/v7/journalized-cases/C-1', '/v7/diaries/D-1/journalized-cases'])
      expect((await alice('GET', path)).json).toMatchObject({
        status: 404,
        code: 'no-such-path',
        hint: expect.stringContaining('the setting OBJECT_METADATA leaves out their metadata'),
      });
  });

  test('reference data are the lists of the customer', async () => {
    expect((await alice('GET', '/v7/reference-data')).json).toMatchObject({ _links: [{ rel: 'countries' }] });
    expect((await bjorn('GET', '/v7/reference-data/countries')).json).toEqual([
      { code: 'DK', name: 'Denmark' },
      { code: 'SE', name: 'Sweden' },
    ]);
    expect((await alice('GET', '/v7/reference-data/custom/priorities')).json).toEqual([
      { rank: 1, name: 'high' },
      { rank: 2, name: 'low' },
    ]);
  });

  test('the change feed has custom data alone, and health says so', async () => {
    const { json } = await alice('PUT', '/v8.0/documents/P-1/custom-data/remark', { body: ['seen'] });
    expect(json).toBeDefined();
    const { changes, latest } = (await alice('GET', '/v8.0/changes')).json as {
      changes: object[];
      latest: string;
    };
    expect(changes).toEqual([
      {
        collection: 'documents',
        id: 'P-1',
        what: 'custom-data',
        changedBy: 'aarc',
        changedAt: expect.any(String),
        url: `${app.base}/v8.0/documents/P-1/custom-data`,
      },
    ]);
    expect(latest).toBe('0-1');
    const token = app.token('alice@example.org', ['Service.Access']);
    expect((await app.call('GET', '/health', { token })).json).toMatchObject({
      dependencies: { database: { changes: { customData: true, metadata: false } } },
    });
  });

  test('custom data of every mechanism are read and replaced', async () => {
    const path = '/v7/journalized-cases/C-1/custom-data';
    const first = await bjorn('GET', path);
    expect(first.json).toEqual({
      budget: { amount: 1250.5, note: 'first', reader: 9003, language: 1053 },
      budgetSize: [{ size: 'large' }],
    });
    const tag = (await alice('GET', path)).headers.get('etag') ?? '';
    const put = await alice('PUT', path, {
      body: '{"budget":{"amount":12.34,"note":"Ærø"},"Tags":["a"],"tags":{"n":1.10}}',
      headers: { 'If-Match': tag },
    });
    // The key of the customer's table compares in Danish, without case.
    expect(put.status).toBe(409);
    const again = await alice('PUT', path, {
      body: '{"budget":{"amount":12.34,"note":"Ærø"},"tags":{"n":1.10}}',
    });
    expect(again.status).toBe(200);
    expect((await alice('GET', path)).text).toBe(
      '{"budget":{"amount":12.3400,"note":"Ærø","reader":9002,"language":1033},"budgetSize":[{"size":"small"}],"tags":{"n":1.10}}',
    );
    const tags = await alice('PUT', '/v7/documents/P-1/custom-data/Tags', { body: ['new'] });
    expect(tags).toMatchObject({ status: 409, json: { code: 'custom-data-conflict' } });
    expect((await alice('GET', '/v7/documents/P-1/custom-data/tags')).text).toBe('["old", 1.50]');
    const refused = await alice('PUT', path, { body: { budget: { amount: -1, note: null } } });
    expect(refused.json).toMatchObject({
      status: 422,
      detail: 'Cannot store custom data: A budget is not below zero.',
    });
    const readOnly = await alice('PUT', path, { body: { budgetSize: [] } });
    expect(readOnly.json).toMatchObject({ status: 422, code: 'custom-data-read-only' });
  });

  test('identifiers are exact, types are the numbers of the product, and its procedure hides what it hides', async () => {
    const status = async (path: string) => (await alice('GET', `/v7/${path}/custom-data`)).status;
    expect(await status('documents/P-1')).toBe(200);
    expect(await status('diaries/D-1')).toBe(200);
    expect(await status('deeds/W-1')).toBe(200);
    expect(await status('documents/p-1')).toBe(404);
    expect(await status('deeds/P-1')).toBe(404);
    expect(await status('documents/P-2')).toBe(404);
    expect(await status('documents/U-2')).toBe(404);
    await executeSql(settings, 'main', "UPDATE dbo.tObjProperties SET isDeleted = 1 WHERE objectID = N'W-1'");
    await expect.poll(() => status('deeds/W-1')).toBe(404);
  });
});

test('a JSON value that is NULL is null, and can be replaced', async () => {
  const path = '/v8.0/journalized-cases/C-1/custom-data';
  await executeSql(
    app.stack.settings,
    'customization',
    `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData) VALUES (5002, N'empty', 'JSON', NULL)`,
  );
  expect((await alice('GET', path)).json).toMatchObject({ empty: null });
  expect((await alice('GET', `${path}/empty`)).text).toBe('null');
  expect((await alice('GET', `${path}/sources`)).json).toContainEqual({
    identifier: 'empty',
    kind: 'JSON',
    source: 'stored',
    name: null,
  });
  expect((await alice('PUT', `${path}/empty`, { body: '1' })).status).toBe(200);
  expect((await alice('GET', `${path}/empty`)).text).toBe('1');
});
