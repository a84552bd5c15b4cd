/** --adopt on the databases of an existing product leaves the objects of the product unchanged. */

import { randomUUID } from 'node:crypto';
import { startSqlServer } from '@records-and-calendar/local-sql-server';
import { afterAll, describe, expect, test } from 'vitest';
import { databaseScripts, type Mode } from '../../../../scripts/migrate/migrate.ts';
import { settingsForPort } from '../../../support/database-settings.ts';
import { executeSql } from '../../../support/execute-sql.ts';
import { createProduct, snapshot } from '../../../support/existing-product.ts';
import { linesOfMigration } from '../../../support/lines-of-migration.ts';
import { scriptFolder } from '../../../support/script-folder.ts';

const login = { user: 'sa', password: 'Local-only-1' };
const names = Array.from({ length: 40 }, () => `d${randomUUID().slice(0, 8)}`);
const server = await startSqlServer({ databases: names, users: { [login.user]: login.password } });
afterAll(() => server.stop());

function freshSettings() {
  const [main = '', customization = ''] = names.splice(0, 2);
  return { ...settingsForPort(server.port, login), DB_NAME: main, DB_CUSTOMIZATION_NAME: customization };
}

async function migrate(settings: Readonly<Record<string, string>>, mode: Mode, product = databaseScripts) {
  return (await linesOfMigration(settings, { folders: [product], product, mode })).slice(1);
}

const states = async (settings: Readonly<Record<string, string>>) =>
  Promise.all((['main', 'customization'] as const).map((database) => snapshot(settings, database)));

/** Checks whether --adopt creates the object of a line. */
const isOwnObject = (line: string) =>
  /tSchemaJournal|tCustomDataVersions|tCustomDataTypes|tFieldLabels|tUserBindings/.test(line);

describe('--adopt', () => {
  test('leaves every object and row of the product unchanged, also when it is repeated', async () => {
    const settings = freshSettings();
    await createProduct(settings);
    const before = await states(settings);
    expect(await migrate(settings, 'adopt')).toEqual([
      'skip  database/main/: the main database belongs to an existing product',
      'apply database/customization/010-custom-data.sql',
      'apply database/customization/020-custom-data-types.sql',
      'apply database/customization/030-field-labels.sql',
      'apply database/customization/040-user-bindings.sql',
      'apply database/customization/050-custom-data-changes.sql',
      'installed in the main database: tSchemaJournal',
      'installed in the customization database: tCustomDataTypes, tCustomDataVersions, tFieldLabels, tSchemaJournal, tUserBindings',
      'Applied 5 scripts.',
    ]);
    const after = await states(settings);
    expect(after.map((lines) => lines.filter((line) => !isOwnObject(line)))).toEqual(before);
    expect(await migrate(settings, 'adopt')).toContain('Nothing to do: the databases are up to date.');
    // The database remembers the adoption, so later migrations of a pipeline need no option.
    expect(await migrate(settings, 'apply')).toContain('Nothing to do: the databases are up to date.');
    expect(await states(settings)).toEqual(after);
  });

  test('creates the registrations where the product has none', async () => {
    const settings = freshSettings();
    await createProduct(settings);
    await executeSql(settings, 'customization', 'DROP TABLE dbo.tCustomData');
    await migrate(settings, 'adopt');
    expect(await executeSql(settings, 'customization', 'SELECT COUNT(*) AS n FROM dbo.tCustomData')).toEqual([
      { n: 0 },
    ]);
  });

  test('rejects databases of a new installation', async () => {
    const settings = freshSettings();
    await migrate(settings, 'apply');
    await expect(migrate(settings, 'adopt')).rejects.toThrow(
      'Cannot adopt the main database: it is ours, since database/main/010-languages.sql was applied to it. Migrate it without --adopt.',
    );
  });

  test('rejects a main database that is none of the product, and changes nothing', async () => {
    const settings = freshSettings();
    await executeSql(settings, 'main', 'CREATE TABLE dbo.tShop (id int)');
    const before = await states(settings);
    await expect(migrate(settings, 'adopt')).rejects.toThrow(
      'Cannot adopt the main database: it has none of the objects of an existing product, such as tObjProperties.',
    );
    expect(await states(settings)).toEqual(before);
  });

  test.each(['adopt', 'baseline'] as const)(
    'and --%s leave a journal of another program as it is',
    async (mode) => {
      const settings = freshSettings();
      await createProduct(settings);
      await executeSql(
        settings,
        'customization',
        'CREATE TABLE dbo.tSchemaJournal (id int, version nvarchar(20))',
      );
      const before = await states(settings);
      await expect(migrate(settings, mode)).rejects.toThrow(
        'the table dbo.tSchemaJournal of the customization database belongs to another program (its columns are id, version)',
      );
      expect(await states(settings)).toEqual(before);
    },
  );

  test('is the hint of a migration without it, before the first change', async () => {
    const settings = freshSettings();
    await createProduct(settings);
    const before = await states(settings);
    for (const mode of ['check', 'apply'] as const)
      await expect(migrate(settings, mode)).rejects.toThrow(
        'Cannot migrate: the main database already has RefData_countries, pStructureObjectInfoGet, tCountries, tObjProperties, tUserSettings, and vServiceUsers, which these scripts did not make.',
      );
    const after = await states(settings);
    expect(after.map((lines) => lines.filter((line) => !isOwnObject(line)))).toEqual(before);
  });

  test.each([
    ['ALTER TABLE dbo.tCustomData ADD ours int NULL', 'tCustomData'],
    ['DROP VIEW dbo.RefData_priorities', 'RefData_priorities'],
    ['CREATE OR ALTER VIEW dbo.RefData_priorities AS SELECT 1 AS rank', 'RefData_priorities'],
    ['CREATE INDEX IX_Budget_amount ON dbo.tBudget (amount)', 'tBudget'],
  ])('undoes a script that would change what is theirs: %s', async (statement, name) => {
    const settings = freshSettings();
    await createProduct(settings);
    const { folder, write } = scriptFolder({ 'customization/1.sql': 'SELECT 1 AS one' });
    await migrate(settings, 'adopt', folder);
    const before = await states(settings);
    write('customization/2.sql', statement);
    await expect(migrate(settings, 'apply', folder)).rejects.toThrow(
      `/customization/2.sql: it would change ${name}, which belongs to the existing product.`,
    );
    expect(await states(settings)).toEqual(before);
  });
});
