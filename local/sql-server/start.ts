/** Starts the local SQL server in a process of its own, so that it does not share the event loop of its users. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Started } from './main.ts';

/** Milliseconds that the process has to stop before it is killed. */
const STOP_TIMEOUT = 5_000;

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
}

export interface SqlServer {
  /** On 127.0.0.1, without encryption. */
  readonly port: number;
  /** Ends all connections and then the process; may be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts the server and resolves when it answers; rejects when it cannot start. It stops with `stop`, or by itself
 * when this process goes away, and does not keep this process alive.
 */
export async function startSqlServer(options: SqlServerOptions): Promise<SqlServer> {
  const script = fileURLToPath(new URL('./main.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, '--stop-with-stdin', ...commandLine(options)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  // Writing to a process that has ended is no fault of ours.
  child.stdin.on('error', () => {});
  const port = await portOf(child, child.stdout);
  let stopped: Promise<void> | undefined;
  child.unref();
  for (const stream of [child.stdin, child.stdout])
    if ('unref' in stream) (stream as { unref(): void }).unref();
  return {
    port,
    stop: () => {
      stopped ??= stop(child);
      return stopped;
    },
  };
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

async function portOf(child: ChildProcess, stdout: Readable): Promise<number> {
  const line = once(createInterface(stdout), 'line').then(([text]) => JSON.parse(text) as Started);
  const exit = once(child, 'exit').then(([code]) => ({ failure: `its process ended with code ${code}` }));
  const started = await Promise.race([line, exit]);
  if ('port' in started) return started.port;
  throw new Error(`Cannot start the local SQL server: ${started.failure}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const exit = once(child, 'exit');
  child.stdin?.end();
  const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT);
  await exit;
  clearTimeout(timeout);
}
