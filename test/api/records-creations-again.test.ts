/** Creations of objects that are sent again with their Idempotency-Key. */

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { createObjects, propIdOf, recordsAs } from '../support/records.ts';

const app = useApp();
const { main } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');
const dorte = recordsAs(app, 'dorte@example.org');

/** Below objects of the sample data. */
const paths = {
  diaries: '/v8.0/diaries',
  'journalized-cases': '/v8.0/diaries/diary-2026/journalized-cases',
  deeds: '/v8.0/journalized-cases/case-road/deeds',
  documents: '/v8.0/deeds/deed-tender/documents',
};

interface Created {
  readonly id: string;
  readonly number?: string;
}

const bodyOf = (path: string, title = 'Once') => ({
  title,
  ...(path.endsWith('/diaries') ? { year: 2033 } : {}),
});

async function create(path: string, body: object, key?: string, by = alice) {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  const reply = await by('POST', path, { body, headers });
  const created = reply.json as Created & { readonly code: string };
  return { ...reply, created, replayed: reply.headers.get('idempotent-replayed') };
}

describe.each(Object.entries(paths))('a creation in %s', (collection, path) => {
  test('that is sent again with its key creates nothing more, in whatever order its members stand', async () => {
    const key = randomUUID();
    const body = { ...bodyOf(path), bkStr01: 'north', bkInt01: 1, bkDate02: null };
    const first = await create(path, body, key);
    const again = await create(path, Object.fromEntries(Object.entries(body).toReversed()), key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.json).toEqual(first.json);
    expect([first.replayed, again.replayed]).toEqual([null, 'true']);
    for (const name of ['location', 'etag'])
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
  });

  test('with another body and the same key is refused', async () => {
    const key = randomUUID();
    const { created } = await create(path, bodyOf(path), key);
    const other = await create(path, { ...bodyOf(path), description: 'Another text' }, key);
    expect([other.status, other.created.code]).toEqual([422, 'idempotency-key-reused']);
    const { json } = await alice('GET', `/v8.0/${collection}/${created.id}`);
    expect(json).toMatchObject({ description: null });
  });

  test('of another person, with another key or without one is another creation', async () => {
    const key = randomUUID();
    const replies = [
      await create(path, bodyOf(path), key),
      await create(path, bodyOf(path), key, dorte),
      await create(path, bodyOf(path), `${key}2`),
      await create(path, bodyOf(path)),
      await create(path, bodyOf(path), ' '),
    ];
    expect(new Set(replies.map(({ created }) => created.id)).size).toBe(5);
    expect(replies.map(({ status, replayed }) => [status, replayed])).toEqual(Array(5).fill([201, null]));
  });

  test('that is sent many times at once creates one object; the others are told so, or to wait', async () => {
    const key = randomUUID();
    const body = bodyOf(path, `Crowd ${key}`);
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(path, body, key)));
    const done = replies.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ created }) => created.id)).size).toBe(1);
    expect(done.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    for (const { status, created, headers } of replies.filter((reply) => !done.includes(reply)))
      expect([status, created.code, headers.get('retry-after')]).toEqual([
        409,
        'idempotency-key-in-use',
        '1',
      ]);
    expect(await create(path, body, key)).toMatchObject({ status: 201, json: done[0]?.json });
    const found = await alice('GET', `/v8.0/${collection}?title=${encodeURIComponent(body.title)}`);
    expect(found.json).toHaveLength(1);
  });

  test('is found by its key after the object was changed, in the other version too', async () => {
    const key = randomUUID();
    const { created } = await create(path, bodyOf(path), key);
    const change = await alice('PATCH', `/v8.0/${collection}/${created.id}`, {
      body: { description: 'New' },
    });
    const again = await create(path.replace('/v8.0/', '/v7/'), bodyOf(path), key);
    expect([again.status, again.json, again.headers.get('etag')]).toEqual([
      201,
      change.json,
      change.headers.get('etag'),
    ]);
    expect(again.headers.get('location')).toMatch(new RegExp(`/v7/${collection}/${created.id}$`));
  });

  test('names nothing after 24 hours: then the key is a new one, with whatever body', async () => {
    const key = randomUUID();
    const { created } = await create(path, bodyOf(path), key);
    const age = async (seconds: number) => {
      const propID = await propIdOf(app, created.id);
      await main(
        `UPDATE dbo.tObjectCreations SET createdAt = DATEADD(second, -${seconds}, SYSUTCDATETIME()) WHERE propID = ${propID}`,
      );
    };
    await age(24 * 60 * 60 - 60);
    expect((await create(path, bodyOf(path), key)).created.id).toBe(created.id);
    await age(24 * 60 * 60 + 1);
    const later = await create(path, bodyOf(path, 'Later'), key);
    expect([later.status, later.replayed, later.created.id === created.id]).toEqual([201, null, false]);
    expect(await create(path, bodyOf(path, 'Later'), key)).toMatchObject({
      json: later.json,
      replayed: 'true',
    });
  });

  test('of an object that reads do not find any more is gone', async () => {
    const key = randomUUID();
    const { created } = await create(path, bodyOf(path, 'Secret title'), key);
    await main(`UPDATE dbo.tObjProperties SET typeID = 1 WHERE propID = ${await propIdOf(app, created.id)}`);
    const again = await create(path, bodyOf(path, 'Secret title'), key);
    expect([again.status, again.created.code]).toEqual([410, 'idempotency-record-gone']);
    expect(again.text).not.toContain('Secret title');
  });

  test('that is refused keeps no key', async () => {
    const key = randomUUID();
    const refused = await create(path, { ...bodyOf(path), bkInt01: 'x' }, key);
    expect(refused.status).toBe(400);
    expect(await create(path, bodyOf(path), key)).toMatchObject({ status: 201, replayed: null });
  });

  test('refuses a key that is too long, and says which header', async () => {
    expect((await create(path, bodyOf(path), 'x'.repeat(255))).status).toBe(201);
    expect(await create(path, bodyOf(path), 'x'.repeat(256))).toMatchObject({
      status: 400,
      json: {
        code: 'invalid-parameters',
        errors: [{ pointer: 'header:Idempotency-Key', detail: 'must have 255 characters at most' }],
      },
    });
  });
});

test('a key is one of a collection, and its parent is part of what was sent', async () => {
  const key = randomUUID();
  const body = { title: 'Same' };
  const first = await create(paths.deeds, body, key);
  const document = await create(paths.documents, body, key);
  expect([first.status, document.status, document.replayed]).toEqual([201, 201, null]);
  const other = await createObjects(alice);
  const elsewhere = await create(`/v8.0/journalized-cases/${other.journalizedCase}/deeds`, body, key);
  expect([elsewhere.status, elsewhere.created.code]).toEqual([422, 'idempotency-key-reused']);
});

test('cases that are sent again leave no number out', async () => {
  const { diary } = await createObjects(alice);
  const path = `/v8.0/diaries/${diary}/journalized-cases`;
  const numbers: (string | undefined)[] = [];
  for (const key of [randomUUID(), randomUUID(), randomUUID()]) {
    const sent = await Promise.all([1, 2, 3].map(() => create(path, { title: 'Case' }, key)));
    numbers.push(sent.find(({ status }) => status === 201)?.created.number);
  }
  expect(numbers).toEqual(['2031/2', '2031/3', '2031/4']);
});

test('applications that act as one user do not share their keys', async () => {
  const key = randomUUID();
  const ids: string[] = [];
  for (const oid of ['app-1', 'app-2', 'app-1']) {
    const token = app.stack.identity.issueToken({ idtyp: 'app', oid, roles: ['Service.Access'] });
    const headers = { 'Idempotency-Key': key };
    const { json } = await app.call('POST', paths.diaries, { token, headers, body: bodyOf(paths.diaries) });
    ids.push((json as Created).id);
  }
  expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([false, true]);
});

test('whatever is sent, in whatever order and how often, there is one object for each caller and key', async () => {
  const step = fc.record({
    by: fc.constantFrom('alice', 'dorte'),
    key: fc.constantFrom('a', 'b'),
    title: fc.constantFrom('One', 'Two'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      const run = randomUUID();
      const model = new Map<string, { readonly title: string; readonly id: string }>();
      for (const { by, key, title } of steps) {
        const caller = by === 'alice' ? alice : dorte;
        const reply = await create(paths.diaries, bodyOf(paths.diaries, title), `${run}${key}`, caller);
        const known = model.get(by + key);
        const isOther = known !== undefined && known.title !== title;
        expect(reply.status).toBe(isOther ? 422 : 201);
        if (isOther) continue;
        expect(reply.replayed).toBe(known === undefined ? null : 'true');
        if (known === undefined) model.set(by + key, { title, id: reply.created.id });
        else expect(reply.created.id).toBe(known.id);
      }
    }),
    { numRuns: 15 },
  );
});

test('a main database without the table of keys creates objects, and refuses those with a key by what is missing', async () => {
  const script = await readFile('infra/database/main/150-object-creations.sql', 'utf8');
  await main('DROP TABLE dbo.tObjectCreations');
  try {
    expect((await create(paths.deeds, { title: 'Without' })).status).toBe(201);
    expect(await create(paths.deeds, { title: 'With' }, randomUUID())).toMatchObject({
      status: 500,
      json: {
        code: 'database-contract',
        detail: 'Cannot use the database: dbo.tObjectCreations is missing.',
        hint: '"npm run migrate -- --contract" lists what the service needs of its databases.',
      },
    });
    const { json } = await alice('GET', '/v8.0/journalized-cases/case-road/deeds?title=With');
    expect(json).toEqual([]);
  } finally {
    await main(script.replace(/^GO$/gm, ''));
  }
  expect((await create(paths.deeds, { title: 'With' }, randomUUID())).status).toBe(201);
});
