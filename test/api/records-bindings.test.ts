/** BIND_USERS: a user is the account (the claim `oid`) of their first sign-in. With the rights of a deployment. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { appLogin } from '../support/database-settings.ts';
import { databasesOf } from '../support/execute-sql.ts';

const app = useApp({ databases: 'app-rights', settings: { BIND_USERS: 'true' } });
const { customization } = databasesOf(app);
const alice = 'alice@example.org';
const bjorn = 'bjorn@example.org';

function signIn(email: string, oid: string, base = app.base) {
  return app.call('GET', '/v8.0/authorized', { token: app.stack.identity.issueToken({ email, oid }), base });
}

/** An app that has no bindings of alice in its memory, and no request for its health yet. */
let another: Awaited<ReturnType<typeof app.startAnother>>;
beforeAll(async () => {
  another = await app.startAnother({ APIS: 'records' });
});
afterAll(() => another[Symbol.asyncDispose]());

describe('a user', () => {
  const first = randomUUID();

  beforeEach(async () => {
    expect((await signIn(alice, first)).status).toBe(200);
  });

  test('signs in again as the same account', async () => {
    expect((await signIn(alice.toUpperCase(), first)).json).toMatchObject({ account: 'alice' });
  });

  test('is not another account with the same e-mail address', async () => {
    const reply = await signIn(alice, randomUUID());
    expect({ status: reply.status, json: reply.json }).toMatchObject({
      status: 401,
      json: { code: 'user-bound' },
    });
    expect(reply.headers.get('www-authenticate')).toContain(
      'Bearer realm="records", error="invalid_token", error_description="the user with the e-mail address of the token is bound to another account"',
    );
    expect((await signIn(alice, randomUUID(), another.base)).status).toBe(401);
  });

  test('is another account once an operator has deleted the binding', async () => {
    await customization('DELETE FROM dbo.tUserBindings WHERE usrPropID = 2');
    await using fresh = await app.startAnother({ APIS: 'records' });
    const statuses = [
      (await signIn(alice, 'new account', fresh.base)).status,
      (await signIn(alice, first, fresh.base)).status,
    ];
    expect(statuses).toEqual([200, 401]);
    await customization(`UPDATE dbo.tUserBindings SET objectId = N'${first}' WHERE usrPropID = 2`);
  });
});

test('of accounts that sign in first at the same time, one becomes the user, in all processes', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      const oid = `account ${index % 4}`;
      return { oid, status: (await signIn(bjorn, oid, index % 3 === 0 ? another.base : app.base)).status };
    }),
  );
  const winners = new Set(outcomes.filter(({ status }) => status === 200).map(({ oid }) => oid));
  expect(winners.size).toBe(1);
  expect(outcomes.filter(({ oid }) => winners.has(oid)).map(({ status }) => status)).toEqual(
    Array(4).fill(200),
  );
  expect(outcomes.filter(({ oid }) => !winners.has(oid)).map(({ status }) => status)).toEqual(
    Array(12).fill(401),
  );
});

test('health names the right to bind that is missing', async () => {
  await customization(`DENY INSERT ON dbo.tUserBindings TO [${appLogin.user}]`);
  try {
    await expect
      .poll(async () => (await app.call('GET', '/health', { base: another.base })).json)
      .toMatchObject({
        dependencies: { database: { detail: expect.stringContaining('the right to INSERT tUserBindings') } },
      });
  } finally {
    await customization(`REVOKE INSERT ON dbo.tUserBindings FROM [${appLogin.user}]`);
  }
});

test('an application that acts as the service is bound to nothing', async () => {
  const asService = (oid: string) =>
    app.call('GET', '/v8.0/authorized', {
      token: app.stack.identity.issueToken({
        idtyp: 'app',
        roles: ['Service.Access'],
        email: undefined,
        oid,
      }),
    });
  expect([(await asService('one')).status, (await asService('two')).status]).toEqual([200, 200]);
});
