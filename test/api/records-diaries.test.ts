/** Diaries, and the lists of what diaries, cases and deeds hold. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { createObjects, recordsAs } from '../support/records.ts';

const app = useApp();
const alice = recordsAs(app, 'alice@example.org');

describe.each(['v7', 'v8.0'])('GET /%s/diaries', (version) => {
  test('gives a JSON array of diaries', async () => {
    const { status, json } = await alice('GET', `/${version}/diaries`);
    expect(status).toBe(200);
    expect(json).toContainEqual(
      expect.objectContaining({
        id: 'diary-2026',
        title: 'Municipal office 2026',
        year: 2026,
        bkStr01: 'MO',
        bkStr10: null,
      }),
    );
  });

  test('gives parts of the list, each with the address of the next', async () => {
    for (let number = 0; number < 3; number++)
      await alice('POST', '/v8.0/diaries', { body: { title: `Diary ${number}`, year: 2030 } });
    const first = await alice('GET', `/${version}/diaries?limit=2`);
    const next = /^<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(next).toContain(`${app.base}/${version}/diaries?limit=2&after=`);
    const second = await alice('GET', next.slice(app.base.length));
    const all = (await alice('GET', `/${version}/diaries`)).json as unknown[];
    expect([...(first.json as unknown[]), ...(second.json as unknown[])]).toEqual(all.slice(0, 4));
  });
});

describe('diaries', () => {
  test('are created, read and changed', async () => {
    const created = await alice('POST', '/v8.0/diaries', {
      body: { title: 'New', year: 2030, bkFloat10: 0.1 },
    });
    expect(created.status).toBe(201);
    const path = (created.headers.get('location') ?? '').slice(app.base.length);
    expect((await alice('GET', path)).json).toEqual(created.json);
    const changed = await alice('PATCH', path, { body: { title: 'Newer' } });
    expect(changed.json).toMatchObject({ title: 'Newer', year: 2030, bkFloat10: 0.1 });
  });

  test('have 10 bk-fields of each type', async () => {
    expect(
      await alice('POST', '/v8.0/diaries', { body: { title: 'New', year: 2030, bkStr11: 'x' } }),
    ).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: '/bkStr11' }] },
    });
  });
});

describe('lists of children', () => {
  test('give what was created below, and nothing else', async () => {
    const { diary, journalizedCase, deed, document } = await createObjects(alice);
    const ids = async (path: string) =>
      ((await alice('GET', path)).json as { id: string }[]).map(({ id }) => id);
    expect(await ids(`/v8.0/diaries/${diary}/journalized-cases`)).toEqual([journalizedCase]);
    expect(await ids(`/v8.0/journalized-cases/${journalizedCase}/deeds`)).toEqual([deed]);
    expect(await ids(`/v8.0/deeds/${deed}/documents`)).toEqual([document]);
  });

  test('answer 404 below what is not there', async () => {
    expect((await alice('GET', '/v8.0/diaries/nothing/journalized-cases')).status).toBe(404);
  });
});
