/** What every kind of object has in common: its bounds, and the moments of its creation and last change. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { createObjects, propIdOf, recordsAs } from '../support/records.ts';

const app = useApp();
const { main } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');

const kinds = [
  ['diaries', 'diary', 'tDiaries'],
  ['journalized-cases', 'journalizedCase', 'tJournalizedCases'],
  ['deeds', 'deed', 'tDeeds'],
  ['documents', 'document', 'tDocuments'],
] as const;

describe.each(kinds)('of %s', (collection, kind, table) => {
  interface Moments {
    readonly createdAt: string;
    readonly updatedAt: string;
  }

  /** An object that was created and last changed long ago. */
  async function oldObject() {
    const id = (await createObjects(alice))[kind];
    await main(
      `UPDATE dbo.${table} SET createdAt = '2020-01-02T03:04:05.678', updatedAt = '2021-01-02T03:04:05.678' WHERE propID = ${await propIdOf(app, id)}`,
    );
    return `/v8.0/${collection}/${id}`;
  }

  test('a change moves updatedAt to now, and createdAt stays', async () => {
    const path = await oldObject();
    const before = (await alice('GET', path)).json as Moments;
    expect([before.createdAt, before.updatedAt]).toEqual([
      '2020-01-02T03:04:05.678Z',
      '2021-01-02T03:04:05.678Z',
    ]);
    const reply = await alice('PATCH', path, { body: { title: 'Changed' } });
    const after = reply.json as Moments;
    expect(after.createdAt).toBe(before.createdAt);
    expect(Math.abs(Date.now() - Date.parse(after.updatedAt))).toBeLessThan(60_000);
    expect((await alice('GET', path)).json).toEqual(after);
  });

  test('what changes nothing leaves updatedAt', async () => {
    const path = await oldObject();
    expect((await alice('PATCH', path, { body: {} })).json).toMatchObject({
      updatedAt: '2021-01-02T03:04:05.678Z',
    });
  });

  test('a new one says when it was created', async () => {
    const id = (await createObjects(alice))[kind];
    const { createdAt, updatedAt } = (await alice('GET', `/v8.0/${collection}/${id}`)).json as Moments;
    expect(Math.abs(Date.now() - Date.parse(createdAt))).toBeLessThan(60_000);
    expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
  });
});

describe.each(['POST', 'PATCH'])('the bounds of fields of a %s', (method) => {
  const store = async (fields: object) => {
    const { diary } = method === 'PATCH' ? await createObjects(alice) : {};
    const isNew = diary === undefined;
    const { status, json } = await alice(method, `/v8.0/diaries${isNew ? '' : `/${diary}`}`, {
      body: { ...(isNew ? { title: 'Title', year: 2030 } : {}), ...fields },
    });
    const { code, errors } = json as { code?: string; errors?: { pointer: string; detail: string }[] };
    return status === (isNew ? 201 : 200)
      ? 'stored'
      : `${status} ${code} ${errors?.map(({ pointer }) => pointer).join(' ')}`;
  };

  test.each([
    ['year', [1_900, 9_999], [1_899, 10_000, 1_900.5, '2030', null]],
    [
      'title',
      ['x', 'x'.repeat(400), '😀'.repeat(200)],
      ['', 'x'.repeat(401), `x${'😀'.repeat(200)}`, null, 5],
    ],
    ['description', ['', 'x'.repeat(100_000), null], ['x'.repeat(100_001), 5]],
    ['bkStr01', ['', 'x'.repeat(255), `x${'😀'.repeat(127)}`, null], ['x'.repeat(256), '😀'.repeat(128), 5]],
    ['bkInt01', [-2_147_483_648, 2_147_483_647, null], [-2_147_483_649, 2_147_483_648, 0.5, '5']],
    ['bkDate01', ['0001-01-01', '9999-12-31', null], ['0000-12-31', '10000-01-01', '2026-02-29', 5]],
    ['bkFloat01', [-Number.MAX_VALUE, Number.MAX_VALUE, null], ['1', true]],
  ])('%s', async (name, accepted, refused) => {
    for (const value of accepted) expect([value, await store({ [name]: value })]).toEqual([value, 'stored']);
    for (const value of refused)
      expect([value, await store({ [name]: value })]).toEqual([value, `400 invalid-body /${name}`]);
  });

  test('a name with one digit is that with two, and may not stand beside it', async () => {
    expect(await store({ bkStr1: 'a', bkInt1: 5 })).toBe('stored');
    expect(await store({ bkStr1: 'a', bkStr01: 'a' })).toBe('400 invalid-body /bkStr01');
  });

  test('a text of one UTF-16 code unit too many is told so, since JSON schema counts characters', async () => {
    const reply = await alice('POST', '/v8.0/diaries', {
      body: { title: `${'x'.repeat(399)}😀`, year: 2030 },
    });
    expect(reply.json).toMatchObject({
      errors: [{ pointer: '/title', detail: 'must not have more than 400 UTF-16 code units' }],
    });
  });
});

test('custom data of an object whose identifier holds a slash are linked with the slash encoded twice', async () => {
  const { document } = await createObjects(alice);
  await main(`UPDATE dbo.tObjProperties SET objectID = N'a/b d' WHERE objectID = N'${document}'`);
  const path = '/v8.0/documents/a%252Fb%20d/custom-data';
  const { json } = await alice('PUT', path, { body: { a: 1 } });
  expect(json).toEqual({ _links: [{ href: `${app.base}${path}`, rel: 'custom-data', method: 'GET' }] });
});

test('an object is found by an identifier of 64 characters, and not by a longer one that begins so', async () => {
  const { document } = await createObjects(alice);
  const id = 'x'.repeat(64);
  await main(`UPDATE dbo.tObjProperties SET objectID = N'${id}' WHERE objectID = N'${document}'`);
  const status = async (sent: string) => (await alice('GET', `/v8.0/documents/${sent}/custom-data`)).status;
  expect([await status(id), await status(`${id}x`)]).toEqual([200, 404]);
});
