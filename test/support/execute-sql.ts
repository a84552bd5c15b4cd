/** Runs statements in a database of a running dev stack, past the service: to prepare and to look. */

import { readConfig } from '../../shared/config.ts';
import { openDatabases } from '../../shared/sql/databases.ts';
import { type Row, rowsOf } from '../../shared/sql/values.ts';
import { administratorOf } from './database-settings.ts';

type Settings = Readonly<Record<string, string>>;

/** Runs one batch and gives the rows of its last result. `settings` are those of the app. */
export async function executeSql(
  settings: Settings,
  database: 'main' | 'customization',
  batch: string,
): Promise<Row[]> {
  return executeBatches(settings, database, [batch]);
}

/** Runs batches over one connection and gives the rows of the last result. */
export async function executeBatches(
  settings: Settings,
  database: 'main' | 'customization',
  batches: readonly string[],
): Promise<Row[]> {
  const databases = openDatabases(readConfig(administratorOf(settings)));
  try {
    let rows: Row[] = [];
    for (const batch of batches) {
      const within = databases.within(Date.now() + 30_000);
      rows = rowsOf((await within[database].query(batch, {}, { repeatable: false })).at(-1));
    }
    return rows;
  } finally {
    await databases.close();
  }
}
