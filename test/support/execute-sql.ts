/** Runs statements in a database of a running dev stack, past the service: to prepare and to look. */

import { readConfig } from '../../shared/config.ts';
import { openDatabases } from '../../shared/sql/databases.ts';
import { type Row, rowsOf } from '../../shared/sql/values.ts';
import { administratorOf } from './database-settings.ts';

/** Runs one batch and gives the rows of its last result. `settings` are those of the app. */
export async function executeSql(
  settings: Readonly<Record<string, string>>,
  database: 'main' | 'customization',
  batch: string,
): Promise<Row[]> {
  const databases = openDatabases(readConfig(administratorOf(settings)));
  try {
    const results = await databases
      .within(Date.now() + 30_000)
      [database].query(batch, {}, { repeatable: false });
    return rowsOf(results.at(-1));
  } finally {
    await databases.close();
  }
}
