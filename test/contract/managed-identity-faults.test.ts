/** What a database is to its callers while the managed identity endpoint gives no token that can be used. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SqlServer, startSqlServer } from '@records-and-calendar/local-sql-server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../../shared/config.ts';
import type { CodedError } from '../../shared/errors.ts';
import { openDatabases } from '../../shared/sql/databases.ts';
import { issuerOfFile } from '../support/issuer.ts';

interface TokenReply {
  readonly status?: number;
  readonly body: unknown;
}

const busy = ['database-unavailable', 5, undefined];
const tokenWithEnd = (end: unknown, token: unknown = 'token') => ({
  body: { access_token: token, expires_on: end, token_type: 'Bearer' },
});

/** By the client id of the identity: what the endpoint answers, and the code, Retry-After and setting of the failure. */
const answers: Readonly<Record<string, readonly [TokenReply, readonly unknown[]]>> = {
  '429': [{ status: 429, body: { statusCode: 429, message: 'Too many requests' } }, busy],
  HTML: [{ body: '<html></html>' }, busy],
  'HTML with 403': [{ status: 403, body: '<html></html>' }, busy],
  nothing: [{ body: '' }, busy],
  null: [{ body: null }, busy],
  'an array': [{ body: [1] }, busy],
  'no token': [{ body: { expires_on: '9999999999' } }, busy],
  'a token that is a number': [tokenWithEnd('9999999999', 5), busy],
  'an end that is a date': [tokenWithEnd('11/22/2099 06:00:00 +00:00'), busy],
  'an end that is no number': [tokenWithEnd('soon'), busy],
  'no end': [tokenWithEnd(undefined), busy],
  'an end that has passed': [tokenWithEnd('1000'), busy],
  'an end beyond all dates': [tokenWithEnd('99999999999999999999'), busy],
  'no such identity': [
    { status: 400, body: { statusCode: 400, message: 'No managed identity found.' } },
    ['database-connection', undefined, 'DB_TRUSTED_CONNECTION'],
  ],
  'a token that the server does not take': [
    tokenWithEnd('9999999999'),
    ['database-connection', undefined, 'DB_TRUSTED_CONNECTION'],
  ],
};

const issuer = issuerOfFile();
let server: SqlServer;
const endpoint = createServer(({ url = '' }, response) => {
  const name = new URL(url, 'http://localhost').searchParams.get('client_id') ?? '';
  const { status = 200, body = '' } = answers[name]?.[0] ?? {};
  const isText = typeof body === 'string';
  response.writeHead(status, { 'Content-Type': isText ? 'text/html' : 'application/json' });
  response.end(isText ? body : JSON.stringify(body));
});

beforeAll(async () => {
  server = await startSqlServer({ databases: ['records'], issuer: issuer().authority, log: 'ignore' });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('IDENTITY_ENDPOINT', `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/token`);
  vi.stubEnv('IDENTITY_HEADER', 'secret');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  endpoint.close();
  await server.stop();
});

test.concurrent.each(Object.keys(answers))('an identity endpoint that answers %s', async (name) => {
  const databases = openDatabases(
    readConfig({
      DB_SERVER: `127.0.0.1,${server.port}`,
      DB_TRUSTED_CONNECTION: 'true',
      DB_ENCRYPT: 'false',
      AZURE_CLIENT_ID: name,
    }),
  );
  const error = await databases
    .within(Date.now() + 10_000)
    .main.query('SELECT 1 AS one')
    .catch((thrown: unknown) => thrown);
  await databases.close();
  const { code, retryAfter, facts } = error as CodedError;
  expect([code, retryAfter, (facts as { setting?: string }).setting]).toEqual(answers[name]?.[1]);
});
