/** The connection of a deployment: the deployer's token, one batch after the other, and no connection left. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { accountStatement } from '../../../../infra/deploy/accounts.ts';
import { connectTo } from '../../../../infra/deploy/sql-server.ts';
import { createEmptyDatabases } from '../../../support/databases-of-test.ts';
import { settingsOfLocalDatabases } from '../../../support/shared-emulators.ts';

const settings = settingsOfLocalDatabases();
const { DB_NAME: records, DB_CUSTOMIZATION_NAME: product } = settings;
let token: string;

/** Gets a token for a resource from the issuer that the server trusts. */
async function tokenFor(resource: string): Promise<string> {
  const { IDENTITY_ENDPOINT, IDENTITY_HEADER = '' } = inject('managedIdentity');
  const reply = await fetch(`${IDENTITY_ENDPOINT}?api-version=2019-08-01&resource=${resource}`, {
    headers: { 'x-identity-header': IDENTITY_HEADER },
  });
  return ((await reply.json()) as { access_token: string }).access_token;
}

beforeAll(async () => {
  await createEmptyDatabases(settings);
  token = await tokenFor('https://database.windows.net');
});

const connect = () => connectTo('127.0.0.1', { port: inject('sqlServerPort'), encrypt: false });

test('statements run as batches of their own, in order', async () => {
  await connect()(records, token, async (execute) => {
    await execute('CREATE TABLE dbo.tOrder (number int NOT NULL);');
    await execute('CREATE VIEW dbo.vOrder AS SELECT number FROM dbo.tOrder;');
  });
  const again = connect()(records, token, (execute) =>
    execute('CREATE TABLE dbo.tOrder (number int NOT NULL);'),
  );
  await expect(again).rejects.toMatchObject({ number: 2714 });
});

test('an error of a statement says what the server said', async () => {
  const failing = connect()(records, token, (execute) =>
    execute("IF OBJECT_ID(N'dbo.tNothing', N'U') IS NULL THROW 50001, N'dbo.tNothing is missing.', 1;"),
  );
  await expect(failing).rejects.toMatchObject({ number: 50001, message: 'dbo.tNothing is missing.' });
});

test('a token for something else opens no database', async () => {
  const login = connect()(records, await tokenFor('https://storage.azure.com'), async () => {});
  await expect(login).rejects.toMatchObject({ code: 'ELOGIN' });
});

/** The batches of a script of infra/database/main. */
const batches = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../../infra/database/main', name), 'utf8').split(/^GO$/m);

test('the first accounts of an empty database are added once', async () => {
  const service = accountStatement({ account: "the service's", email: undefined });
  const alice = accountStatement({ account: 'alice@example.org', email: 'alice@example.org' });
  await connect()(records, token, async (execute) => {
    for (const script of [
      '010-languages.sql',
      '020-objects.sql',
      '030-persons-and-users.sql',
      '110-service-users.sql',
    ])
      for (const batch of batches(script)) if (batch.trim() !== '') await execute(batch);
    await execute(
      'CREATE TABLE dbo.tSchemaJournal (script nvarchar(200) NOT NULL, digest nvarchar(64) NOT NULL);',
    );
    for (const statement of [service, alice, service, alice]) await execute(statement);
    await execute(`
      IF (SELECT COUNT(*) FROM dbo.tUserSettings) <> 2 THROW 50001, N'There are not two accounts.', 1;
      IF NOT EXISTS (
          SELECT 1 FROM dbo.tUserSettings u JOIN dbo.tPersons p ON p.propID = u.usrPropID
          WHERE u.account = N'the service''s' AND p.email IS NULL)
        THROW 50002, N'The account of the service is missing.', 1;
      IF NOT EXISTS (
          SELECT 1 FROM dbo.tUserSettings u JOIN dbo.tPersons p ON p.propID = u.usrPropID
          WHERE u.account = p.email)
        THROW 50003, N'The first user is missing.', 1;`);
  });
});

test('nobody is added to the database of an existing product, whose view must have the account', async () => {
  const add = (account: string) => (execute: (statement: string) => Promise<void>) =>
    execute(accountStatement({ account, email: undefined }));
  await connect()(product, token, async (execute) => {
    await execute(`CREATE TABLE dbo.tSchemaJournal (script nvarchar(200) NOT NULL, digest nvarchar(64) NOT NULL);
INSERT INTO dbo.tSchemaJournal (script, digest) VALUES (N'database/main/', N'adopted');`);
    await execute("CREATE VIEW dbo.vServiceUsers AS SELECT N'svc' AS account;");
    await add('svc')(execute);
  });
  await expect(connect()(product, token, add('other'))).rejects.toMatchObject({
    number: 50001,
    message:
      'The account other is not in vServiceUsers: the database belongs to an existing product, so add it there.',
  });
});
