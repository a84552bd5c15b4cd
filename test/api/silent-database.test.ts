/**
 * A database server, an identity endpoint and an identity provider that answer nothing: packets vanish on their way, or the process stands
 * still. What callers get within their time, what health says, that all else goes on, and recovery without a restart.
 */

import { describe, expect, test } from 'vitest';
import { send } from '../support/app.ts';
import { customDataPath, eventsPath, refused, useSilencedStack } from '../support/silenced-stack.ts';
import { containsStatement } from '../support/tcp-proxy.ts';
import { untilKeysAreLoaded } from '../support/until-keys-are-loaded.ts';

const tested = useSilencedStack();
const { call, failing, statusOf, token } = tested;
const kinds = Object.keys(tested.silences) as (keyof typeof tested.silences)[];

describe('a database server', () => {
  async function becomesUnavailable(): Promise<void> {
    const calls = Array.from({ length: 12 }, () => call('GET', tested.app.base + customDataPath));
    await expect.poll(() => failing()).toEqual({ database: 'database-unavailable' });
    expect(await call('GET', tested.app.base + eventsPath)).toMatchObject({ status: 200 });
    expect(new Set((await Promise.all(calls)).map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set([JSON.stringify(refused('database-unavailable'))]),
    );
    // Details that cannot be read in time are left out.
    expect(await failing(tested.app, token())).toEqual({ database: 'database-unavailable' });
    expect(await call('PUT', tested.app.base + customDataPath, { remark: 'silent' })).toEqual(
      refused('database-unavailable'),
    );
  }

  async function recovers(): Promise<void> {
    await expect.poll(() => statusOf('GET', tested.app.base + customDataPath)).toBe(200);
    await expect.poll(() => failing()).toEqual({});
  }

  test.each(kinds)('%s is unavailable, not busy', async (kind) => {
    await recovers();
    tested.silences[kind]('sql');
    await becomesUnavailable();
    tested.proxies.sql.silent = false;
    tested.stack.processes['sql-server']?.kill('SIGCONT');
    await recovers();
  });

  test('that becomes silent in the middle of a reply is unavailable, not busy', async () => {
    await recovers();
    const large = `${tested.app.base}/v8.0/documents/document-letter/custom-data/large`;
    expect(await statusOf('PUT', large, JSON.stringify('x'.repeat(300_000)))).toBeLessThan(300);
    tested.proxies.sql.onRequest = (bytes) => {
      if (containsStatement(bytes, 'r.customData'))
        tested.proxies.sql.onReply = () => {
          tested.proxies.sql.silent = true;
          return 'pass';
        };
      return 'pass';
    };
    expect(await call('GET', large)).toEqual(refused('database-unavailable'));
    Object.assign(tested.proxies.sql, { silent: false, onRequest: undefined, onReply: undefined });
    await recovers();
    expect(await statusOf('GET', large)).toBe(200);
  });

  test('whose open connections are dead, while new ones work, costs one call', async () => {
    await recovers();
    await Promise.all(Array.from({ length: 6 }, () => call('GET', tested.app.base + customDataPath)));
    tested.proxies.sql.silenceOpen();
    expect(await call('GET', tested.app.base + customDataPath)).toEqual(refused('database-unavailable'));
    expect(await call('GET', tested.app.base + customDataPath)).toMatchObject({ status: 200 });
  });

  test('that becomes silent at COMMIT leaves the outcome unknown', async () => {
    await recovers();
    tested.proxies.sql.onRequest = (bytes) => {
      if (containsStatement(bytes, 'COMMIT TRANSACTION')) tested.proxies.sql.silent = 'replies';
      return 'pass';
    };
    const body = { remark: 'at COMMIT', invoice: { number: 'silent', amount: 1, dueDate: null, paid: true } };
    expect(await call('PUT', tested.app.base + customDataPath, body)).toEqual(refused('outcome-unknown'));
    Object.assign(tested.proxies.sql, { silent: false, onRequest: undefined });
    await recovers();
  });

  test('that is slow for one caller is busy, not unavailable', async () => {
    const url = `${tested.app.base}/v8.0/documents/document-letter/custom-data`;
    expect(await statusOf('GET', url)).toBe(200);
    const held: string[] = [];
    tested.proxies.sql.onRequest = (bytes) => {
      if (!containsStatement(bytes, 'SELECT version FROM dbo.tCustomDataVersions')) return 'pass';
      held.push('held');
      return 'hold';
    };
    const calls = Array.from({ length: 8 }, () => call('GET', url));
    await expect.poll(() => held.length).toBeGreaterThanOrEqual(6);
    const codes = (await Promise.all(calls)).map(({ code }) => code);
    expect(codes).toContain('database-busy');
    tested.proxies.sql.onRequest = undefined;
    tested.proxies.sql.release();
    await recovers();
  });
});

describe('a managed identity', () => {
  test('that does not answer makes the database unavailable', async () => {
    const { identityEndpoint, identityHeader } = tested.stack.identity;
    tested.proxies.identity.silent = true;
    const other = await tested.start({
      DB_TRUSTED_CONNECTION: 'true',
      DB_USER: '',
      DB_PASSWORD: '',
      IDENTITY_ENDPOINT: identityEndpoint.replace(/:\d+/, `:${tested.proxies.identity.port}`),
      IDENTITY_HEADER: identityHeader,
    });
    await untilKeysAreLoaded(other.calendar, token());
    expect(await call('GET', other.base + customDataPath)).toEqual(refused('database-unavailable'));
    expect(await failing(other)).toEqual({ database: 'database-unavailable' });
    expect(await call('GET', other.base + eventsPath)).toMatchObject({ status: 200 });
    tested.proxies.identity.silent = false;
    await expect.poll(() => statusOf('GET', other.base + customDataPath)).toBe(200);
    await expect.poll(() => failing(other)).toEqual({});
  });
});

test('an identity provider that does not answer: who shows a token is refused for now, and the others are served', async () => {
  tested.stack.identity.intercept = () => true;
  const other = await tested.start({});
  expect(await call('GET', other.base + customDataPath)).toEqual(refused('signing-keys-unavailable'));
  expect(await failing(other)).toMatchObject({ 'identity-provider': 'signing-keys-unavailable' });
  expect((await send('GET', other.base + eventsPath, {})).status).toBe(200);
  // Keys that are known are good through an outage.
  expect(await call('GET', tested.app.base + customDataPath)).toMatchObject({ status: 200 });
  tested.stack.identity.intercept = undefined;
  await expect.poll(() => statusOf('GET', other.base + customDataPath)).toBe(200);
  await expect.poll(() => failing(other)).toEqual({});
});
