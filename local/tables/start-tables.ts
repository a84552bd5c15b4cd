/** The tables emulator: Azurite's table service, in a child process. */

import { join } from 'node:path';
import { startProcess } from 'child-process';
import { connectionString, endpointAt } from './address.ts';

export interface TablesOptions {
  /** Where the tables are kept between runs (`tables.json`, written within 200 ms of a change and on stop); without it, in memory. */
  readonly folder?: string;
  /** Default 0: any free one. */
  readonly port?: number;
}

export interface Tables {
  readonly port: number;
  /** URL of the table service, for example `http://127.0.0.1:41234/devstoreaccount1`. */
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
  const endpoint = endpointAt(port);
  return { port, endpoint, connectionString: connectionString(endpoint), lost, stop };
}
