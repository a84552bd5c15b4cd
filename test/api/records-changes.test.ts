/** The change feed of records: what programs follow that keep a copy of objects and their custom data. */

import { describe, expect, test } from 'vitest';
import { type CallOptions, useApp } from '../support/app.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { fc, numRuns } from '../support/properties.ts';

const app = useApp();
const sql = databasesOf(app);

interface Change {
  readonly collection: string;
  readonly id: string;
  readonly what: 'metadata' | 'custom-data';
  readonly changedBy: string | null;
  readonly changedAt: string;
  readonly url: string;
}

interface Page {
  readonly changes: readonly Change[];
  readonly version: string;
  readonly latest: string;
  readonly next: string;
}

function call(method: string, path: string, options: CallOptions = {}, user = 'alice@example.org') {
  return app.call(method, path, { token: app.token(user), ...options });
}

async function page(query: string): Promise<Page> {
  return (await call('GET', `/v8.0/changes${query}`)).json as Page;
}

async function latest(): Promise<string> {
  return (await page('?limit=1')).latest;
}

/** Reads pages from a position to the end. */
async function follow(since: string, limit: number): Promise<{ seen: Change[]; end: string }> {
  const seen: Change[] = [];
  for (let at = since; ; ) {
    const { changes, version, latest: newest } = await page(`?since=${at}&limit=${limit}`);
    expect(changes.length).toBeLessThanOrEqual(limit);
    seen.push(...changes);
    if (version === newest) return { seen, end: version };
    at = version;
  }
}

const letter = '/v8.0/documents/document-letter';

describe('a change', () => {
  test('of metadata and of custom data is named with its object, user and time', async () => {
    const since = await latest();
    const started = Date.now() - 1000;
    await call('PATCH', letter, { body: { title: 'Changed' } });
    await call('PUT', `${letter}/custom-data`, { body: { remarks: 'Changed' } }, 'bjorn@example.org');
    const { changes, version, next } = await page(`?since=${since}`);
    const object = { collection: 'documents', id: 'document-letter', changedAt: expect.any(String) };
    expect(changes).toEqual([
      { ...object, what: 'metadata', changedBy: 'alice', url: app.base + letter },
      { ...object, what: 'custom-data', changedBy: 'bjorn', url: `${app.base}${letter}/custom-data` },
    ]);
    for (const { changedAt } of changes) expect(Date.parse(changedAt)).toBeGreaterThan(started);
    expect(next).toBe(`${app.base}/v8.0/changes?since=${version}&limit=100`);
    expect(await page(`?since=${version}`)).toMatchObject({ changes: [], version, latest: version });
  });

  test('of one value, and the creation of an object, are named too', async () => {
    const since = await latest();
    const created = await call('POST', '/v8.0/diaries', { body: { title: 'New', year: 2031 } });
    const { id } = created.json as { id: string };
    await call('PUT', `/v7/diaries/${id}/custom-data/note`, {
      body: '"x"',
      headers: { 'Content-Type': 'application/json' },
    });
    expect((await page(`?since=${since}`)).changes).toMatchObject([
      { collection: 'diaries', id, what: 'metadata' },
      { collection: 'diaries', id, what: 'custom-data' },
    ]);
  });

  test('that is refused is not named', async () => {
    const since = await latest();
    await call('PATCH', letter, { body: { title: 'x' }, headers: { 'If-Match': '"old"' } });
    await call('PATCH', letter, { body: { title: 1 } });
    await call('PUT', '/v8.0/documents/document-contract/custom-data', { body: { parcels: [] } });
    expect((await page(`?since=${since}`)).changes).toEqual([]);
  });

  test('of an object that the product hides now, or by a user who is gone, shows neither', async () => {
    const since = await latest();
    await call('PATCH', '/v8.0/documents/document-contract', { body: { title: 'Hidden' } });
    await call('PATCH', letter, { body: { title: 'Shown' } });
    const shown = (query: string) =>
      page(query).then(({ changes }) => changes.map(({ id, changedBy }) => [id, changedBy]));
    await sql.main(`UPDATE dbo.tObjectChanges SET changedBy = 999999
WHERE propID = (SELECT propID FROM dbo.tObjProperties WHERE objectID = N'document-letter');`);
    expect(await shown(`?since=${since}`)).toEqual([
      ['document-contract', 'alice'],
      ['document-letter', null],
    ]);
    const procedure = (condition: string) =>
      sql.main(`ALTER PROCEDURE dbo.pStructureObjectInfoGet @propID int AS
SELECT propID, objectID, moduleID, typeID FROM dbo.tObjProperties WHERE propID = @propID ${condition}`);
    // The procedure of a product may give further results.
    await procedure("AND objectID <> N'document-contract'; SELECT N'more' AS remark");
    try {
      expect(await shown(`?since=${since}`)).toEqual([['document-letter', null]]);
      expect(await shown(`?since=${since}&limit=1`)).toEqual([]);
    } finally {
      await procedure('');
    }
  });
});

describe('an object', () => {
  const changesOf = async (path: string) => (await call('GET', `${path}/changes`)).json as Change[];

  test('says who changed its metadata and its custom data last, and when', async () => {
    const created = await call('POST', '/v8.0/diaries', { body: { title: 'Own', year: 2033 } });
    const { id } = created.json as { id: string };
    const path = `/v8.0/diaries/${id}`;
    const object = { collection: 'diaries', id, changedAt: expect.any(String) };
    const metadata = { ...object, what: 'metadata', url: app.base + path };
    expect(await changesOf(path)).toEqual([{ ...metadata, changedBy: 'alice' }]);
    const started = Date.now() - 1000;
    await call('PATCH', path, { body: { title: 'Another' } }, 'bjorn@example.org');
    await call('PUT', `${path}/custom-data`, { body: { remarks: 'x' } });
    const changes = await changesOf(path);
    expect(changes).toEqual([
      { ...metadata, changedBy: 'bjorn' },
      { ...object, what: 'custom-data', changedBy: 'alice', url: `${app.base}${path}/custom-data` },
    ]);
    for (const { changedAt } of changes) expect(Date.parse(changedAt)).toBeGreaterThan(started);
  });

  test('that is not there, and a caller without a token, get nothing', async () => {
    expect(await call('GET', '/v8.0/diaries/none/changes')).toMatchObject({
      status: 404,
      json: { code: 'object-not-found' },
    });
    // A case is no diary.
    expect((await call('GET', '/v8.0/diaries/case-road/changes')).status).toBe(404);
    expect((await app.call('GET', '/v8.0/diaries/diary-2026/changes')).status).toBe(401);
  });
});

describe('a follower', () => {
  const objects = [
    'documents/document-letter',
    'documents/document-contract',
    'deeds/deed-tender',
    'journalized-cases/case-road',
  ];
  const step = fc.oneof(
    fc.record({ object: fc.constantFrom(...objects), what: fc.constantFrom('metadata', 'custom-data') }),
    fc.record({ limit: fc.integer({ min: 1, max: 5 }) }),
  );

  test('misses no change and sees none twice, whatever is written between its requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), async (steps) => {
        let at = await latest();
        const expected = new Set<string>();
        const catchUp = async (limit: number) => {
          const { seen, end } = await follow(at, limit);
          const names = seen.map(({ collection, id, what }) => `${collection}/${id} ${what}`);
          expect(names.toSorted()).toEqual([...expected].toSorted());
          expected.clear();
          at = end;
        };
        for (const item of steps) {
          if ('limit' in item) await catchUp(item.limit);
          else {
            const { object, what } = item;
            const metadata = () => call('PATCH', `/v8.0/${object}`, { body: { bkInt01: 1 } });
            const value = { body: '1', headers: { 'Content-Type': 'application/json' } };
            const { status } = await (what === 'metadata'
              ? metadata()
              : call('PUT', `/v8.0/${object}/custom-data/counted`, value));
            expect(status).toBeLessThan(300);
            expected.add(`${object} ${what}`);
          }
        }
        await catchUp(2);
      }),
      numRuns(10),
    );
  });

  test('that reads while eight write at once sees each change', async () => {
    const since = await latest();
    const created = Array.from({ length: 40 }, async (_, index) => {
      const { json } = await call('POST', '/v8.0/diaries', {
        body: { title: `At once ${index}`, year: 2032 },
      });
      return (json as { id: string }).id;
    });
    let isDone = false;
    const ids = Promise.all(created).finally(() => {
      isDone = true;
    });
    const seen: string[] = [];
    let at = since;
    for (let isLast = false; ; isLast = isDone) {
      const found = await follow(at, 7);
      seen.push(...found.seen.map(({ id }) => id));
      at = found.end;
      if (isLast) break;
    }
    expect(seen.toSorted()).toEqual((await ids).toSorted());
  });

  test('has 304 while nothing has changed', async () => {
    const since = await latest();
    const { headers } = await call('GET', `/v8.0/changes?since=${since}`);
    // Another preference gets another reply.
    expect(headers.get('vary')).toContain('Prefer');
    const tag = { headers: { 'If-None-Match': headers.get('etag') ?? '' } };
    expect((await call('GET', `/v8.0/changes?since=${since}`, tag)).status).toBe(304);
  });
});

test('a change of metadata that an app does not serve is left out, unlike one of custom data', async () => {
  await using another = await app.startAnother({ APIS: 'records', OBJECT_METADATA: 'diaries' });
  const since = await latest();
  await call('PATCH', letter, { body: { title: 'Not served' } });
  await call('PUT', `${letter}/custom-data`, { body: { remarks: 'Served' } });
  const headers = { Authorization: `Bearer ${app.token('alice@example.org')}` };
  const reply = await fetch(`${another.base}/v8.0/changes?since=${since}`, { headers });
  expect(((await reply.json()) as Page).changes).toMatchObject([
    { id: 'document-letter', what: 'custom-data' },
  ]);
});

describe('Prefer: wait', () => {
  const wait = (since: string, preference: string) =>
    call('GET', `/v8.0/changes?since=${since}`, { headers: { Prefer: preference } });

  test('holds an empty reply until something changes', async () => {
    for (const what of ['metadata', 'custom-data'] as const) {
      const waiting = wait(await latest(), 'wait=5');
      const body = what === 'metadata' ? { bkInt01: 2 } : { remarks: 'Waited for' };
      if (what === 'metadata') await call('PATCH', letter, { body });
      else await call('PUT', `${letter}/custom-data`, { body });
      const { status, headers, json } = await waiting;
      expect([status, headers.get('preference-applied')]).toEqual([200, 'wait=5']);
      expect((json as Page).changes).toMatchObject([{ id: 'document-letter', what }]);
    }
  });

  test('ends without changes after the time asked, which a request allows', async () => {
    const reply = await wait(await latest(), 'wait=1');
    expect([reply.headers.get('preference-applied'), (reply.json as Page).changes]).toEqual(['wait=1', []]);
    const long = await wait('0', 'wait=86400');
    expect([long.headers.get('preference-applied'), (long.json as Page).changes.length > 0]).toEqual([
      'wait=5',
      true,
    ]);
    expect((await wait(await latest(), 'wait=0')).headers.has('preference-applied')).toBe(false);
  });
});

describe('a bad request for changes', () => {
  test.each([
    'since=',
    'since=5',
    'since=-1-2',
    'since=1-2-3',
    'since=a-b',
    'since=1.5-2',
    'limit=0',
    'limit=201',
    'limit=x',
    'wait=5',
  ])('is rejected: %s', async (query) => {
    expect((await call('GET', `/v8.0/changes?${query}`)).json).toMatchObject({
      status: 400,
      code: 'invalid-parameters',
    });
  });

  test('of a position beyond the newest change says to start over', async () => {
    const [metadata = 0, customData = 0] = (await latest()).split('-').map(Number);
    for (const since of [
      `${metadata + 1}-${customData}`,
      `${metadata}-${customData + 1}`,
      '999999999999999-0',
    ])
      expect((await call('GET', `/v8.0/changes?since=${since}`)).json).toMatchObject({
        status: 410,
        code: 'changes-gone',
      });
  });

  test('is one without a token', async () => {
    expect((await app.call('GET', '/v8.0/changes')).status).toBe(401);
  });
});
