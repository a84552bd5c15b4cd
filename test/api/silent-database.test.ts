/**
 * A database server, an identity endpoint and an identity provider that answer nothing: packets vanish on their way, or the process stands
 * still. What callers get within their time, what health says, that all else goes on, and recovery without a restart.
 */

import { describe, type ExpectStatic, expect, test } from 'vitest';
import { send } from '../support/app.ts';
import {
  type App,
  blockings,
  customDataPath,
  eventsPath,
  refused,
  useSilencedStack,
} from '../support/silenced-stack.ts';
import { containsStatement, startTcpProxy } from '../support/tcp-proxy.ts';

const tested = useSilencedStack();
const { call, failing, statusOf, token } = tested;

/** Tests that run at the same time have each an `expect`. */
async function becomesUnavailable(app: App, expect: ExpectStatic): Promise<void> {
  const calls = Array.from({ length: 12 }, () => call('GET', app.base + customDataPath));
  await expect.poll(() => failing(app)).toEqual({ database: 'database-unavailable' });
  expect(await call('GET', app.base + eventsPath)).toMatchObject({ status: 200 });
  expect(new Set((await Promise.all(calls)).map((outcome) => JSON.stringify(outcome)))).toEqual(
    new Set([JSON.stringify(refused('database-unavailable'))]),
  );
  // Details that cannot be read in time are left out.
  expect(await failing(app, token())).toEqual({ database: 'database-unavailable' });
  expect(await call('PUT', app.base + customDataPath, { remark: 'silent' })).toEqual(
    refused('database-unavailable'),
  );
}

async function recovers(app: App, expect: ExpectStatic): Promise<void> {
  await expect.poll(() => statusOf('GET', app.base + customDataPath)).toBe(200);
  await expect.poll(() => failing(app)).toEqual({});
}

test('a database server whose process stands still is unavailable, not busy', async () => {
  await recovers(tested.app, expect);
  tested.stop('sql');
  await becomesUnavailable(tested.app, expect);
  tested.resume('sql');
  await recovers(tested.app, expect);
});

// Each has an app of its own, and the server goes on.
describe.concurrent('a database server', () => {
  test.for(Object.entries(blockings))('%s is unavailable, not busy', async ([, block], { expect }) => {
    await using way = await tested.start();
    const { app, sql } = way;
    await recovers(app, expect);
    block(sql);
    await becomesUnavailable(app, expect);
    sql.silent = false;
    await recovers(app, expect);
  });

  test('that becomes silent in the middle of a reply is unavailable, not busy', async ({ expect }) => {
    await using way = await tested.start();
    const { app, sql } = way;
    await recovers(app, expect);
    const large = `${app.base}/v8.0/documents/document-letter/custom-data/large`;
    expect(await statusOf('PUT', large, JSON.stringify('x'.repeat(300_000)))).toBeLessThan(300);
    sql.onRequest = (bytes) => {
      if (containsStatement(bytes, 'r.customData'))
        sql.onReply = () => {
          sql.silent = true;
          return 'pass';
        };
      return 'pass';
    };
    expect(await call('GET', large)).toEqual(refused('database-unavailable'));
    Object.assign(sql, { silent: false, onRequest: undefined, onReply: undefined });
    await recovers(app, expect);
    expect(await statusOf('GET', large)).toBe(200);
  });

  test('whose open connections are dead, while new ones work, costs one call', async ({ expect }) => {
    await using way = await tested.start();
    const { app, sql } = way;
    await recovers(app, expect);
    await Promise.all(Array.from({ length: 6 }, () => call('GET', app.base + customDataPath)));
    sql.silenceOpen();
    expect(await call('GET', app.base + customDataPath)).toEqual(refused('database-unavailable'));
    expect(await call('GET', app.base + customDataPath)).toMatchObject({ status: 200 });
  });

  test('that becomes silent at COMMIT leaves the outcome unknown', async ({ expect }) => {
    await using way = await tested.start();
    const { app, sql } = way;
    await recovers(app, expect);
    sql.onRequest = (bytes) => {
      if (containsStatement(bytes, 'COMMIT TRANSACTION')) sql.silent = 'replies';
      return 'pass';
    };
    const body = { remark: 'at COMMIT', invoice: { number: 'silent', amount: 1, dueDate: null, paid: true } };
    expect(await call('PUT', app.base + customDataPath, body)).toEqual(refused('outcome-unknown'));
    Object.assign(sql, { silent: false, onRequest: undefined });
    await recovers(app, expect);
  });

  test('that is slow for one caller is busy, not unavailable', async ({ expect }) => {
    await using way = await tested.start();
    const { app, sql } = way;
    const url = app.base + customDataPath;
    expect(await statusOf('GET', url)).toBe(200);
    const held: string[] = [];
    sql.onRequest = (bytes) => {
      if (!containsStatement(bytes, 'SELECT version FROM dbo.tCustomDataVersions')) return 'pass';
      held.push('held');
      return 'hold';
    };
    const calls = Array.from({ length: 8 }, () => call('GET', url));
    await expect.poll(() => held.length).toBeGreaterThanOrEqual(6);
    const codes = (await Promise.all(calls)).map(({ code }) => code);
    expect(codes).toContain('database-busy');
    sql.onRequest = undefined;
    sql.release();
    await recovers(app, expect);
  });

  test('whose managed identity does not answer is unavailable', async ({ expect }) => {
    const { identityEndpoint, identityHeader } = tested.stack.identity;
    await using identity = await startTcpProxy(Number(new URL(identityEndpoint).port));
    identity.silent = true;
    await using way = await tested.start({
      DB_TRUSTED_CONNECTION: 'true',
      DB_USER: '',
      DB_PASSWORD: '',
      IDENTITY_ENDPOINT: identityEndpoint.replace(/:\d+/, `:${identity.port}`),
      IDENTITY_HEADER: identityHeader,
    });
    const { app } = way;
    expect(await call('GET', app.base + customDataPath)).toEqual(refused('database-unavailable'));
    expect(await failing(app)).toEqual({ database: 'database-unavailable' });
    expect(await call('GET', app.base + eventsPath)).toMatchObject({ status: 200 });
    identity.silent = false;
    await expect.poll(() => statusOf('GET', app.base + customDataPath)).toBe(200);
    await expect.poll(() => failing(app)).toEqual({});
  });
});

test('an identity provider that does not answer: who shows a token is refused for now, and the others are served', async () => {
  tested.stack.identity.intercept = () => true;
  await using way = await tested.start();
  const { app: other } = way;
  expect(await call('GET', other.base + customDataPath)).toEqual(refused('signing-keys-unavailable'));
  expect(await failing(other)).toMatchObject({ 'identity-provider': 'signing-keys-unavailable' });
  expect((await send('GET', other.base + eventsPath, {})).status).toBe(200);
  // Keys that are known are good through an outage.
  expect(await call('GET', tested.app.base + customDataPath)).toMatchObject({ status: 200 });
  tested.stack.identity.intercept = undefined;
  await expect.poll(() => statusOf('GET', other.base + customDataPath)).toBe(200);
  await expect.poll(() => failing(other)).toEqual({});
});
