/** Brings the two databases that settings name to the state of folders of T-SQL scripts. */

import { join } from 'node:path';
import { type Environment, readConfig } from '../shared/config.ts';
import { openDatabases } from '../shared/sql/databases.ts';
import { createDatabases, untilAvailable, using } from './migration-server.ts';
import { applyScripts } from './migrations.ts';

/** The folder of the scripts that every installation has. */
export const databaseScripts = join(import.meta.dirname, '..', 'infra', 'database');

/** Milliseconds for the scripts of one folder. */
const folderTime = 10 * 60_000;

export interface MigrationOptions {
  /** Folders with main/*.sql and customization/*.sql, in the order in which they are applied. */
  readonly folders: readonly string[];
  /** Whether to create the databases where they are missing. */
  readonly create: boolean;
  /** Takes a line about every step. */
  readonly say: (line: string) => void;
}

/** Applies the scripts of the folders that were not applied before, or have changed since. */
export async function migrateDatabases(settings: Environment, options: MigrationOptions): Promise<void> {
  const { folders, create, say } = options;
  const config = readConfig(settings);
  say(`server ${config.DB_SERVER}`);
  if (create) await createDatabases(config, say);
  await using(openDatabases(config), async (server) => {
    await untilAvailable(server, say);
    let applied = 0;
    for (const folder of folders) {
      await applyScripts(server.within(Date.now() + folderTime), folder, (script, action) => {
        if (action === 'apply') applied += 1;
        say(`${action.padEnd(5)} ${script}`);
      });
    }
    say(applied === 0 ? 'Nothing to do: the databases are up to date.' : `Applied ${applied} scripts.`);
  });
}

/** Creates the databases of a dev stack: those of every installation, with the scripts of more folders. */
export function prepareDatabases(settings: Environment, folders: readonly string[]): Promise<void> {
  return migrateDatabases(settings, { folders: [databaseScripts, ...folders], create: true, say: () => {} });
}
