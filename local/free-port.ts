import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns the port when nothing listens on it on the loopback address, else 0, which stands for any. */
export async function freePort(port: number): Promise<number> {
  if (port === 0) return 0;
  const probe = createServer();
  const listening = once(probe, 'listening').then(
    () => true,
    () => false,
  );
  probe.listen(port, '127.0.0.1');
  const isFree = await listening;
  if (isFree) {
    probe.close();
    await once(probe, 'close');
  }
  return isFree ? port : 0;
}

/**
 * Starts a server on a port when nothing listens on it, else on any free port; also when another process takes the port between the look and
 * the start.
 */
export async function startOnFreePort<Server>(
  preferred: number,
  start: (port: number) => Promise<Server>,
): Promise<Server> {
  const port = await freePort(preferred);
  return start(port).catch((error: unknown) => {
    if (port === 0 || !String(error).includes('EADDRINUSE')) throw error;
    return start(0);
  });
}
