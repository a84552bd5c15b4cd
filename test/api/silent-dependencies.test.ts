/**
 * Dependencies that answer nothing: packets vanish on their way, or the process stands still. What callers get within their time, what
 * health says, that all else goes on, and recovery without a restart.
 */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type DevStack, startDevStack } from '../../local/dev-stack.ts';
import { prepareDatabases } from '../../scripts/migrate/migrate.ts';
import { send } from '../support/app.ts';
import { png } from '../support/pictures.ts';
import { scaledByLoad } from '../support/scaled-by-load.ts';
import { keysOfFile } from '../support/signing-keys.ts';
import { containsStatement, startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { untilKeysAreLoaded } from '../support/until-keys-are-loaded.ts';

type Settings = Readonly<Record<string, string>>;
type App = Awaited<ReturnType<DevStack['startAnotherApp']>>;

let stack: DevStack;
let app: App;
let proxies: Readonly<Record<'sql' | 'tables' | 'blobs' | 'identity', TcpProxy>>;
const started: App[] = [];

beforeAll(async () => {
  stack = await startDevStack({
    generateKey: keysOfFile(),
    sampleCalendar: false,
    migrate: (settings, folders) => prepareDatabases(settings, folders),
  });
  const behind = (text = '') => startTcpProxy(Number(/[:,](\d+)(?!.*[:,]\d)/.exec(text)?.[1]));
  const { settings, identity } = stack;
  const [sql, tables, blobs, identityProxy] = await Promise.all([
    behind(settings['DB_SERVER']),
    behind(stack.emulators['tables']),
    behind(stack.emulators['blobs']),
    behind(identity.url),
  ]);
  proxies = { sql, tables, blobs, identity: identityProxy };
  app = await start({});
  await untilKeysAreLoaded(app.calendar, stack.token('alice@example.org'));
});

afterEach(async () => {
  for (const process of Object.values(stack.processes)) process.kill('SIGCONT');
  for (const proxy of Object.values(proxies))
    Object.assign(proxy, { silent: false, onRequest: undefined, onReply: undefined });
  stack.identity.intercept = undefined;
});

afterAll(async () => {
  await Promise.all(started.map((other) => other.stop()));
  await stack.stop();
  await Promise.all(Object.values(proxies).map((proxy) => proxy[Symbol.asyncDispose]()));
});

/** Starts an app whose ways to its dependencies lead through the proxies. */
async function start(more: Settings): Promise<App> {
  const { settings } = stack;
  const through = (setting: string, { port }: TcpProxy) =>
    (settings[setting] ?? '').replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);
  const another = await stack.startAnotherApp({
    DB_SERVER: `127.0.0.1,${proxies.sql.port}`,
    CALENDAR_TABLE_CONNECTION_STRING: through('CALENDAR_TABLE_CONNECTION_STRING', proxies.tables),
    CALENDAR_BLOB_CONNECTION_STRING: through('CALENDAR_BLOB_CONNECTION_STRING', proxies.blobs),
    ...more,
  });
  started.push(another);
  return another;
}

const token = () => stack.token('alice@example.org', ['Calendar.Editor', 'Service.Access']);
const customData = '/v8.0/documents/document-letter/custom-data';
const events = '/tribe/events/v1/events';

interface Outcome {
  readonly status: number;
  readonly code: string | undefined;
  readonly comesBack: boolean;
}

/** Sends a call, and holds it to the time of a request. */
async function call(method: string, url: string, body?: unknown, headers = {}): Promise<Outcome> {
  const startedAt = performance.now();
  const reply = await send(method, url, { token: token(), headers, ...(body === undefined ? {} : { body }) });
  expect(performance.now() - startedAt).toBeLessThan(scaledByLoad(10_000));
  const code = /"code":"([^"]+)"/.exec(reply.status < 400 ? '' : reply.text)?.[1];
  return { status: reply.status, code, comesBack: reply.headers.has('retry-after') };
}

const refused = (code: string): Outcome => ({ status: 503, code, comesBack: true });

/** Returns the codes of dependencies that fail, by name; a probe waits for four seconds at most. */
async function failing({ base }: App = app): Promise<Record<string, unknown>> {
  const startedAt = performance.now();
  const { text } = await send('GET', `${base}/health`, {});
  expect(performance.now() - startedAt).toBeLessThan(scaledByLoad(4_000));
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, { code?: string }> };
  return Object.fromEntries(
    Object.entries(dependencies).flatMap(([name, { code }]) => (code ? [[name, code]] : [])),
  );
}

const statusOf = async (method: string, url: string, body?: unknown) =>
  (await send(method, url, { token: token(), ...(body === undefined ? {} : { body }) })).status;

/** The ways in which a dependency becomes silent. */
const silences = {
  'whose process stands still': (name: 'sql' | 'tables' | 'blobs') =>
    stack.processes[name === 'sql' ? 'sql-server' : name]?.kill('SIGSTOP'),
  'that no packet reaches': (name: 'sql' | 'tables' | 'blobs') => {
    proxies[name].silent = 'requests';
  },
  'from which no packet comes': (name: 'sql' | 'tables' | 'blobs') => {
    proxies[name].silent = 'replies';
  },
  'that new connections cannot reach': (name: 'sql' | 'tables' | 'blobs') => {
    proxies[name].silent = true;
    proxies[name].cutAll();
  },
};
const kinds = Object.keys(silences) as (keyof typeof silences)[];

describe('a database server', () => {
  async function becomesUnavailable(): Promise<void> {
    const calls = Array.from({ length: 12 }, () => call('GET', app.base + customData));
    await expect.poll(() => failing()).toEqual({ database: 'database-unavailable' });
    expect(await call('GET', app.base + events)).toMatchObject({ status: 200 });
    expect(new Set((await Promise.all(calls)).map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set([JSON.stringify(refused('database-unavailable'))]),
    );
    expect(await call('PUT', app.base + customData, { remark: 'silent' })).toEqual(
      refused('database-unavailable'),
    );
  }

  async function recovers(): Promise<void> {
    await expect.poll(() => statusOf('GET', app.base + customData)).toBe(200);
    await expect.poll(() => failing()).toEqual({});
  }

  test.each(kinds)('%s is unavailable, not busy', async (kind) => {
    await recovers();
    silences[kind]('sql');
    await becomesUnavailable();
    proxies.sql.silent = false;
    stack.processes['sql-server']?.kill('SIGCONT');
    await recovers();
  });

  test('that becomes silent in the middle of a reply is unavailable, not busy', async () => {
    await recovers();
    const large = `${app.base}/v8.0/documents/document-letter/custom-data/large`;
    expect(await statusOf('PUT', large, JSON.stringify('x'.repeat(300_000)))).toBeLessThan(300);
    proxies.sql.onRequest = (bytes) => {
      if (containsStatement(bytes, 'r.customData'))
        proxies.sql.onReply = () => {
          proxies.sql.silent = true;
          return 'pass';
        };
      return 'pass';
    };
    expect(await call('GET', large)).toEqual(refused('database-unavailable'));
    Object.assign(proxies.sql, { silent: false, onRequest: undefined, onReply: undefined });
    await recovers();
    expect(await statusOf('GET', large)).toBe(200);
  });

  test('that becomes silent at COMMIT leaves the outcome unknown', async () => {
    await recovers();
    proxies.sql.onRequest = (bytes) => {
      if (containsStatement(bytes, 'COMMIT TRANSACTION')) proxies.sql.silent = 'replies';
      return 'pass';
    };
    const body = { remark: 'at COMMIT', invoice: { number: 'silent', amount: 1, dueDate: null, paid: true } };
    expect(await call('PUT', app.base + customData, body)).toEqual(refused('outcome-unknown'));
    Object.assign(proxies.sql, { silent: false, onRequest: undefined });
    await recovers();
  });

  test('that is slow for one caller is busy, not unavailable', async () => {
    const url = `${app.base}/v8.0/documents/document-letter/custom-data`;
    expect(await statusOf('GET', url)).toBe(200);
    const held: string[] = [];
    proxies.sql.onRequest = (bytes) => {
      if (!containsStatement(bytes, 'SELECT version FROM dbo.tCustomDataVersions')) return 'pass';
      held.push('held');
      return 'hold';
    };
    const calls = Array.from({ length: 8 }, () => call('GET', url));
    await expect.poll(() => held.length).toBeGreaterThanOrEqual(6);
    const codes = (await Promise.all(calls)).map(({ code }) => code);
    expect(codes).toContain('database-busy');
    proxies.sql.onRequest = undefined;
    proxies.sql.release();
    await recovers();
  });
});

describe('a managed identity', () => {
  test('that does not answer makes the database unavailable', async () => {
    const { identityEndpoint, identityHeader } = stack.identity;
    proxies.identity.silent = true;
    const other = await start({
      DB_TRUSTED_CONNECTION: 'true',
      DB_USER: '',
      DB_PASSWORD: '',
      IDENTITY_ENDPOINT: identityEndpoint.replace(/:\d+/, `:${proxies.identity.port}`),
      IDENTITY_HEADER: identityHeader,
    });
    await untilKeysAreLoaded(other.calendar, token());
    expect(await call('GET', other.base + customData)).toEqual(refused('database-unavailable'));
    expect(await failing(other)).toEqual({ database: 'database-unavailable' });
    expect(await call('GET', other.base + events)).toMatchObject({ status: 200 });
    proxies.identity.silent = false;
    await expect.poll(() => statusOf('GET', other.base + customData)).toBe(200);
    await expect.poll(() => failing(other)).toEqual({});
  });
});

describe('a table storage', () => {
  const event = { title: 'Silent', start_date: '2030-01-01 10:00:00', end_date: '2030-01-01 11:00:00' };

  test.each(kinds)('%s is unavailable: reads are answered from memory, writes refused', async (kind) => {
    await expect.poll(() => statusOf('POST', app.base + events, event)).toBe(201);
    silences[kind]('tables');
    expect(
      (await Promise.all([1, 2, 3].map(() => call('GET', app.base + events)))).map(({ status }) => status),
    ).toEqual([200, 200, 200]);
    expect(await failing()).toEqual({ calendar: 'tables-unreachable' });
    const { status, code, comesBack } = await call('POST', app.base + events, event);
    expect([status, comesBack]).toEqual([503, true]);
    expect(['calendar-unavailable', 'calendar-outcome-unknown']).toContain(code);
    expect(await call('GET', app.base + customData)).toMatchObject({ status: 200 });
    proxies.tables.silent = false;
    stack.processes['tables']?.kill('SIGCONT');
    await expect.poll(() => statusOf('POST', app.base + events, event)).toBe(201);
    await expect.poll(() => failing()).toEqual({});
  });

  test('that is silent from the start of an app makes its calendar unavailable, and nothing else', async () => {
    proxies.tables.silent = true;
    const other = await start({});
    await expect.poll(() => statusOf('GET', other.base + customData)).toBe(200);
    expect(await failing(other)).toEqual({ calendar: 'tables-unreachable' });
    expect(await call('GET', other.base + events)).toEqual(refused('calendar-unavailable'));
    proxies.tables.silent = false;
    await expect.poll(() => statusOf('GET', other.base + events)).toBe(200);
    await expect.poll(() => failing(other)).toEqual({});
  });
});

describe('a blob storage', () => {
  const media = () => `${new URL(app.base).origin}/wp-json/wp/v2/media`;
  const headers = { 'Content-Type': 'image/png', 'Content-Disposition': 'attachment; filename="a.png"' };
  async function uploaded() {
    const { status, text } = await send('POST', media(), {
      token: token(),
      headers,
      body: new Uint8Array(png()),
    });
    expect(status).toBe(201);
    return JSON.parse(text) as { readonly id: number; readonly source_url: string };
  }

  test.each(kinds)('%s is unavailable, and nothing else', async (kind) => {
    const [shown, deleted] = [await uploaded(), await uploaded()];
    silences[kind]('blobs');
    const reads = await Promise.all(Array.from({ length: 20 }, () => call('GET', shown.source_url)));
    expect(reads).toEqual(Array.from({ length: 20 }, () => refused('pictures-unavailable')));
    expect(await call('POST', media(), new Uint8Array(png()), headers)).toEqual(
      refused('pictures-unavailable'),
    );
    // Its record is gone, and its bytes are nobody's then.
    expect(await call('DELETE', `${media()}/${deleted.id}?force=true`)).toMatchObject({ status: 200 });
    expect(await failing()).toEqual({});
    expect(await call('GET', app.base + events)).toMatchObject({ status: 200 });
    proxies.blobs.silent = false;
    stack.processes['blobs']?.kill('SIGCONT');
    await expect.poll(() => statusOf('GET', shown.source_url)).toBe(200);
    await uploaded();
  });
});

test('an identity provider that does not answer: who shows a token is refused for now, and the others are served', async () => {
  stack.identity.intercept = () => true;
  const other = await start({});
  expect(await call('GET', other.base + customData)).toEqual(refused('signing-keys-unavailable'));
  expect(await failing(other)).toMatchObject({ 'identity-provider': 'signing-keys-unavailable' });
  expect((await send('GET', other.base + events, {})).status).toBe(200);
  // Keys that are known are good through an outage.
  expect(await call('GET', app.base + customData)).toMatchObject({ status: 200 });
  stack.identity.intercept = undefined;
  await expect.poll(() => statusOf('GET', other.base + customData)).toBe(200);
  await expect.poll(() => failing(other)).toEqual({});
});
