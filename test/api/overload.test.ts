/** More requests of one caller at once, or more bytes of their bodies and replies, than one process takes, while the database holds them all up. */

import { expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { executeSql } from '../support/execute-sql.ts';
import { recordsAs } from '../support/records.ts';
import { createDatabasesBehindProxy } from '../support/sql-server-behind-proxy.ts';
import { containsStatement } from '../support/tcp-proxy.ts';

const { proxy, settings } = await createDatabasesBehindProxy();
const app = useApp({
  settings: { ...settings, BODY_BYTES_IN_FLIGHT: String(8 * 1024 * 1024) },
  prepareDatabases: false,
});
const alice = recordsAs(app, 'alice@example.org');
const björn = recordsAs(app, 'bjorn@example.org');

const refusals = ['503 database-busy 1', '503 overloaded 1'];

async function expectOthersAreServed(): Promise<void> {
  const others = await Promise.all([
    björn('GET', '/v7/diaries'),
    app.call('GET', '/health'),
    app.call('GET', '/tribe/events/v1/events'),
  ]);
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
}

function letHeldGo(): void {
  proxy.onRequest = undefined;
  proxy.release();
}

test('of 520 requests of one caller that the database holds up, those that find no place are refused with a problem, and others are served meanwhile', async () => {
  expect((await björn('GET', '/v7/diaries')).status).toBe(200);
  expect((await app.call('GET', '/health')).status).toBe(200);
  const outcomes: string[] = [];
  const token = app.token('alice@example.org');
  const call = async () => {
    const { status, headers, json } = await alice('GET', '/v7/reference-data/countries', { token });
    const { code = '' } = json as { code?: string };
    outcomes.push(`${status} ${code} ${headers.get('retry-after') ?? ''}`.trim());
  };
  proxy.onRequest = (bytes) => (containsStatement(bytes, 'RefData_countries') ? 'hold' : 'pass');
  const calls = Array.from({ length: 520 }, call);
  await expect.poll(() => outcomes.filter((one) => refusals.includes(one)).length).toBeGreaterThan(400);
  await expectOthersAreServed();
  letHeldGo();
  await Promise.all(calls);
  // What was held for too long, by a busy machine, is refused as well.
  expect(outcomes.filter((one) => one !== '200' && !one.startsWith('503 '))).toEqual([]);
  await expect.poll(async () => (await alice('GET', '/v7/reference-data/countries')).status).toBe(200);
});

test('a large reply that is handed over in slices comes back as it was sent, wherever its characters stand', async () => {
  const path = '/v8.0/documents/document-letter/custom-data';
  for (const start of ['', 'a']) {
    const body = { remark: start + '😀'.repeat(300_000) };
    expect((await alice('PUT', path, { body })).status).toBe(200);
    const { text } = await alice('GET', path);
    expect((JSON.parse(text) as typeof body).remark === body.remark).toBe(true);
  }
});

test('large replies to one caller beyond their share of the bytes in flight are refused at once, and others are served meanwhile (11)', async () => {
  const path = '/v8.0/documents/document-letter/custom-data';
  const stored = { remark: 'x'.repeat(3 * 1024 * 1024) };
  await expect
    .poll(async () => {
      const r = await alice('PUT', path, { body: stored });
      return r.status;
    })
    .toBe(200);
  expect((await alice('GET', path)).text.length).toBeGreaterThan(stored.remark.length);
  const { promise: released, resolve } = Promise.withResolvers<void>();
  proxy.onRequest = (bytes) => {
    if (!containsStatement(bytes, 'tCustomDataTypes')) return 'pass';
    resolve();
    return 'hold';
  };
  const get = async () => {
    const { status, headers, json } = await alice('GET', path);
    return [status, (json as { code?: string }).code, headers.get('retry-after')];
  };
  const first = get();
  await released;
  const refused = [503, 'overloaded', '1'];
  expect(await Promise.all([get(), get(), get()])).toEqual([refused, refused, refused]);
  await expectOthersAreServed();
  letHeldGo();
  await first;
  await expect.poll(async () => (await get())[0]).toBe(200);
});

test('a reply that is larger than all bytes in flight may be is refused while its rows arrive, whatever its format (11)', async () => {
  await executeSql(
    settings,
    'main',
    `CREATE VIEW dbo.RefData_enormous AS SELECT a.n * 10 + b.n AS id, REPLICATE(CAST(N'x' AS nvarchar(max)), 200000) AS label
FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) a(n) CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) b(n)`,
  );
  for (const Accept of ['application/json', 'text/csv']) {
    const { status, json } = await alice('GET', '/v8.0/reference-data/enormous', { headers: { Accept } });
    expect([status, (json as { code?: string }).code]).toEqual([500, 'reply-too-large']);
    await expect.poll(async () => (await alice('GET', '/v8.0/reference-data/countries')).status).toBe(200);
  }
  await executeSql(settings, 'main', 'DROP VIEW dbo.RefData_enormous');
});

test('bodies of one caller beyond their share of the bytes in flight are refused at once, and others are served meanwhile (11)', async () => {
  const path = '/v8.0/documents/document-contract/custom-data';
  const body = { remark: 'x'.repeat(3 * 1024 * 1024) };
  const put = async () => {
    const { status, headers, json } = await alice('PUT', path, { body });
    return [status, (json as { code?: string }).code, headers.get('retry-after')];
  };
  const refused = [503, 'overloaded', '1'];
  const { promise: released, resolve } = Promise.withResolvers<void>();
  proxy.onRequest = (bytes) => {
    if (!containsStatement(bytes, 'tCustomDataVersions')) return 'pass';
    resolve();
    return 'hold';
  };
  const first = put();
  await released;
  expect(await Promise.all([put(), put(), put()])).toEqual([refused, refused, refused]);
  await expectOthersAreServed();
  letHeldGo();
  await first;
  await expect.poll(async () => (await put())[0]).toBe(200);
});
