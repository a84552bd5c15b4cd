/** Starts a storage emulator in a child process. */

import type { ChildProcess } from 'node:child_process';
import { startProcess } from '../../packages/child-process.ts';
import { endpointAt } from './address.ts';

export interface StorageOptions {
  /** Where what is stored stays between runs, written within 200 ms of a change and on stop; without it, in memory. */
  readonly folder?: string;
  /** Default 0: any port that is free. */
  readonly port?: number;
}

export interface StorageEmulator {
  readonly port: number;
  /** URL of the service, for example `http://127.0.0.1:41234/devstoreaccount1`. */
  readonly endpoint: string;
  readonly connectionString: string;
  readonly process: ChildProcess;
  /** Resolves with what happened when the process ends by itself. */
  readonly lost: Promise<string>;
  /** Saves what is to be kept and ends the process. May be called twice. */
  stop(): Promise<void>;
}

interface Emulated {
  readonly name: string;
  readonly script: string;
  readonly connectionString: (endpoint: string) => string;
}

/**
 * Starts an emulator on the loopback address and resolves when it answers. The process ends with `stop`, or by itself when this process
 * goes away, however that happens.
 */
export async function startStorage(
  { name, script, connectionString }: Emulated,
  { folder, port: wanted = 0 }: StorageOptions,
): Promise<StorageEmulator> {
  const parameters = [String(wanted), ...(folder === undefined ? [] : [folder])];
  const { port, process, lost, stop } = await startProcess({ name, script, parameters });
  const endpoint = endpointAt(port);
  return { port, endpoint, connectionString: connectionString(endpoint), process, lost, stop };
}
