import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns the port when nothing listens on it on the loopback address, else 0, which stands for any. */
export async function freePort(port: number): Promise<number> {
  const probe = createServer();
  const listening = once(probe, 'listening').then(
    () => true,
    () => false,
  );
  probe.listen(port, '127.0.0.1');
  const free = await listening;
  if (free) {
    probe.close();
    await once(probe, 'close');
  }
  return free ? port : 0;
}
