/**
 * The process of the functions host: loads the app in `--app`, serves it on `--port`, and tells its parent the port. When told to
 * stop it ends as the host does: no new connections, time for the requests under way, then the app's `appTerminate` hooks.
 */

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { tellParent, toldToStop } from 'child-process';
import type { Registrations } from './functions-core.ts';
import { readHostSettings } from './host-settings.ts';
import { createHttpServer } from './http-server.ts';
import { loadApp, runHooks } from './load-app.ts';

/** Milliseconds for the requests under way: as long as the app gives itself for one. */
const drainTime = 10_000;
/** Milliseconds for the hooks: the grace period of the host's WorkerTerminate message. */
const graceTime = 5_000;

const { values } = parseArgs({
  options: { app: { type: 'string', default: process.cwd() }, port: { type: 'string', default: '7071' } },
});

try {
  const registrations = await loadApp(values.app);
  const server = createHttpServer(registrations, readHostSettings(values.app, process.env));
  await once(server.listen(Number(values.port), '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  if (!tellParent({ port })) console.log(`Serving on http://localhost:${port}`);
  await toldToStop();
  await drain(server);
  await terminate(registrations);
} catch (error) {
  const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (!tellParent({ failure })) console.error(failure);
  process.exitCode = 1;
}

/** Ends with the last request under way, or when their time is over. */
async function drain(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // Connections that are kept alive do not end by themselves when their request has ended.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  await Promise.race([closed, delay(drainTime)]);
  clearInterval(sweep);
}

async function terminate(registrations: Registrations): Promise<never> {
  const late = delay(graceTime).then(() => {
    console.error(`[error] host: the appTerminate hooks did not end within ${graceTime / 1000} s.`);
  });
  const hooks = runHooks(registrations, 'appTerminate').catch((error: unknown) => {
    console.error('[error] host: an appTerminate hook failed:', error);
  });
  await Promise.race([hooks, late]);
  process.exit(0);
}
