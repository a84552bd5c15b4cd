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
  const [rows = []] = await executeBatches(settings, database, [batch]);
  return rows;
}

/** Returns a function for each database of an app, which runs one batch and gives the rows of its last result. */
export function databasesOf(app: { readonly stack: { readonly settings: Settings } }) {
  const inDatabase = (name: 'main' | 'customization') => (batch: string) =>
    executeSql(app.stack.settings, name, batch);
  return { main: inDatabase('main'), customization: inDatabase('customization') };
}

/** Runs batches over one connection, one after the other, and gives the rows of the last result of each. */
export async function executeBatches(
  settings: Settings,
  database: 'main' | 'customization',
  batches: readonly string[],
): Promise<Row[][]> {
  const databases = openDatabases(readConfig(administratorOf(settings)));
  try {
    const rows: Row[][] = [];
    for (const batch of batches) {
      const query = () =>
        databases.within(Date.now() + 30_000)[database].query(batch, {}, { repeatable: false });
      rows.push(rowsOf((await connected(query)).at(-1)));
    }
    return rows;
  } finally {
    await databases.close();
  }
}

/** Runs a query that a busy machine may be too slow to connect for, three times at most. Nothing was done where there was no connection. */
async function connected<Result>(query: () => Promise<Result>, attempts = 3): Promise<Result> {
  try {
    return await query();
  } catch (error) {
    if (attempts === 1 || (error as { code?: string }).code !== 'database-unavailable') throw error;
    return connected(query, attempts - 1);
  }
}
