/** Journalized cases: created in a diary, changed by merge, found by their bk-fields. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { createObjects, recordsAs } from '../support/records.ts';
import { untilServed } from '../support/until-served.ts';

const app = useApp();
const alice = recordsAs(app, 'alice@example.org');

async function newDiary(year = 2040): Promise<string> {
  return ((await alice('POST', '/v8.0/diaries', { body: { title: 'Diary', year } })).json as { id: string })
    .id;
}

describe.each(['v7', 'v8.0'])('POST /%s/diaries/{id}/journalized-cases', (version) => {
  test('creates a case with a number of its diary, and says where it is', async () => {
    const diary = await newDiary();
    const body = {
      title: 'Road',
      description: 'Closed',
      bkStr01: 'north',
      bkStr2: 'one digit',
      bkInt01: 42,
      bkDate01: '2026-11-21',
      bkFloat01: 1.5,
    };
    const reply = await alice('POST', `/${version}/diaries/${diary}/journalized-cases`, { body });
    expect(reply.status).toBe(201);
    const record = reply.json as { id: string };
    expect(record).toMatchObject({
      diaryId: diary,
      number: '2040/1',
      title: 'Road',
      bkStr01: 'north',
      bkStr02: 'one digit',
      bkStr03: null,
      bkInt01: 42,
      bkDate01: '2026-11-21',
      bkFloat01: 1.5,
    });
    expect(reply.headers.get('location')).toBe(`${app.base}/${version}/journalized-cases/${record.id}`);
    const read = await alice('GET', `/${version}/journalized-cases/${record.id}`);
    expect([read.status, read.json, read.headers.get('etag')]).toEqual([
      200,
      record,
      reply.headers.get('etag'),
    ]);
  });
});

describe('POST /v7/diaries/{id}/journalized-cases', () => {
  test('gives 20 cases at once 20 numbers, without a gap', async () => {
    const diary = await newDiary();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        untilServed(() =>
          alice('POST', `/v7/diaries/${diary}/journalized-cases`, { body: { title: 'Case' } }),
        ),
      ),
    );
    const numbers = replies.map(({ json }) => (json as { number: string }).number);
    expect(new Set(numbers)).toEqual(new Set(Array.from({ length: 20 }, (_, index) => `2040/${index + 1}`)));
  });

  test.each([
    ['no title', {}, '/title'],
    ['an unknown property', { title: 'a', colour: 'red' }, '/colour'],
    ['a bk-field beyond 30', { title: 'a', bkStr31: 'x' }, '/bkStr31'],
    ['text in a bkInt', { title: 'a', bkInt01: '5' }, '/bkInt01'],
    ['a bkInt of more than 32 bits', { title: 'a', bkInt01: 2_147_483_648 }, '/bkInt01'],
    ['a fraction in a bkInt', { title: 'a', bkInt01: 1.5 }, '/bkInt01'],
    ['a date that does not exist', { title: 'a', bkDate01: '2026-02-30' }, '/bkDate01'],
    ['a time in a bkDate', { title: 'a', bkDate01: '2026-02-03T10:00:00Z' }, '/bkDate01'],
    ['a bkStr that is too long', { title: 'a', bkStr01: 'x'.repeat(256) }, '/bkStr01'],
    ['a bkStr that is too long in UTF-16', { title: 'a', bkStr01: '😀'.repeat(200) }, '/bkStr01'],
    ['a field in both spellings', { title: 'a', bkStr1: 'x', bkStr01: 'y' }, '/bkStr01'],
    ['null as title', { title: null }, '/title'],
    ['a lone surrogate', { title: 'a', bkStr01: '\ud800' }, '/bkStr01'],
    ['U+0000', { title: 'a', description: 'a\0b' }, '/description'],
  ])('refuses %s', async (_, body, pointer) => {
    expect(await alice('POST', '/v7/diaries/diary-2026/journalized-cases', { body })).toMatchObject({
      status: 400,
      json: { code: 'invalid-body', errors: [{ pointer }] },
    });
  });

  test('refuses a bkFloat that is not finite', async () => {
    const reply = await alice('POST', '/v7/diaries/diary-2026/journalized-cases', {
      body: '{"title":"a","bkFloat01":1e400}',
    });
    expect(reply.status).toBe(400);
  });

  test('answers 404 where there is no such diary', async () => {
    expect(
      (await alice('POST', '/v7/diaries/case-road/journalized-cases', { body: { title: 'a' } })).status,
    ).toBe(404);
  });
});

describe('GET /v7/journalized-cases/{id}', () => {
  test('gives the metadata with its bk-fields', async () => {
    const { status, json, headers } = await alice('GET', '/v7/journalized-cases/case-road');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id: 'case-road',
      diaryId: 'diary-2026',
      number: '2026/1',
      title: 'Repair of Harbour Road',
      bkStr01: 'Harbour Road',
      bkStr30: 'north',
      bkInt01: 42,
      bkDate01: '2026-03-31',
      bkFloat01: 1.5,
      bkFloat30: null,
    });
    const again = await alice('GET', '/v7/journalized-cases/case-road', {
      headers: { 'If-None-Match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  test('answers 404 to the identifier of another kind of object', async () => {
    expect(await alice('GET', '/v7/journalized-cases/diary-2026')).toMatchObject({
      status: 404,
      json: { code: 'object-not-found' },
    });
  });
});

describe('PATCH /v7/journalized-cases/{id}', () => {
  test('keeps what is absent and clears with null', async () => {
    const { journalizedCase } = await createObjects(alice);
    const path = `/v7/journalized-cases/${journalizedCase}`;
    await alice('PATCH', path, { body: { description: 'text', bkStr01: 'a', bkInt30: 7 } });
    const reply = await alice('PATCH', path, { body: { bkStr01: null, bkInt01: 8 } });
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({
      title: 'Case',
      description: 'text',
      bkStr01: null,
      bkInt01: 8,
      bkInt30: 7,
    });
    expect((await alice('GET', path)).json).toEqual(reply.json);
  });

  test('accepts a merge patch, and one that changes nothing', async () => {
    const { journalizedCase } = await createObjects(alice);
    const reply = await alice('PATCH', `/v8.0/journalized-cases/${journalizedCase}`, {
      body: '{}',
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    expect([reply.status, (reply.json as { title: string }).title]).toEqual([200, 'Case']);
  });

  test.each([
    ['an unknown property', { number: '1/1' }, '/number'],
    ['null as title', { title: null }, '/title'],
  ])('refuses %s', async (_, body, pointer) => {
    expect(await alice('PATCH', '/v7/journalized-cases/case-school', { body })).toMatchObject({
      status: 400,
      json: { errors: [{ pointer }] },
    });
  });

  test('answers 412 to an old tag, and of 10 writers with the same tag exactly one succeeds', async () => {
    const { journalizedCase } = await createObjects(alice);
    const path = `/v7/journalized-cases/${journalizedCase}`;
    const etag = (await alice('GET', path)).headers.get('etag') ?? '';
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        alice('PATCH', path, { body: { bkInt01: index }, headers: { 'If-Match': etag } }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(412)]);
    expect((await alice('PATCH', path, { body: { bkInt01: 1 }, headers: { 'If-Match': etag } })).status).toBe(
      412,
    );
    expect((await alice('PATCH', path, { body: { bkInt01: 1 }, headers: { 'If-Match': '*' } })).status).toBe(
      200,
    );
  });
});

describe('GET /v8.0/journalized-cases', () => {
  test('finds cases by the values of bk-fields', async () => {
    const diary = await newDiary();
    const create = (fields: object) =>
      alice('POST', `/v8.0/diaries/${diary}/journalized-cases`, { body: { title: 'Case', ...fields } });
    const found = (await create({ bkStr05: 'needle', bkInt05: 5, bkDate05: '2026-01-05', bkFloat05: 0.5 }))
      .json;
    await create({ bkStr05: 'needle', bkInt05: 6 });
    const search = async (query: string) =>
      (await alice('GET', `/v8.0/journalized-cases?${query}`)).json as unknown[];
    expect(await search('bkStr05=needle&bkInt05=5')).toEqual([found]);
    expect(await search('bkStr05=needle&bkDate05=2026-01-05&bkFloat05=0.5')).toEqual([found]);
    expect(await search('bkStr5=needle&bkInt5=5')).toEqual([found]);
    expect(await search('bkStr05=needle')).toHaveLength(2);
    expect(await search('bkStr05=nothing')).toEqual([]);
  });

  test.each([
    ['bkStr31=x', 'bkStr31'],
    ['bkStr0=x', 'bkStr0'],
    ['colour=x', 'colour'],
    ['bkInt01=x', 'bkInt01'],
    ['bkInt1=', 'bkInt1'],
    ['limit=0', 'limit'],
    ['bkFloat01=1e400', 'bkFloat01'],
    ['bkFloat1=-1e400', 'bkFloat1'],
    ['bkStr01=a&bkStr01=b', 'bkStr01'],
    ['bkStr01=a&bkStr1=b', 'bkStr01'],
    ['bkStr01=%00', 'bkStr01'],
  ])('refuses ?%s', async (query, parameter) => {
    expect(await alice('GET', `/v8.0/journalized-cases?${query}`)).toMatchObject({
      status: 400,
      json: { code: 'invalid-parameters', errors: [{ pointer: `query:${parameter}` }] },
    });
  });
});
