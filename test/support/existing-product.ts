/** The databases of a product that was there before the service: a sample of what --adopt meets. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { batches } from '../../scripts/migrate/batches.ts';
import { executeSql } from './execute-sql.ts';

type Settings = Readonly<Record<string, string>>;

const folder = join(import.meta.dirname, 'existing-product');

/** Settings of an app on such a database: its account, the product's numbers of types, and none of our tables of objects. */
export const productSettings = {
  SERVICE_API_USERNAME: 'svc-records',
  OBJECT_TYPES: 'diaries=11,journalized-cases=12,deeds=13,documents=14',
  OBJECT_METADATA: 'none',
};

/** Creates the product's databases. Without `view` the owner has not created vServiceUsers yet. */
export async function createProduct(settings: Settings, { view = true } = {}): Promise<void> {
  await runFile(settings, 'main', 'main.sql');
  if (view) await runFile(settings, 'main', 'service-users.sql');
  await runFile(settings, 'customization', 'customization.sql');
}

async function runFile(settings: Settings, database: 'main' | 'customization', file: string): Promise<void> {
  for (const { text } of batches(readFileSync(join(folder, file), 'utf8')))
    await executeSql(settings, database, text);
}

/** Returns all that the catalog says of what there is, and every row of every table: one line each. */
export async function snapshot(settings: Settings, database: 'main' | 'customization'): Promise<string[]> {
  const parts = [
    'SELECT name, type, create_date, modify_date, OBJECT_DEFINITION(object_id) AS definition FROM sys.objects',
    'SELECT OBJECT_NAME(object_id) AS object, * FROM sys.columns',
    'SELECT OBJECT_NAME(object_id) AS object, * FROM sys.indexes',
    'SELECT OBJECT_NAME(object_id) AS object, * FROM sys.parameters',
    'SELECT OBJECT_NAME(parent_object_id) AS object, name, definition FROM sys.check_constraints',
    'SELECT OBJECT_NAME(parent_object_id) AS object, name, definition FROM sys.default_constraints',
  ];
  const tables = (await executeSql(settings, database, 'SELECT name FROM sys.tables')).map(({ name }) =>
    String(name),
  );
  const rows = await Promise.all(
    [...parts, ...tables.map((name) => `SELECT N'${name}' AS object, * FROM dbo.[${name}]`)].map((sql) =>
      executeSql(settings, database, sql),
    ),
  );
  return rows
    .flat()
    .map((row) => JSON.stringify(row))
    .sort();
}
