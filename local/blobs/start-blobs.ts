/** The blobs emulator: Azurite's blob service, in a child process. */

import { join } from 'node:path';
import { blobConnectionString } from '../azurite/address.ts';
import { type StorageEmulator, type StorageOptions, startStorage } from '../azurite/start.ts';

/** Starts the blobs. */
export function startBlobs(options: StorageOptions = {}): Promise<StorageEmulator> {
  const script = join(import.meta.dirname, 'main.ts');
  return startStorage({ name: 'the local blobs', script, connectionString: blobConnectionString }, options);
}
