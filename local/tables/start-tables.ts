/** The tables stand-in: Azurite's table service, in a process of its own. */

import { join } from 'node:path';
import { startProcess } from '../own-process.ts';

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
  /** Resolves with what happened when the process ends by itself. */
  readonly lost: Promise<string>;
  /** Saves what is to be kept and ends the process. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts the tables on the loopback address and resolves when they answer. The process ends
 * with `stop`, or by itself when this process goes away, however that happens.
 */
export async function startTables({ folder, port: wanted = 0 }: TablesOptions = {}): Promise<Tables> {
  const { port, lost, stop } = await startProcess({
    name: 'the local tables',
    script: join(import.meta.dirname, 'main.ts'),
    parameters: [String(wanted), ...(folder === undefined ? [] : [folder])],
  });
  const endpoint = `http://127.0.0.1:${port}/${account.name}`;
  return { port, endpoint, connectionString: connectionString(endpoint), lost, stop };
}

/** Composes the connection string of a stand-in at an endpoint, for example one behind a proxy. */
export function connectionString(endpoint: string): string {
  return `DefaultEndpointsProtocol=http;AccountName=${account.name};AccountKey=${account.key};TableEndpoint=${endpoint};`;
}
