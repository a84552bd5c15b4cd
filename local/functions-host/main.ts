/**
 * The process of the functions host: loads the app in `--app`, serves it on `--port`, tells its parent the port over IPC,
 * and stops when told, or when the parent goes away.
 */

import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { readHostSettings } from './host-settings.ts';
import { createHttpServer } from './http-server.ts';
import { loadApp, runHooks } from './load-app.ts';

const { values } = parseArgs({
  options: { app: { type: 'string', default: process.cwd() }, port: { type: 'string', default: '7071' } },
});

const registrations = await loadApp(values.app);
const server = createHttpServer(registrations, readHostSettings(values.app, process.env));

server.on('error', (error: NodeJS.ErrnoException) => {
  process.stderr.write(`Cannot serve on port ${values.port}: ${error.code ?? error.message}\n`);
  process.exit(1);
});
server.listen(Number(values.port), '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  server.close();
  server.closeIdleConnections();
  await runHooks(registrations, 'appTerminate');
  server.closeAllConnections();
  process.exit(0);
}

process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
process.on('disconnect', () => void stop());
