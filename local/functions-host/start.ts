/** Starts the functions host in a child process. */

import { join } from 'node:path';
import { type Log, type RunningProcess, startProcess } from 'child-process';

export interface FunctionsHostOptions {
  /** The folder with package.json and host.json. */
  readonly app: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The app's settings; nothing else is passed on but PATH and what Node itself reads. */
  readonly settings: Readonly<Record<string, string>>;
  /** Takes the lines that the app writes. Default: they are dropped. */
  readonly log?: Log;
  /** Whether stacks name places in the source instead of the bundle; makes errors slower. */
  readonly sourceMaps?: boolean;
  /** Where Node's debugger listens in its process: a port, or `host:port`. Default: nowhere. */
  readonly inspect?: string | undefined;
}

export interface FunctionsHost extends RunningProcess {
  readonly address: string;
}

/** Starts the host and waits until it serves. Rejects with what the app wrote when it ends before. */
export async function startFunctionsHost(options: FunctionsHostOptions): Promise<FunctionsHost> {
  const { app, port, settings, log = 'ignore', sourceMaps = false, inspect } = options;
  const { PATH, TMPDIR, NODE_OPTIONS } = process.env;
  const host = await startProcess({
    name: 'the functions host',
    script: join(import.meta.dirname, 'main.ts'),
    parameters: ['--app', app, '--port', String(port)],
    nodeOptions: [
      ...(sourceMaps ? ['--enable-source-maps'] : []),
      ...(inspect === undefined ? [] : [`--inspect=${inspect}`]),
    ],
    environment: { PATH, TMPDIR, NODE_OPTIONS, ...settings },
    log,
  });
  return { ...host, address: `http://localhost:${host.port}` };
}
