/** Migrations by a user with only the rights of the pipeline. */

import { randomUUID } from 'node:crypto';
import { startSqlServer } from 'local-sql-server';
import { afterAll, expect, test } from 'vitest';
import { userStatements } from '../../../../infra/deploy/database-users.ts';
import { databaseScripts, type Mode } from '../../../../scripts/migrate/migrate.ts';
import { appLogin, settingsForPort, sqlUsers } from '../../../support/database-settings.ts';
import { executeBatches, executeSql } from '../../../support/execute-sql.ts';
import { linesOfMigration } from '../../../support/lines-of-migration.ts';
import { scriptFolder } from '../../../support/script-folder.ts';

const names = Array.from({ length: 4 }, () => `d${randomUUID().slice(0, 8)}`);
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
      ...userStatements(user, database),
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
