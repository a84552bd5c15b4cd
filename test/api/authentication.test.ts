/** The callers that are accepted, over HTTP against the built app. */

import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { Identity } from '../../local/index.ts';
import { useApp } from '../support/app.ts';
import { claimsIn, forge, honestHeader, segment } from '../support/issuer.ts';

const app = useApp({ alone: true });
const alice = () => app.token('alice@example.org');
const now = () => Math.floor(Date.now() / 1000);

afterEach(() => {
  app.stack.identity.intercept = undefined;
});

interface ExpectedReply {
  readonly status: number | undefined;
  readonly challenge: string | undefined;
  readonly code: unknown;
}

/** Sends header lines as they are, also the same one twice, which fetch cannot. */
function send(
  authorization: readonly string[],
  path = '/v8.0/authorized',
  base = app.base,
): Promise<ExpectedReply> {
  return new Promise((resolve, reject) => {
    const { host } = new URL(base);
    const headers = ['Host', host, ...authorization.flatMap((value) => ['Authorization', value])];
    const call = request(`${base}${path}`, { headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const { code } = JSON.parse(Buffer.concat(chunks).toString()) as { code?: unknown };
      resolve({ status: response.statusCode, challenge: response.headers['www-authenticate'], code });
    });
    call.on('error', reject).end();
  });
}

/** Adds to the challenge where Excel and Power Query sign in. */
function withSignIn(expected: ExpectedReply): ExpectedReply {
  if (expected.challenge === undefined) return expected;
  const authority = app.stack.settings['AppRegistration__Authority']?.replace(/\/v2\.0$/, '');
  const uri = `authorization_uri="${authority}/oauth2/authorize"`;
  return { ...expected, challenge: `${expected.challenge}, ${uri}` };
}

const invalidToken = (reason: string, code = 'token-invalid'): ExpectedReply => ({
  status: 401,
  challenge: `Bearer realm="records", error="invalid_token", error_description="${reason}"`,
  code,
});

const malformed = (reason: string): ExpectedReply => ({
  status: 401,
  challenge: `Bearer realm="records", error="invalid_request", error_description="${reason}"`,
  code: 'credentials-malformed',
});

/** Signs an honest token again with changed claims, as they are. */
function withClaims(identity: Identity, changes: Record<string, unknown>): string {
  return forge(identity, honestHeader(identity), JSON.stringify({ ...claimsIn(alice()), ...changes }));
}

describe('GET authorized', () => {
  test.each(['v7', 'v8.0'])('of %s answers 200 with who the caller is', async (version) => {
    const { status, json } = await app.call('GET', `/${version}/authorized`, { token: alice() });
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        account: expect.any(String),
        name: expect.any(String),
        usrPropID: expect.any(Number),
        langID: expect.any(Number),
      },
    });
  });

  test('answers 200 for a token of version 1.0', async () => {
    const token = app.stack.identity.issueToken({ email: 'alice@example.org', ver: '1.0' });
    expect((await app.call('GET', '/v8.0/authorized', { token })).status).toBe(200);
  });

  test('answers 200 as the service account for an application with the role for it', async () => {
    const token = app.stack.identity.issueToken({ idtyp: 'app', roles: ['Service.Access'] });
    expect(await app.call('GET', '/v8.0/authorized', { token })).toMatchObject({
      status: 200,
      json: { account: 'records-service' },
    });
  });

  test('answers 401 with a problem that says nothing about what would be right', async () => {
    const token = app.stack.identity.issueToken({
      email: 'alice@example.org',
      aud: 'https://elsewhere.example',
    });
    const reply = await app.call('GET', '/v8.0/authorized', {
      token,
      headers: { 'X-Request-Id': 'audience' },
    });
    expect({ status: reply.status, type: reply.headers.get('content-type'), json: reply.json }).toEqual({
      status: 401,
      type: 'application/problem+json',
      json: {
        type: 'urn:problem:token-invalid',
        title: 'Unauthorized',
        status: 401,
        detail: 'Cannot authenticate the request: the audience of the token is not accepted.',
        instance: 'urn:request:audience',
        code: 'token-invalid',
      },
    });
  });
});

describe('the Authorization header', () => {
  test.each<[string, () => string[], ExpectedReply]>([
    ['none', () => [], { status: 401, challenge: 'Bearer realm="records"', code: 'credentials-missing' }],
    [
      'a scheme alone',
      () => ['Bearer'],
      malformed('the Authorization header is not one scheme and one token'),
    ],
    [
      'two headers',
      () => [`Bearer ${alice()}`, `Bearer ${alice()}`],
      malformed('more than one Authorization header was sent'),
    ],
    [
      'a lower-case scheme',
      () => [`bearer ${alice()}`],
      { status: 200, challenge: undefined, code: undefined },
    ],
  ])('with %s', async (_name, lines, expected) => {
    expect(await send(lines())).toEqual(withSignIn(expected));
  });

  test('is the only place for a token', async () => {
    expect(await send([], `/v8.0/authorized?access_token=${alice()}`)).toMatchObject({ status: 401 });
  });
});

describe('a bad token is 401, never 500', () => {
  const algorithm = 'the signature algorithm of the token is not accepted';
  test.each<[string, (identity: Identity) => string, ExpectedReply]>([
    [
      'alg none, unsigned',
      () => `${segment('{"alg":"none","typ":"JWT"}')}.${alice().split('.')[1]}.AA`,
      invalidToken(algorithm),
    ],
    [
      'an exp in the past',
      (identity) => withClaims(identity, { exp: now() - 600 }),
      invalidToken('the token has expired', 'token-expired'),
    ],
    [
      'an e-mail that nobody has here',
      () => app.token('gustav@example.org'),
      invalidToken('no user of this service has the e-mail address of the token', 'user-unknown'),
    ],
    [
      'an application without the role',
      (identity) => identity.issueToken({ idtyp: 'app', roles: ['Calendar.Editor'] }),
      invalidToken('the application has no role that lets it act by itself', 'application-without-role'),
    ],
  ])('%s', async (_name, token, expected) => {
    expect(await send([`Bearer ${token(app.stack.identity)}`])).toEqual(withSignIn(expected));
  });
});

describe('the calendar', () => {
  const path = '/tribe/events/v1/events';

  test.each<[string, () => string[], number]>([
    ['nobody in particular', () => [], 200],
    ['a user', () => [`Bearer ${alice()}`], 200],
    ['a user without e-mail', () => [`Bearer ${withClaims(app.stack.identity, { email: undefined })}`], 200],
    ['an application', () => [`Bearer ${app.stack.identity.issueToken({ idtyp: 'app' })}`], 200],
    ['a text that is no token', () => ['Bearer a.b.c'], 200],
    ['two headers, which together are no token', () => [`Bearer ${alice()}`, `Bearer ${alice()}`], 200],
  ])('is read by %s: %s', async (_name, lines, status) => {
    expect(await send(lines(), path)).toMatchObject({ status });
  });
});

describe('the keys of the issuer', () => {
  test('that cannot be loaded are 503 with Retry-After, and 200 once they can', async () => {
    const { identity } = app.stack;
    identity.intercept = (_endpoint, _request, response) => {
      response.destroy();
      return true;
    };
    await using fresh = await app.startAnother();
    const { base } = fresh;
    const headers = { Authorization: `Bearer ${alice()}` };
    const reply = await fetch(`${base}/v8.0/authorized`, { headers });
    const expected = {
      status: reply.status,
      retryAfter: reply.headers.get('retry-after'),
      json: await reply.json(),
    };
    const code = 'signing-keys-unavailable';
    expect(expected).toMatchObject({ status: 503, retryAfter: '5', json: { code } });
    expect(await send(['Bearer a.b.c'], undefined, base)).toMatchObject({ status: 401 });
    identity.intercept = undefined;
    await expect.poll(() => send([`Bearer ${alice()}`], undefined, base)).toMatchObject({ status: 200 });
  });
});
