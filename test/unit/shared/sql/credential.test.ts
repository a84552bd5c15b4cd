import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { managedIdentity } from '../../../../shared/sql/credential.ts';

/** Starts an identity endpoint as App Service has it, and points this process to it. */
async function identityEndpoint(listener: RequestListener): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    vi.unstubAllEnvs();
  });
  vi.stubEnv('IDENTITY_ENDPOINT', `http://127.0.0.1:${(server.address() as AddressInfo).port}/msi/token`);
  vi.stubEnv('IDENTITY_HEADER', 'secret');
}

const tokenReply = (resource: string | null) =>
  JSON.stringify({
    access_token: 'token',
    expires_on: String(Math.floor(Date.now() / 1000) + 3600),
    resource,
    token_type: 'Bearer',
  });

test('managedIdentity() asks for one token however many callers wait', async () => {
  let requests = 0;
  await identityEndpoint((request, response) => {
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

test('managedIdentity() gives up on an endpoint that hangs', async () => {
  await identityEndpoint(() => undefined);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const outcome = managedIdentity('')
    .getToken('https://two.example.org/.default')
    .then(
      () => 'a token',
      (error: Error) => error.message,
    );
  await vi.waitUntil(() => vi.getTimerCount() > 0);
  vi.advanceTimersByTime(5_000);
  expect(await outcome).toBe('The identity endpoint did not answer in time.');
});
