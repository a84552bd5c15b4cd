import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { managedIdentity } from '../../../shared/managed-identity.ts';
import { timerIsSet, useFakeTimeouts } from '../../support/timers.ts';

/** An identity endpoint as App Service has it. There is one for all tests, because the library remembers its address. */
let respond: RequestListener = () => undefined;
const server = createServer((request, response) => respond(request, response));

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('IDENTITY_ENDPOINT', `http://127.0.0.1:${(server.address() as AddressInfo).port}/msi/token`);
  vi.stubEnv('IDENTITY_HEADER', 'secret');
});
afterEach(() => {
  server.closeAllConnections();
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

/** Lets the identity endpoint answer what this test wants. */
function identityEndpoint(listener: RequestListener): void {
  respond = listener;
}

const tokenReply = (resource: string | null, token = 'token', seconds = 3600) =>
  JSON.stringify({
    access_token: token,
    expires_on: String(Math.floor(Date.now() / 1000) + seconds),
    resource,
    token_type: 'Bearer',
  });

test('managedIdentity() asks for one token however many callers wait', async () => {
  let requests = 0;
  identityEndpoint((request, response) => {
    requests += 1;
    const resource = new URL(request.url ?? '', 'http://localhost').searchParams.get('resource');
    setImmediate(() => response.setHeader('Content-Type', 'application/json').end(tokenReply(resource)));
  });
  const credential = managedIdentity('');
  const tokens = await Promise.all(
    Array.from({ length: 20 }, () => credential.getToken('https://one.example.org/.default')),
  );
  expect(tokens.map((token) => token?.token)).toEqual(Array(20).fill('token'));
  expect(requests).toBe(1);
});

test('managedIdentity() asks for a token of each scope, also at the same time', async () => {
  identityEndpoint((request, response) => {
    const resource = new URL(request.url ?? '', 'http://localhost').searchParams.get('resource');
    response.end(tokenReply(resource, `token for ${resource}`));
  });
  const credential = managedIdentity('');
  const resources = ['https://database.windows.net', 'https://storage.azure.com'];
  const tokens = await Promise.all(resources.map((resource) => credential.getToken(`${resource}/.default`)));
  expect(tokens.map((found) => found?.token)).toEqual(resources.map((resource) => `token for ${resource}`));
});

test('managedIdentity() fails where the endpoint answers something else than a token', async () => {
  identityEndpoint((_request, response) =>
    response.setHeader('Content-Type', 'text/html').end('<html></html>'),
  );
  await expect(managedIdentity('').getToken('https://none.example.org/.default')).rejects.toMatchObject({
    name: 'TokenFailure',
    message: 'The identity endpoint gave no token.',
    cause: expect.any(Error),
  });
});

test('managedIdentity() gives up on an endpoint that hangs', async () => {
  identityEndpoint(() => undefined);
  useFakeTimeouts();
  const outcome = managedIdentity('')
    .getToken('https://two.example.org/.default')
    .then(
      () => 'a token',
      (error: Error) => error.message,
    );
  let ended = false;
  void outcome.then(() => {
    ended = true;
  });
  await timerIsSet();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(ended).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome).toBe('The identity endpoint did not answer in time.');
});

test('managedIdentity() asks again after a failure', async () => {
  let requests = 0;
  identityEndpoint((request, response) => {
    requests += 1;
    const resource = new URL(request.url ?? '', 'http://localhost').searchParams.get('resource');
    response.setHeader('Content-Type', 'application/json');
    if (requests === 1) response.writeHead(400).end('{"error":"invalid_request"}');
    else response.end(tokenReply(resource));
  });
  const credential = managedIdentity('');
  await expect(credential.getToken('https://three.example.org/.default')).rejects.toThrow();
  expect(await credential.getToken('https://three.example.org/.default')).toMatchObject({ token: 'token' });
});

test('managedIdentity() asks again for a token that is about to expire', async () => {
  let requests = 0;
  identityEndpoint((request, response) => {
    requests += 1;
    const resource = new URL(request.url ?? '', 'http://localhost').searchParams.get('resource');
    response.setHeader('Content-Type', 'application/json').end(tokenReply(resource, `token-${requests}`, 60));
  });
  const credential = managedIdentity('');
  const tokens = [
    await credential.getToken('https://four.example.org/.default'),
    await credential.getToken('https://four.example.org/.default'),
  ];
  expect(tokens[1]?.token).not.toBe(tokens[0]?.token);
});

test.each([
  [10, 'TokenFailure'],
  [60, 'token'],
])('a token that is good for %i seconds: %s', async (seconds, expected) => {
  identityEndpoint((request, response) => {
    const resource = new URL(request.url ?? '', 'http://localhost').searchParams.get('resource');
    response.setHeader('Content-Type', 'application/json').end(tokenReply(resource, 'token', seconds));
  });
  const outcome = managedIdentity('')
    .getToken(`https://good-for-${seconds}.example.org/.default`)
    .then(
      (token) => token?.token,
      (error: Error) => error.name,
    );
  expect(await outcome).toBe(expected);
});

test.each([
  [400, 'CredentialUnavailableError'],
  [401, 'CredentialUnavailableError'],
  [403, 'TokenFailure'],
])('an endpoint that answers %i: %s', async (status, name) => {
  identityEndpoint((_request, response) => {
    response.setHeader('Content-Type', 'application/json').writeHead(status).end('{"error":"no"}');
  });
  const error = await managedIdentity('')
    .getToken(`https://answers-${status}.example.org/.default`)
    .catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ name });
});

test.each([
  ['the system-assigned identity', '', null],
  ['the user-assigned identity of a client id', 'the-client-id', 'the-client-id'],
])('managedIdentity() asks for %s', async (_, clientId, asked) => {
  const resource = `https://${clientId || 'five'}.example.org`;
  const clientIds: (string | null)[] = [];
  identityEndpoint((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    // The library asks again for what hung in an earlier test.
    if (searchParams.get('resource') === resource) clientIds.push(searchParams.get('client_id'));
    response.setHeader('Content-Type', 'application/json').end(tokenReply(searchParams.get('resource')));
  });
  await managedIdentity(clientId).getToken(`${resource}/.default`);
  expect(new Set(clientIds)).toEqual(new Set([asked]));
});
