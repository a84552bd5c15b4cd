/** The tables emulator: Azurite's table service, in a child process. */

import { join } from 'node:path';
import { connectionString } from '../azurite/address.ts';
import { type StorageEmulator, type StorageOptions, startStorage } from '../azurite/start.ts';

/** Starts the tables. In a folder they are the file `tables.json`. */
export function startTables(options: StorageOptions = {}): Promise<StorageEmulator> {
  const script = join(import.meta.dirname, 'main.ts');
  return startStorage({ name: 'the local tables', script, connectionString }, options);
}
