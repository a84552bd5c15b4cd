/** Opens and closes a server on this machine's loopback address. */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on `port`; when that is 0, on `preferredPort` if it is free, else on any. Returns the address. */
export async function listen(server: Server, port: number, preferredPort: number): Promise<string> {
  const listens = port === 0 && preferredPort !== 0 && (await listenIfFree(server, preferredPort));
  if (!listens) await listening(server, port);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function listenIfFree(server: Server, port: number): Promise<boolean> {
  try {
    await listening(server, port);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  }
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // Later it is a connection that cannot be accepted, which is its caller's alone.
    server.on('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

/** Stops listening and drops the open connections. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
