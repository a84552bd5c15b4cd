/** The two databases with the sample data, made once for all test files, most of which begin with a copy of them. */

import { join } from 'node:path';
import { inject } from 'vitest';
import { sqlLogin } from '../../local/index.ts';
import { prepareDatabases } from '../../scripts/migrate/migrate.ts';
import { quoteName } from '../../shared/sql/transaction.ts';
import { settingsForPort } from './database-settings.ts';
import { executeBatches } from './execute-sql.ts';

type Settings = Readonly<Record<string, string>>;

/** The scripts of the sample data. */
export const sampleFolders = ['users', 'records'].map((name) =>
  join(import.meta.dirname, '..', '..', 'local', 'sample-data', name),
);

const originals = { DB_NAME: 'sample_records', DB_CUSTOMIZATION_NAME: 'sample_customization' };

/** Makes them on the shared local server. */
export async function prepareSampleDatabases(port: number): Promise<void> {
  await prepareDatabases({ ...settingsForPort(port, sqlLogin), ...originals }, sampleFolders);
}

/** Creates the databases that settings name, with the scripts of folders: as copies, where the shared local server has them. */
export async function createDatabases(
  settings: Settings,
  folders: readonly string[] = sampleFolders,
): Promise<void> {
  const isShared = settings['DB_SERVER'] === `127.0.0.1,${inject('sqlServerPort')}`;
  if (!isShared || folders.join() !== sampleFolders.join()) return prepareDatabases(settings, folders);
  await copyDatabases(originals, settings);
}

/** Creates the databases that settings name as copies of others on the same local server. */
export async function copyDatabases(from: Settings, settings: Settings): Promise<void> {
  const inMaster = { ...settings, DB_NAME: 'master', DB_CUSTOMIZATION_NAME: 'master' };
  const name = (of: Settings, setting: string) => quoteName(of[setting] ?? '');
  await executeBatches(
    inMaster,
    'main',
    ['DB_NAME', 'DB_CUSTOMIZATION_NAME'].map(
      (item) => `CREATE DATABASE ${name(settings, item)} AS COPY OF ${name(from, item)}`,
    ),
  );
}
