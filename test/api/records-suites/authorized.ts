/** GET authorized, and the callers of the records API. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { servesMetadata, setEmail } from '../../support/records.ts';
import { publishedDocument } from '../../support/reply-checker.ts';

export function testAuthorized(app: TestApp): void {
  beforeAll(async () => {
    await setEmail(app, 6, '\u00e5ke@example.org');
  });

  describe.each(['v7', 'v8.0'])('GET /%s/authorized', (version) => {
    test.each([
      ['alice@example.org', { account: 'alice', name: 'Alice Archer', usrPropID: 2, langID: 1033 }],
      ['ALICE@example.org', { account: 'alice', name: 'Alice Archer', usrPropID: 2, langID: 1033 }],
      ['bjorn@example.org', { account: 'bjorn', name: 'Björn Berg', usrPropID: 3, langID: 1053 }],
      ['dorte@example.org', { account: 'dorte', name: 'Dorte Dahl', usrPropID: 4, langID: 1030 }],
    ])('tells %s who they are', async (email, expected) => {
      const reply = await app.call('GET', `/${version}/authorized`, { token: app.token(email) });
      expect({ status: reply.status, json: reply.json }).toEqual({ status: 200, json: expected });
    });

    test.each([
      ['has no person record', 'gustav@example.org'],
      ['has a person record but no user settings', 'hanna@example.org'],
      ['differs in a trailing space', 'alice@example.org '],
    ])('answers 401 to a user who %s', async (_, email) => {
      const reply = await app.call('GET', `/${version}/authorized`, { token: app.token(email) });
      expect(reply.status).toBe(401);
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer realm="records", error="invalid_token"/);
    });

    test.each([
      ['of K', 'erik@example.org', 'eri\u212a@example.org'],
      ['of A', '\u00e5ke@example.org', '\u212bke@example.org'],
      ['of a letter beyond ASCII', '\u00e5ke@example.org', '\u00c5ke@example.org'],
      ['that is decomposed', '\u00e5ke@example.org', 'a\u030ake@example.org'],
      ['of full width', 'erik@example.org', '\uff45rik@example.org'],
      ['that is invisible', 'erik@example.org', 'eri\u200dk@example.org'],
    ])('answers 401 to a user with a look-alike %s in the address', async (_, registered, lookAlike) => {
      const statusFor = async (email: string) =>
        (await app.call('GET', `/${version}/authorized`, { token: app.token(email) })).status;
      expect([await statusFor(registered), await statusFor(lookAlike)]).toEqual([200, 401]);
    });

    test('answers 401 without a token', async () => {
      const reply = await app.call('GET', `/${version}/authorized`);
      expect(reply.status).toBe(401);
      expect(reply.headers.get('www-authenticate')).toMatch(
        /^Bearer realm="records", authorization_uri="[^"]+\/oauth2\/authorize"$/,
      );
      expect(reply.json).toMatchObject({ code: 'credentials-missing' });
    });
  });

  test('every endpoint of the records API answers 401 without a token', async () => {
    const { paths } = (await publishedDocument(app.base)) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const operations = Object.entries(paths)
      .filter(([path]) => /^\/v(7|8\.0)\//.test(path))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => ({
          method: method.toUpperCase(),
          path: path.replace(/\{\w+\}/g, 'x'),
        })),
      )
      .filter(({ method }) => /^(GET|POST|PUT|PATCH|DELETE)$/.test(method));
    const statuses = await Promise.all(
      operations.map(async ({ method, path }) => ({
        method,
        path,
        status: (await app.call(method, path, method === 'GET' ? {} : { body: {} })).status,
      })),
    );
    expect(statuses.length).toBeGreaterThan(servesMetadata(app) ? 50 : 20);
    expect(statuses.filter(({ status }) => status !== 401)).toEqual([]);
  });

  test.each([
    ['/v8/diaries', 'v8.0'],
    ['/v8.1/diaries', 'v8.0'],
    ['/v7.0/authorized', 'v7'],
  ])('%s asks whether %s was meant', async (path, version) => {
    const { status, json } = await app.call('GET', path);
    const basePath = app.base.slice(app.stack.url.length);
    expect({ status, json }).toMatchObject({
      status: 404,
      json: { code: 'no-such-path', hint: `Did you mean ${basePath}/${version}/...?` },
    });
  });
}
