/** The databases of a product that was there before the service: a sample of what --adopt meets. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { batches } from '../../scripts/migrate/batches.ts';
import { executeBatches, executeSql } from './execute-sql.ts';

type Settings = Readonly<Record<string, string>>;

const folder = join(import.meta.dirname, 'existing-product');
const root = join(import.meta.dirname, '..', '..');
const ourScripts = join(root, 'infra', 'database', 'main');
const sampleSources = join(root, 'local', 'sample-data', 'records', 'customization');

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

/** Creates tables of diaries and cases in a product's main database, and views of them for the service. */
export async function createObjectViews(settings: Settings): Promise<void> {
  await runFile(settings, 'main', 'object-views.sql');
}

/** Settings of an app that reads these views. */
export const viewSettings = { OBJECT_METADATA: 'diaries=view,journalized-cases=view' };

/** Creates the databases of a product that has the users, objects, lists and custom data of our sample data, in its own tables and by its own numbers. */
export async function createFilledProduct(settings: Settings): Promise<void> {
  await runFile(settings, 'main', 'main.sql');
  for (const script of ['010-languages.sql', '080-document-types.sql'])
    await runText(settings, 'main', readFileSync(join(ourScripts, script), 'utf8'));
  const countries = readFileSync(join(ourScripts, '090-countries.sql'), 'utf8').split(
    'CREATE OR ALTER VIEW',
  )[0];
  await runText(settings, 'main', String(countries).replaceAll('tCountries', 'tCountryNames'));
  await runFile(settings, 'main', 'sample-data.sql');
  await runFile(settings, 'main', 'service-users.sql');
  const [registrations = ''] = readFileSync(join(folder, 'customization.sql'), 'utf8').split(/^GO$/m);
  // The suites use names that a Danish collation takes for equal.
  await runText(
    settings,
    'customization',
    registrations.replace('Danish_Norwegian_CI_AS', 'Latin1_General_BIN2'),
  );
  for (const script of readdirSync(sampleSources)
    .filter((name) => !name.includes('field-labels'))
    .sort())
    await runText(settings, 'customization', readFileSync(join(sampleSources, script), 'utf8'));
}

async function runFile(settings: Settings, database: 'main' | 'customization', file: string): Promise<void> {
  await runText(settings, database, readFileSync(join(folder, file), 'utf8'));
}

async function runText(
  settings: Settings,
  database: 'main' | 'customization',
  script: string,
): Promise<void> {
  await executeBatches(
    settings,
    database,
    batches(script).map(({ text }) => text),
  );
}

/** Returns everything in the catalog, and every row of every table: one line each. */
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
  const rows = await executeBatches(settings, database, [
    ...parts,
    ...tables.map((name) => `SELECT N'${name}' AS object, * FROM dbo.[${name}]`),
  ]);
  return rows
    .flat()
    .map((row) => JSON.stringify(row))
    .sort();
}
