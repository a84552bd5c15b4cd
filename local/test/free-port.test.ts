/** Ports of the emulators: the usual ones where they are free. */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startOnFreePort } from '../free-port.ts';

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Returns a port on which nothing listens. */
async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

test('startOnFreePort() takes the preferred port where it is free, and any other where it is not', async () => {
  const preferred = await unusedPort();
  const first = portOf(await startOnFreePort(preferred, listen));
  const second = portOf(await startOnFreePort(preferred, listen));
  expect([first, second === preferred, second > 0]).toEqual([preferred, false, true]);
});
