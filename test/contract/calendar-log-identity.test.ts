/** The log with a managed identity: over TLS, against Azurite, which then checks the token as Azure does, save its signature. */

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Credential } from '../../shared/managed-identity.ts';
import { caught, contents, create, newCalendar, openTestLog } from '../support/calendar-log.ts';
import { scaledByLoad } from '../support/scaled-by-load.ts';
import { selfSignedCertificate } from '../support/self-signed-certificate.ts';
import { timerIsSet, useFakeTimeouts } from '../support/timers.ts';

/** The name of the log is drawn by its first write. */
const anyHistory = { history: expect.any(String) };

let endpoint: string;
let folder: string;
let tables: { start(): Promise<void>; close(): Promise<void>; getHttpServerAddress(): string };
/** Accepts connections and says nothing. */
let silent: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tables-'));
  const { certificate, key } = selfSignedCertificate();
  const files = [join(folder, 'certificate.pem'), join(folder, 'key.pem')] as const;
  await Promise.all([writeFile(files[0], certificate), writeFile(files[1], key)]);
  setDefaultCACertificates([...getCACertificates('default'), certificate]);
  tables = tablesWithTokens(...files);
  await tables.start();
  endpoint = `${tables.getHttpServerAddress()}/devstoreaccount1`;
  silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterAll(async () => {
  silent.close();
  await tables.close();
  await rm(folder, { recursive: true });
});

function tablesWithTokens(certificate: string, key: string): typeof tables {
  const require = createRequire(import.meta.url);
  const { default: Configuration } = require('azurite/dist/src/table/TableConfiguration.js');
  const { default: Server } = require('azurite/dist/src/table/TableServer.js');
  const logs = [false, false, undefined, undefined];
  const options = [
    '127.0.0.1',
    0,
    5,
    join(folder, 'tables.json'),
    ...logs,
    false,
    true,
    certificate,
    key,
    '',
    'basic',
    false,
    true,
  ];
  return new Server(new Configuration(...options));
}

interface Asked extends Credential {
  readonly scopes: unknown[];
}

/** An identity whose tokens are for the audience given. */
function identity(audience = 'https://storage.azure.com'): Asked {
  const scopes: unknown[] = [];
  return {
    scopes,
    async getToken(scope) {
      scopes.push(scope);
      const issuer = 'https://sts.windows.net/11111111-1111-4111-8111-111111111111/';
      const token = jwt.sign({ nbf: 0 }, 'not checked', { audience, issuer, expiresIn: '1h' });
      return { token, expiresOnTimestamp: Date.now() + 3_600_000 };
    },
  };
}

function openWith(credential: Credential, url = endpoint) {
  const settings = { ...newCalendar(''), endpoint: url };
  return openTestLog(settings, {
    credential: () => credential,
    callTimeout: scaledByLoad(500),
    budget: scaledByLoad(2_000),
  });
}

const unavailable = { kind: 'unavailable', code: 'calendar-unavailable' };

describe('with a managed identity', () => {
  test('the log asks once for a token for the storage, and reads and writes', async () => {
    const credential = identity();
    const log = openWith(credential);
    expect([await create(log, 'one'), await create(log, 'two')]).toEqual([1, 2]);
    expect(await log.read()).toEqual({ version: 2, ...anyHistory, stale: false, age: 0 });
    expect(contents(log.replica)).toEqual({ 'event/1': 'one', 'event/2': 'two' });
    expect(credential.scopes.flat()).toEqual(['https://storage.azure.com/.default']);
  });

  test('a token that the storage refuses is a wrong configuration', async () => {
    const error = await caught(openWith(identity('https://elsewhere.example.org')).read());
    expect(error).toMatchObject({ kind: 'misconfigured', code: 'calendar-access' });
  });

  test.each<[name: string, getToken: Credential['getToken']]>([
    ['fails', () => Promise.reject(new Error('The identity endpoint is down'))],
    ['never answers', () => new Promise(() => {})],
  ])('an identity endpoint that %s is 503', async (_name, getToken) => {
    const log = openWith({ getToken });
    expect(await Promise.all([log.read(), create(log, 'x')].map(caught))).toMatchObject([
      unavailable,
      unavailable,
    ]);
  });

  test('is tried again after the identity endpoint was down', async () => {
    const working = identity();
    let down = true;
    const log = openWith({
      getToken: (...request) => (down ? Promise.reject(new Error('down')) : working.getToken(...request)),
    });
    expect(await caught(log.read())).toMatchObject(unavailable);
    down = false;
    expect(await create(log, 'one')).toBe(1);
  });

  test('a write that was not sent, since there was no token for it, is known not to have happened', async () => {
    const working = identity();
    let down = false;
    const log = openWith({
      async getToken(...request) {
        if (down) throw new Error('down');
        const { token } = (await working.getToken(...request)) ?? { token: '' };
        // The client asks for another one with each call.
        return { token, expiresOnTimestamp: Date.now() };
      },
    });
    expect(await create(log, 'one')).toBe(1);
    const write = log.write(() => {
      down = true;
      return { puts: [{ key: 'event/2', json: '"two"' }], deletes: [], result: undefined };
    });
    const message = 'Cannot save to the calendar: its storage does not answer.';
    expect(await caught(write)).toMatchObject({ ...unavailable, message });
  });

  test('a storage that accepts connections and never answers is 503', async () => {
    const { port } = silent.address() as AddressInfo;
    const log = openWith(identity(), `https://127.0.0.1:${port}/account`);
    expect(await caught(log.read())).toMatchObject(unavailable);
  });
});

test('a read waits three seconds unless it is told otherwise, and is then answered from memory', async () => {
  const working = identity();
  let isSilent = false;
  const credential: Credential = {
    async getToken(...request) {
      if (isSilent) await new Promise(() => {});
      const { token } = (await working.getToken(...request)) ?? { token: '' };
      return { token, expiresOnTimestamp: Date.now() };
    },
  };
  const log = openTestLog({ ...newCalendar(''), endpoint }, { credential: () => credential });
  expect(await create(log, 'one')).toBe(1);
  isSilent = true;
  useFakeTimeouts();
  let outcome: unknown;
  const reading = log.read().then((found) => {
    outcome = found;
  });
  await timerIsSet();
  let waited = 0;
  for (; outcome === undefined && waited < 10_000; waited += 50) await vi.advanceTimersByTimeAsync(50);
  await reading;
  expect([waited, outcome]).toEqual([
    3_000,
    { version: 1, ...anyHistory, stale: true, age: expect.any(Number) },
  ]);
});
