/** The tables stand-in: Azurite's table service, in a process of its own. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Azurite's account and key, published by Microsoft and the same everywhere; they protect nothing. */
const account = {
  name: 'devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
};

export interface TablesOptions {
  /** Where the tables are kept between runs (`tables.json`, written every 5 s and on stop); without it, in memory. */
  readonly folder?: string;
  /** Default 0: any free one. */
  readonly port?: number;
}

export interface Tables {
  readonly port: number;
  /** Address of the table service, for example `http://127.0.0.1:41234/devstoreaccount1`. */
  readonly endpoint: string;
  readonly connectionString: string;
  /** Saves what is to be kept and ends the process. May be called twice. */
  stop(): Promise<void>;
}

/** What the process tells its parent, once. */
export type Started = { readonly port: number } | { readonly failure: string };

/**
 * Starts the tables on the loopback address and resolves when they answer. The process ends
 * with `stop`, or by itself when this process goes away, however that happens.
 */
export async function startTables({ folder, port: wanted = 0 }: TablesOptions = {}): Promise<Tables> {
  const child = fork(
    fileURLToPath(new URL('./serve.ts', import.meta.url)),
    [String(wanted), ...(folder === undefined ? [] : [folder])],
    {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  const port = await portOf(child);
  child.unref();
  child.channel?.unref();
  const endpoint = `http://127.0.0.1:${port}/${account.name}`;
  return { port, endpoint, connectionString: connectionString(endpoint), stop: () => stop(child) };
}

/** Composes the connection string of a stand-in at an endpoint, for example one behind a proxy. */
export function connectionString(endpoint: string): string {
  return `DefaultEndpointsProtocol=http;AccountName=${account.name};AccountKey=${account.key};TableEndpoint=${endpoint};`;
}

async function portOf(child: ChildProcess): Promise<number> {
  const [started] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [
    Started | number | null,
  ];
  if (typeof started === 'object' && started !== null && 'port' in started) return started.port;
  const failure =
    typeof started === 'object' && started !== null ? started.failure : `the process ended (${started})`;
  throw new Error(`Cannot start the local tables: ${failure}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const exit = once(child, 'exit');
  if (child.connected) child.disconnect();
  await exit;
}
