/** Starts the local SQL server in a child process, so that it does not share the event loop of its users. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { built } from '../built.ts';
import { type Log, startProcess } from '../child-process.ts';

export interface SqlServerOptions {
  /** Keeps the databases between runs; without it nothing is kept. */
  readonly folder?: string;
  readonly databases: readonly string[];
  /** Passwords by SQL login. */
  readonly users?: Readonly<Record<string, string>>;
  /** The authority whose tokens may log in, such as `http://127.0.0.1:7072/{tenant}/v2.0`. */
  readonly issuer?: string;
  /** 0, the default, for any free one. */
  readonly port?: number;
  /** Receives the lines of the log, such as the reasons of refused logins; `ignore` drops them. Default: standard error of this process. */
  readonly log?: Log;
}

export interface SqlServer {
  /** On 127.0.0.1; encrypted for clients that ask for it, with a certificate that they must be set to trust. */
  readonly port: number;
  readonly process: ChildProcess;
  /** Resolves with what happened when the process ends by itself. */
  readonly lost: Promise<string>;
  /** Ends all connections and then the process; may be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts the server and resolves when it answers; rejects when it cannot start. It stops with `stop`, or by itself
 * when this process goes away, and does not keep this process alive.
 */
export async function startSqlServer(options: SqlServerOptions): Promise<SqlServer> {
  return startProcess({
    name: 'the local SQL server',
    script: join(await built(import.meta.dirname, { main: 'main.ts' }), 'main.js'),
    parameters: commandLine(options),
    ...(options.log === undefined ? {} : { log: options.log }),
  });
}

function commandLine({ folder, databases, users = {}, issuer, port = 0 }: SqlServerOptions): string[] {
  return [
    ...(folder === undefined ? ['--memory'] : [`--folder=${folder}`]),
    ...databases.map((name) => `--database=${name}`),
    ...Object.entries(users).map(([user, password]) => `--login=${user}:${password}`),
    ...(issuer === undefined ? [] : [`--issuer=${issuer}`]),
    `--port=${port}`,
  ];
}
