/** Starts the functions host in a child process. */

import { join } from 'node:path';
import { built } from '../built.ts';
import { type Log, type RunningProcess, startProcess } from '../child-process.ts';

export interface FunctionsHostOptions {
  /** The folder with package.json and host.json. */
  readonly app: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The app's settings; nothing else is passed on but PATH and what Node itself reads. */
  readonly settings: Readonly<Record<string, string>>;
  /** Takes the lines that the app writes. Default: they are dropped. */
  readonly log?: Log;
  /** Whether to do what the host does on Flex Consumption. */
  readonly flex?: boolean;
  /** Whether stacks name places in the source instead of the bundle; makes errors slower. */
  readonly sourceMaps?: boolean;
  /** Where Node's debugger listens in the worker's process: a port, or `host:port`. Default: nowhere. */
  readonly inspect?: string | undefined;
}

export interface FunctionsHost extends RunningProcess {
  readonly url: string;
}

/** The scripts that run in processes: the host, and the worker that it starts beside itself. */
const scripts = { main: 'main.ts', worker: 'worker/main.ts' };

/** Milliseconds that the host has to stop: for requests in flight, hooks, and a little more. */
const stopTimeout = 40_000;

/** Starts the host and waits until it serves. Rejects with what the app wrote when it ends before. */
export async function startFunctionsHost(options: FunctionsHostOptions): Promise<FunctionsHost> {
  const { app, port, settings, log = 'ignore', flex = false, sourceMaps = false, inspect } = options;
  const { PATH, TMPDIR, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env;
  const host = await startProcess({
    name: 'the functions host',
    script: join(await built(import.meta.dirname, scripts), 'main.js'),
    parameters: [
      '--app',
      app,
      '--port',
      String(port),
      ...(flex ? ['--flex'] : []),
      ...(inspect === undefined ? [] : ['--inspect', inspect]),
    ],
    nodeOptions: sourceMaps ? ['--enable-source-maps'] : [],
    stopTimeout,
    environment: { PATH, TMPDIR, NODE_OPTIONS, NODE_COMPILE_CACHE, ...settings },
    log,
  });
  return { ...host, url: `http://localhost:${host.port}` };
}
