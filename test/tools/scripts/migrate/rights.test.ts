/** Migrations by a user with only the rights of the pipeline. */

import { randomUUID } from 'node:crypto';
import { startSqlServer } from '@records-and-calendar/local-sql-server';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { rightsStatements, userStatements } from '../../../../infra/deploy/database-users.ts';
import { sqlLogin } from '../../../../local/index.ts';
import { databaseScripts, type Mode } from '../../../../scripts/migrate/migrate.ts';
import { readConfig } from '../../../../shared/config.ts';
import { openDatabases } from '../../../../shared/sql/databases.ts';
import { appLogin, settingsForPort, sqlUsers } from '../../../support/database-settings.ts';
import { executeBatches, executeSql } from '../../../support/execute-sql.ts';
import { createProduct } from '../../../support/existing-product.ts';
import { linesOfMigration } from '../../../support/lines-of-migration.ts';
import { scriptFolder } from '../../../support/script-folder.ts';

const names = Array.from({ length: 8 }, () => `d${randomUUID().slice(0, 8)}`);
const server = await startSqlServer({ databases: names, users: sqlUsers });
afterAll(() => server.stop());

const user = {
  name: appLogin.user,
  clientId: '11112222-3333-4444-5555-666677778888',
  rights: 'migration',
} as const;

/** Returns the settings of two new databases, with the sign-in of a user that may migrate them. */
async function settingsOfPipeline() {
  const [DB_NAME = '', DB_CUSTOMIZATION_NAME = ''] = names.splice(0, 2);
  const settings = { ...settingsForPort(server.port, appLogin), DB_NAME, DB_CUSTOMIZATION_NAME };
  for (const database of ['main', 'customization'] as const)
    await executeBatches(settings, database, [
      `CREATE USER [${user.name}] FOR LOGIN [${user.name}];`,
      ...rightsStatements(user, database),
    ]);
  return settings;
}

async function migrate(settings: Readonly<Record<string, string>>, folder: string, mode: Mode = 'apply') {
  return (await linesOfMigration(settings, { folders: [folder], mode })).at(-1);
}

test('these rights suffice for all scripts, and for a second run', async () => {
  const settings = await settingsOfPipeline();
  expect(await migrate(settings, databaseScripts)).toMatch(/^Applied \d+ scripts\.$/);
  expect(await migrate(settings, databaseScripts)).toBe('Nothing to do: the databases are up to date.');
});

test('these rights do not suffice to grant rights, and such a script is rolled back', async () => {
  const settings = await settingsOfPipeline();
  const { folder } = scriptFolder({
    'main/1.sql': `CREATE TABLE dbo.tA (a int NOT NULL)\nGO\nALTER ROLE db_owner ADD MEMBER [${user.name}]`,
  });
  await expect(migrate(settings, folder)).rejects.toMatchObject({
    message: expect.stringMatching(/1\.sql: the batch that starts in line 3 failed$/),
    cause: { number: 15_151 },
  });
  expect(await executeSql(settings, 'main', "SELECT OBJECT_ID(N'dbo.tA') AS id")).toEqual([{ id: null }]);
});

test('the app reads what the service needs of an existing product, and no other table of it', async () => {
  const [DB_NAME = '', DB_CUSTOMIZATION_NAME = ''] = names.splice(0, 2);
  const owner = { ...settingsForPort(server.port, sqlLogin), DB_NAME, DB_CUSTOMIZATION_NAME };
  await createProduct(owner);
  await linesOfMigration(owner, { folders: [databaseScripts], product: databaseScripts, mode: 'adopt' });
  await executeSql(owner, 'main', 'CREATE VIEW dbo.RefData_colours AS SELECT 1030 AS langID');
  const grant = () =>
    executeBatches(owner, 'main', [
      `IF DATABASE_PRINCIPAL_ID(N'${user.name}') IS NULL CREATE USER [${user.name}] FOR LOGIN [${user.name}];`,
      // An earlier version gave the whole schema.
      "IF DATABASE_PRINCIPAL_ID(N'app_runtime') IS NULL CREATE ROLE app_runtime;",
      'GRANT SELECT ON SCHEMA::dbo TO app_runtime;',
      ...rightsStatements({ ...user, rights: 'runtime' }, 'main'),
    ]);
  await grant();
  await grant();
  const app = openDatabases(readConfig({ ...owner, DB_USER: appLogin.user, DB_PASSWORD: appLogin.password }));
  onTestFinished(() => app.close());
  const select = (name: string) =>
    app.within(Date.now() + 30_000).main.query(`SELECT TOP 1 * FROM dbo.${name}`, {}, { repeatable: false });
  for (const name of ['vServiceUsers', 'tObjProperties', 'tSchemaJournal', 'RefData_colours'])
    await select(name);
  for (const name of ['tContacts', 'tUserSettings'])
    await expect(select(name)).rejects.toMatchObject({ number: 229 });
});

test('the user of an identity that was made anew is replaced, and that of somebody else of the same name stays', async () => {
  const [DB_NAME = '', DB_CUSTOMIZATION_NAME = ''] = names.splice(0, 2);
  const settings = { ...settingsForPort(server.port, sqlLogin), DB_NAME, DB_CUSTOMIZATION_NAME };
  const identity = { ...user, name: 'id-app' };
  const anew = { ...identity, clientId: '99992222-3333-4444-5555-666677778888' };
  const execute = (...statements: readonly string[]) => executeBatches(settings, 'main', statements);
  const sid = () =>
    executeSql(
      settings,
      'main',
      "SELECT CONVERT(varchar(40), sid, 1) AS sid FROM sys.database_principals WHERE name = N'id-app'",
    );
  await execute('CREATE USER [id-app] WITH SID = 0x01, TYPE = E;');
  await expect(execute(...userStatements(identity, 'main'))).rejects.toMatchObject({
    message: expect.stringContaining('id-app is the user of another identity'),
  });
  expect(await sid()).toEqual([{ sid: '0x01' }]);
  await execute('DROP USER [id-app];', ...userStatements(identity, 'main'));
  await execute(...userStatements(anew, 'main'));
  expect(await sid()).toEqual([{ sid: '0x22229999333344445555666677778888' }]);
});
