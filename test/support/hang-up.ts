import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';

/** Sends a request, or the beginning of one, to an address, and hangs up once the reply has a number of bytes. */
export async function hangUp(base: string, request: Uint8Array, replyBytes = 0): Promise<void> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  // The other side may close first.
  socket.on('error', () => {});
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(request, resolve));
  let count = 0;
  socket.on('data', (chunk) => {
    count += chunk.length;
    if (count >= replyBytes) socket.resetAndDestroy();
  });
  if (replyBytes === 0) socket.resetAndDestroy();
  if (!socket.closed) await once(socket, 'close');
  expect(count).toBeGreaterThanOrEqual(replyBytes);
}

/** Returns the head of a request, whose body follows. */
export function headOf(method: string, url: string, headers: Readonly<Record<string, string>>): Buffer {
  const { pathname, host } = new URL(url);
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
}
