/** Admission control: requests that are served, wait, or are rejected, while the database holds statements up and while it does not. */

import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { executeSql } from '../support/execute-sql.ts';
import { createObjects, recordsAs } from '../support/records.ts';
import { createDatabasesBehindProxy } from '../support/sql-server-behind-proxy.ts';
import { containsStatement } from '../support/tcp-proxy.ts';

const { proxy, settings } = await createDatabasesBehindProxy();
const mebibyte = 1024 * 1024;
const app = useApp({
  settings: { ...settings, BODY_BYTES_IN_FLIGHT: String(16 * mebibyte), TRUST_FORWARDED_HEADERS: 'true' },
  prepareDatabases: false,
});
const alice = recordsAs(app, 'alice@example.org');
/** Another user of the same language. */
const fiona = recordsAs(app, 'fiona@example.org');

const events = '/tribe/events/v1/events';
const countries = '/v7/reference-data/countries';
const letter = '/v8.0/documents/document-letter/custom-data';
const contract = '/v8.0/documents/document-contract/custom-data';

/** Counts replies by status, and by code where there is one. */
function counted(replies: readonly { readonly status: number; readonly json: unknown }[]) {
  const counts: Record<string, number> = {};
  for (const { status, json } of replies) {
    const { code } = json as { readonly code?: string };
    const name = code === undefined ? String(status) : `${status} ${code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

async function expectOthersAreServed(): Promise<void> {
  const replies = await Promise.all([
    fiona('GET', '/v7/diaries'),
    app.call('GET', '/health'),
    app.call('GET', events),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
}

/** Holds up every statement that contains a text; `held` resolves with the first one. */
function holdUp(text: string) {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  proxy.onRequest = (bytes) => {
    if (!containsStatement(bytes, text)) return 'pass';
    resolve();
    return 'hold';
  };
  return {
    held,
    release() {
      proxy.onRequest = undefined;
      proxy.release();
    },
  };
}

/** Milliseconds that a request waits in a queue before it is rejected, at the least. */
const queueTimeoutMs = 4_000;

/** Sends requests at the same time. Returns those that were not served, but for rejections after the timeout of a queue, which a busy machine may reach. */
async function rejectedEarly(count: number, send: (index: number) => Promise<{ readonly status: number }>) {
  const started = performance.now();
  const replies = await times(count, async (index) => {
    const { status } = await send(index);
    return { status, waitedMs: performance.now() - started };
  });
  return replies.filter(
    ({ status, waitedMs }) => status !== 200 && !(status === 503 && waitedMs > queueTimeoutMs),
  );
}

describe('an idle app rejects nobody', () => {
  test('not one client without a token that mixes repeated and new requests over 100 connections', async () => {
    const rejected = await rejectedEarly(200, (index) =>
      app.call('GET', index % 3 === 0 ? events : `${events}?per_page=5&search=word${index}`),
    );
    expect(rejected).toEqual([]);
  });

  test('not 100 users behind one address', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.1' };
    const rejected = await rejectedEarly(100, (index) =>
      app.call('GET', `${events}?page=1&x=${index}`, { headers }),
    );
    expect(rejected).toEqual([]);
  });

  test('not one user with 200 parallel requests, of which some write', async () => {
    const rejected = await rejectedEarly(200, (index) =>
      index % 10 === 0
        ? alice('PUT', contract, { body: { remark: `number ${index}` } })
        : alice('GET', index % 2 === 0 ? contract : letter),
    );
    expect(rejected).toEqual([]);
  });
});

test('bodies that were refused are in flight no longer', async () => {
  const { document } = await createObjects(alice);
  const path = `/v8.0/documents/${document}/custom-data`;
  const headers = { 'Content-Type': 'application/json' };
  // Together they are more than may be in flight.
  for (let sent = 0; sent < 8; sent += 1) {
    const { status, json } = await alice('PUT', path, { headers, body: `["${'x'.repeat(3 * mebibyte)}"]` });
    expect([status, json]).toEqual([400, expect.objectContaining({ code: 'invalid-body' })]);
  }
  const body = JSON.stringify({ remark: 'x'.repeat(3 * mebibyte) });
  expect((await alice('PUT', path, { headers, body })).status).toBe(200);
});

describe('while the database holds up the statements of one caller', () => {
  test('others are served, and the caller is rejected after the timeout and not before', async () => {
    expect((await fiona('GET', '/v7/diaries')).status).toBe(200);
    const { held, release } = holdUp('RefData_countries');
    const started = performance.now();
    const waits: number[] = [];
    const calls = times(60, async () => {
      const reply = await alice('GET', countries);
      if (reply.status !== 200) waits.push(performance.now() - started);
      return reply;
    });
    await held;
    await expectOthersAreServed();
    await expect.poll(() => waits.length).toBeGreaterThan(0);
    release();
    const replies = await calls;
    expect(Math.min(...waits)).toBeGreaterThan(queueTimeoutMs);
    expect(Object.keys(counted(replies)).filter((name) => name !== '200')).toEqual(['503 database-busy']);
    expect(
      replies.filter(({ status }) => status === 503).map(({ headers }) => headers.get('retry-after')),
    ).toEqual(waits.map(() => '1'));
  });

  test('requests beyond the budget are rejected with a problem, and a quarter of it stays for others', async () => {
    const { held, release } = holdUp('RefData_countries');
    const rejected: unknown[] = [];
    const token = app.token('alice@example.org');
    const calls = times(480, async () => {
      const reply = await alice('GET', countries, { token });
      if (reply.status === 503) rejected.push((reply.json as { code: string }).code);
      return reply;
    });
    await held;
    await expect.poll(() => rejected.filter((code) => code === 'overloaded').length).toBeGreaterThan(90);
    await expectOthersAreServed();
    release();
    const statuses = new Set((await calls).map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 503]));
    await expect.poll(async () => (await alice('GET', countries)).status).toBe(200);
  });
});

describe('clients without a token', () => {
  test('are told apart by the address that the trusted proxy wrote, and not by what they make up before it', async () => {
    const password = (client: string, index: number) =>
      app.call('GET', `${events}/${locked}?password=guess-${client}-${index}`, {
        headers: { 'X-Forwarded-For': `198.51.100.${index % 200}, ${client}` },
      });
    const { status, json } = await app.call('POST', events, {
      token: app.token('alice@example.org'),
      body: {
        title: 'Locked',
        start_date: '2031-01-01 10:00:00',
        end_date: '2031-01-01 11:00:00',
        access_password: 'sesame',
      },
    });
    expect(status).toBe(201);
    const locked = (json as { readonly id: number }).id;
    const ends: string[] = [];
    const end = (name: string) => () => void ends.push(name);
    const guesses = times(40, (index) =>
      password('192.0.2.66', index).then((reply) => {
        end('guess')();
        return reply;
      }),
    );
    await password('192.0.2.1', 0).then(end('reader'));
    expect(ends.filter((name) => name === 'guess').length).toBeLessThan(25);
    expect(Object.keys(counted(await guesses)).toSorted()).toEqual(
      expect.arrayContaining(['403 event-password-protected']),
    );
  });
});

describe('the byte budget', () => {
  const stored = { remark: 'x'.repeat(3 * mebibyte) };

  test('rejects bodies of one caller beyond it, and others are served meanwhile', async () => {
    const { held, release } = holdUp('tCustomDataVersions');
    const put = () => alice('PUT', contract, { body: stored });
    const first = put();
    await held;
    const replies = times(6, put);
    await expectOthersAreServed();
    release();
    expect((await first).status).toBe(200);
    expect(counted(await replies)['503 overloaded']).toBeGreaterThan(0);
    await expect.poll(async () => (await put()).status).toBe(200);
  });

  test.each(['false', 'true'])(
    'has the bytes of a large reply back when its reader hangs up, with HTTP_STREAMING=%s',
    async (HTTP_STREAMING) => {
      await using another = await app.startAnother({ HTTP_STREAMING });
      const { base } = another;
      await expect.poll(async () => (await alice('PUT', letter, { body: stored, base })).status).toBe(200);
      const token = app.token('alice@example.org');
      for (let reader = 0; reader < 8; reader++) await hangUpIn(`${base}${letter}`, token);
      await expect.poll(async () => (await alice('GET', letter, { base })).status).toBe(200);
      expect((await alice('GET', letter, { base })).text.length).toBeGreaterThan(stored.remark.length);
    },
  );

  test('ends a statement whose results are larger than all of it, whatever the format of the reply', async () => {
    await executeSql(
      settings,
      'main',
      `CREATE VIEW dbo.RefData_enormous AS SELECT a.n * 10 + b.n AS id, REPLICATE(CAST(N'x' AS nvarchar(max)), 200000) AS label
FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) a(n) CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) b(n)`,
    );
    for (const Accept of ['application/json', 'text/csv']) {
      const { status, json } = await alice('GET', '/v8.0/reference-data/enormous', { headers: { Accept } });
      expect([status, (json as { code?: string }).code]).toEqual([500, 'reply-too-large']);
      expect((await alice('GET', countries)).status).toBe(200);
    }
    await executeSql(settings, 'main', 'DROP VIEW dbo.RefData_enormous');
  });

  test('a large reply that is handed over in chunks arrives as it was sent, wherever its characters stand', async () => {
    for (const start of ['', 'a']) {
      const body = { remark: start + '😀'.repeat(300_000) };
      expect((await alice('PUT', letter, { body })).status).toBe(200);
      const { text } = await alice('GET', letter);
      expect((JSON.parse(text) as typeof body).remark === body.remark).toBe(true);
    }
  });
});

/** Asks for a reply, and closes the connection at its first bytes. */
function hangUpIn(url: string, token: string): Promise<void> {
  return new Promise((resolve) => {
    const call = httpRequest(url, { headers: { Authorization: `Bearer ${token}` } }, (reply) => {
      reply.once('data', () => call.destroy());
      reply.once('close', resolve);
    });
    call.end();
  });
}
