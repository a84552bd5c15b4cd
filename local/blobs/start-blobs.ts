/** The blobs emulator: Azurite's blob service, in a child process. */

import { join } from 'node:path';
import { startProcess } from 'child-process';
import { blobConnectionString, endpointAt } from '../tables/address.ts';

export interface BlobsOptions {
  /** Where the blobs are stored between runs; without it, in memory. */
  readonly folder?: string;
  /** Default 0: any free one. */
  readonly port?: number;
}

export interface Blobs {
  readonly port: number;
  /** URL of the blob service, for example `http://127.0.0.1:41234/devstoreaccount1`. */
  readonly endpoint: string;
  readonly connectionString: string;
  /** Resolves with what happened when the process ends by itself. */
  readonly lost: Promise<string>;
  /** Saves the blobs and ends the process. May be called twice. */
  stop(): Promise<void>;
}

/** Starts the blobs on the loopback address and resolves when they answer. The process ends with `stop`, or when this process ends. */
export async function startBlobs({ folder, port: wanted = 0 }: BlobsOptions = {}): Promise<Blobs> {
  const { port, lost, stop } = await startProcess({
    name: 'the local blobs',
    script: join(import.meta.dirname, 'main.ts'),
    parameters: [String(wanted), ...(folder === undefined ? [] : [folder])],
  });
  const endpoint = endpointAt(port);
  return { port, endpoint, connectionString: blobConnectionString(endpoint), lost, stop };
}
