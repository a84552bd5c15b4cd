/**
 * The process of the functions host: starts the worker with the app in `--app`, serves it on `--port`, and tells its parent the port.
 * When told to stop it ends as the host does: no new connections, time for the requests in flight, then the app's `appTerminate`
 * hooks. With `--flex` it does what the host does on Flex Consumption.
 */

import { parseArgs } from 'node:util';
import { tellParent, toldToStop } from '../../child-process.ts';
import { createHost } from './host/host.ts';
import { createInvoker } from './host/invoker.ts';
import { readHostSettings } from './host-settings.ts';
import { kestrelLimits } from './http/limits.ts';
import { startHttpServer } from './http/server.ts';
import { createFunctionTable } from './routing/function-table.ts';
import { WorkerPool } from './worker/worker-pool.ts';
import type { LoadResult } from './worker/worker-process.ts';

/** Milliseconds for the requests in flight when the host stops. */
const drainTime = 30_000;
/** Milliseconds for the last replies when the worker has ended too often. */
const failTime = 1_000;

const { values } = parseArgs({
  options: {
    app: { type: 'string', default: process.cwd() },
    port: { type: 'string', default: '7071' },
    flex: { type: 'boolean', default: false },
    inspect: { type: 'string' },
  },
});

const log = (line: string) => console.error(`[error] host: ${line}`);

try {
  const settings = readHostSettings(values.app, process.env);
  const givenUp = Promise.withResolvers<string>();
  const workers = new WorkerPool({
    app: values.app,
    inspect: values.inspect,
    count: settings.workerCount,
    log,
    onGivenUp: givenUp.resolve,
  });
  const loaded = await Promise.race([workers.start(), givenUp.promise.then(fail)]);
  const functions = createFunctionTable('failure' in loaded ? [] : loaded.functions, settings.routePrefix);
  const invoke = createInvoker({ workers, functionTimeout: settings.functionTimeout, log });
  const handler = createHost({ settings, functions, invoke, flex: values.flex });
  const limits = { ...kestrelLimits, bodySize: settings.bodyLimit };
  const server = await startHttpServer(handler, Number(values.port), limits);
  announce(server.port, loaded);
  const reason = await Promise.race([toldToStop(), givenUp.promise]);
  if (reason !== undefined) log(reason);
  await server.close(reason === undefined ? drainTime : failTime);
  await workers.stop();
  process.exit(reason === undefined ? 0 : 1);
} catch (error) {
  const failure = error instanceof Error ? error.message : String(error);
  if (!tellParent({ failure })) console.error(failure);
  process.exit(1);
}

function fail(reason: string): never {
  throw new Error(reason);
}

/** Reports the address. An app that has not loaded leaves a host that answers every path with 404, so that is reported, too. */
function announce(port: number, loaded: LoadResult): void {
  const warning =
    'failure' in loaded ? `The app did not load, every path is 404: ${loaded.failure}` : undefined;
  if (tellParent({ port, ...(warning === undefined ? {} : { warning }) })) return;
  console.log(`Serving on http://localhost:${port}`);
  if (warning !== undefined) log(warning);
}
