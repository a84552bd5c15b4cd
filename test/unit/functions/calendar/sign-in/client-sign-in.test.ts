/** Name and password as client id and secret: what is asked of the issuer, what is cached, and what strangers can do. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClientSignIn } from '../../../../../functions/calendar/sign-in/client-sign-in.ts';
import { createTokenRequest } from '../../../../../functions/calendar/sign-in/token-endpoint.ts';
import type { Identity } from '../../../../../local/index.ts';
import { refuse } from '../../../../../shared/auth/refusal.ts';
import { CodedError } from '../../../../../shared/errors.ts';
import { issuerOfFile, startIssuer } from '../../../../support/issuer.ts';
import { useFakeClock } from '../../../../support/timers.ts';
import { settingsFor, verifierFor } from '../../../../support/token-verifier.ts';

const issuer = issuerOfFile();
const url = new URL('https://www.example.org/api');
const minute = 60_000;

/** A sign-in with a separate clock; tokens are verified by the clock of the issuer. */
function signInAt(identity: Identity, settings = {}) {
  const clock = { now: Date.now() };
  const verify = verifierFor(identity);
  const signIn = createClientSignIn({
    requestToken: createTokenRequest({ ...settingsFor(identity), ...settings }),
    verifier: { verify: (header) => verify((header ?? '').slice('Bearer '.length)) },
    now: () => clock.now,
  });
  const outcome = (name: string, password: string) =>
    signIn({ name, password }, { url, client: '192.0.2.1' }).then(
      ({ roles }) => roles,
      (error: { code: string }) => error.code,
    );
  return { clock, signIn, outcome };
}

describe('a client', () => {
  test('is asked for once until its token ends, and again then', async () => {
    const { clock, outcome } = signInAt(issuer());
    const { clientId, secret } = issuer().clients.register(['Calendar.Editor']);
    const before = issuer().requests.token;
    const both = await Promise.all([outcome(clientId, secret), outcome(clientId, secret)]);
    expect([...both, await outcome(clientId, secret)]).toEqual(Array(3).fill(['Calendar.Editor']));
    clock.now += 30 * minute;
    expect(await outcome(clientId, secret)).toEqual(['Calendar.Editor']);
    expect(issuer().requests.token - before).toBe(1);
    clock.now += 60 * minute;
    expect(await outcome(clientId, secret)).toEqual(['Calendar.Editor']);
    expect(issuer().requests.token - before).toBe(2);
  });

  test('is not another one that has the same password', async () => {
    const signIn = createClientSignIn({
      requestToken: async ({ name }) => ({ token: name, lifetime: 60 }),
      verifier: {
        verify: async (header) => ({
          kind: 'application',
          roles: [],
          tenantId: 'tenant',
          tokenId: '',
          objectId: String(header),
        }),
      },
    });
    const callers = ['ann', 'bob', 'ann'].map((name) =>
      signIn({ name, password: 'the-secret' }, { url, client: '192.0.2.1' }),
    );
    const ids = (await Promise.all(callers)).map(({ objectId }) => objectId);
    expect(ids).toEqual(['Bearer ann', 'Bearer bob', 'Bearer ann']);
  });

  test('is asked for as the standard has it, with the scope of this API', async () => {
    const ownIssuer = await startIssuer();
    const { outcome } = signInAt(ownIssuer);
    const forms: object[] = [];
    ownIssuer.intercept = (endpoint, request, response) => {
      if (endpoint !== 'token') return false;
      void text(request).then((body) => {
        forms.push([
          request.method,
          request.headers['content-type'],
          Object.fromEntries(new URLSearchParams(body)),
        ]);
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}');
      });
      return true;
    };
    expect(await outcome('robot', 'se&cret')).toBe('client-refused');
    const form = {
      grant_type: 'client_credentials',
      client_id: 'robot',
      client_secret: 'se&cret',
      scope: `${settingsFor(ownIssuer).AppRegistration__ClientId}/.default`,
    };
    expect(forms).toEqual([['POST', expect.stringMatching(/^application\/x-www-form-urlencoded/), form]]);
  });

  test('is not waited for when the issuer takes more than five seconds', async () => {
    const ownIssuer = await startIssuer();
    const stop = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(stop.signal);
    onTestFinished(() => timeout.mockRestore());
    ownIssuer.intercept = (endpoint) => {
      if (endpoint !== 'token') return false;
      stop.abort(new DOMException('The time is over.', 'TimeoutError'));
      return true;
    };
    expect(await signInAt(ownIssuer).outcome('robot', 'secret')).toBe('token-endpoint-unavailable');
    // Key sets, which wait for other times, are loaded by other tests of this process.
    expect(timeout.mock.calls.filter(([milliseconds]) => milliseconds === 5_000)).toEqual([[5_000]]);
  });

  test('whose secret was removed is refused when its token ends', async () => {
    const { clock, outcome } = signInAt(issuer());
    const { clientId, secret } = issuer().clients.register(['A']);
    expect(await outcome(clientId, secret)).toEqual(['A']);
    issuer().clients.remove(clientId);
    expect(await outcome(clientId, secret)).toEqual(['A']);
    clock.now += 90 * minute;
    expect(await outcome(clientId, secret)).toBe('client-refused');
  });

  test('whose token the verifier refuses is asked for another one the next time', async () => {
    const verify = verifierFor(issuer());
    let refusals = 1;
    const signIn = createClientSignIn({
      requestToken: createTokenRequest(settingsFor(issuer())),
      verifier: {
        async verify(header) {
          if (refusals-- > 0) refuse('token-expired', 'the token has expired');
          return verify((header ?? '').slice('Bearer '.length));
        },
      },
      now: () => Date.now(),
    });
    const { clientId, secret } = issuer().clients.register(['A']);
    const before = issuer().requests.token;
    const credentials = { name: clientId, password: secret };
    await expect(signIn(credentials, { url, client: '192.0.2.1' })).rejects.toMatchObject({
      code: 'token-expired',
    });
    expect((await signIn(credentials, { url, client: '192.0.2.1' })).roles).toEqual(['A']);
    expect(issuer().requests.token - before).toBe(2);
    expect((await signIn(credentials, { url, client: '192.0.2.1' })).roles).toEqual(['A']);
    expect(issuer().requests.token - before).toBe(2);
  });

  test('whose token cannot be verified for the time being is not asked for another one', async () => {
    let requests = 0;
    const signIn = createClientSignIn({
      requestToken: async () => ({ token: `token ${++requests}`, lifetime: 60 }),
      verifier: {
        async verify() {
          throw new CodedError('signing-keys-unavailable', 'The keys cannot be loaded.');
        },
      },
    });
    for (const _ of ['once', 'twice'])
      await expect(
        signIn({ name: 'robot', password: 'secret' }, { url, client: '192.0.2.1' }),
      ).rejects.toMatchObject({ code: 'signing-keys-unavailable' });
    expect(requests).toBe(1);
  });

  test('that is wrong is refused from memory for a minute', async () => {
    const { clock, outcome } = signInAt(issuer());
    const before = issuer().requests.token;
    for (let time = 0; time < 20; time++) expect(await outcome('ann', 'wrong')).toBe('client-refused');
    expect(issuer().requests.token - before).toBe(1);
    clock.now += minute;
    expect(await outcome('ann', 'wrong')).toBe('client-refused');
    expect(issuer().requests.token - before).toBe(2);
  });
});

describe('strangers with wrong passwords', () => {
  test('shut nobody out, whatever name they try', async () => {
    const { outcome } = signInAt(issuer());
    const { clientId, secret } = issuer().clients.register(['A']);
    for (let attempt = 0; attempt < 70; attempt++)
      expect(await outcome(attempt % 2 === 0 ? clientId : `name ${attempt}`, `wrong ${attempt}`)).toBe(
        'client-refused',
      );
    expect(await outcome(clientId, secret)).toEqual(['A']);
  });

  test('keep at most 20 exchanges busy and 200 waiting; another client is next in turn', async () => {
    const running: { readonly name: string; readonly end: (granted: undefined) => void }[] = [];
    const signIn = createClientSignIn({
      verifier: { verify: verifierFor(issuer()) },
      requestToken: ({ name }) => new Promise((end) => running.push({ name, end })),
    });
    const refused: unknown[] = [];
    const attempt = (client: string, name: string) =>
      signIn({ name, password: 'wrong' }, { url, client }).catch(({ code, kind, retryAfter }) => {
        refused.push([name, code, kind, retryAfter]);
        return { code };
      });
    const strangers = Array.from({ length: 220 }, (_, index) => attempt('192.0.2.1', `stranger ${index}`));
    expect(running).toHaveLength(20);
    const tooMany = ['too-many-sign-ins', 'too-many-requests', 2];
    void attempt('192.0.2.1', 'one too many');
    await setImmediate();
    expect(refused).toEqual([['one too many', ...tooMany]]);
    const other = attempt('192.0.2.2', 'other');
    await setImmediate();
    expect(refused.slice(1)).toEqual([['stranger 219', ...tooMany]]);
    for (let ended = 0; running.at(-1)?.name !== 'other'; ended++) {
      expect(ended).toBeLessThan(2);
      running[ended]?.end(undefined);
      await strangers[ended];
    }
    running.at(-1)?.end(undefined);
    expect(await other).toMatchObject({ code: 'client-refused' });
  });
});

test('an outage of the issuer shuts nobody out once it is over', async () => {
  const ownIssuer = await startIssuer();
  const { outcome } = signInAt(ownIssuer);
  const { clientId, secret } = ownIssuer.clients.register(['A']);
  let isDown = true;
  ownIssuer.intercept = (endpoint, _request, response) => {
    if (!isDown || endpoint !== 'token') return false;
    response.writeHead(503).end();
    return true;
  };
  for (let attempt = 0; attempt < 70; attempt++)
    expect(await outcome(clientId, secret)).toBe('token-endpoint-unavailable');
  isDown = false;
  expect(await outcome(clientId, secret)).toEqual(['A']);
});

test('the address of the token endpoint is read once an hour', async () => {
  const ownIssuer = await startIssuer();
  const pass = useFakeClock();
  const requestToken = createTokenRequest(settingsFor(ownIssuer));
  const read: number[] = [];
  for (const milliseconds of [0, 60 * minute - 1, 1]) {
    pass(milliseconds);
    expect(await requestToken({ name: 'robot', password: 'wrong' })).toBeUndefined();
    read.push(ownIssuer.requests.metadata);
  }
  expect(read).toEqual([1, 1, 2]);
});

test.each([
  ['http://www.example.org/api', 'https-required'],
  ['http://localhost:7071/api', ['A']],
  ['http://127.0.0.1/api', ['A']],
  ['http://localhost.example.org/api', 'https-required'],
])('a password that comes by %s: %j', async (by, expected) => {
  const { signIn } = signInAt(issuer());
  const { clientId, secret } = issuer().clients.register(['A']);
  const outcome = await signIn(
    { name: clientId, password: secret },
    { url: new URL(by), client: '192.0.2.1' },
  ).then(
    ({ roles }) => roles,
    (error: { code: string }) => error.code,
  );
  expect(outcome).toEqual(expected);
});

describe('an issuer that cannot tell', () => {
  test.each<[string, number, string]>([
    ['is down', 503, '{}'],
    ['limits us', 429, '{"error":"temporarily_unavailable"}'],
    ['wants something else', 400, '{"error":"invalid_scope","error_description":"the-secret"}'],
    ['quotes the secret', 400, '{"error":"the-secret"}'],
    ['says nothing', 200, '{}'],
    ['is no issuer', 200, 'the-secret'],
  ])('because it %s: 503, without the secret', async (_why, status, body) => {
    const ownIssuer = await startIssuer();
    const { signIn } = signInAt(ownIssuer);
    ownIssuer.intercept = (endpoint, _request, response) => {
      if (endpoint !== 'token') return false;
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      return true;
    };
    const error = await signIn({ name: 'robot', password: 'the-secret' }, { url, client: '192.0.2.1' }).catch(
      (thrown) => thrown,
    );
    expect(error).toMatchObject({ code: 'token-endpoint-unavailable', retryAfter: 10 });
    expect(inspect(error, { depth: 9 })).not.toContain('the-secret');
  });

  test('because its metadata names another host: no request is sent there', async () => {
    const reached: string[] = [];
    const stranger = createServer((request, response) => {
      reached.push(`${request.method} ${request.url}`);
      response.end(JSON.stringify({ access_token: 'a.b.c', expires_in: 60 }));
    });
    await once(stranger.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void stranger.close());
    const { port } = stranger.address() as AddressInfo;
    const ownIssuer = await startIssuer();
    const { outcome } = signInAt(ownIssuer);
    ownIssuer.intercept = (endpoint, _request, response) => {
      if (endpoint !== 'metadata') return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ token_endpoint: `http://127.0.0.1:${port}/token` }));
      return true;
    };
    expect(await outcome('robot', 'the-secret')).toBe('token-endpoint-unavailable');
    expect(reached).toEqual([]);
  });

  test('because the Authority is unusable: the setting is named', async () => {
    const { outcome } = signInAt(issuer(), { AppRegistration__Authority: 'ftp://issuer.example.org/t' });
    expect(await outcome('robot', 'secret')).toBe('configuration');
  });
});
