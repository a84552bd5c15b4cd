/** The connection of a deployment: the deployer's token, one batch after the other, and no connection left. */
import { ManagedIdentityCredential } from '@azure/identity';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SqlServer, startSqlServer } from '../../../local/sql-server/start.ts';
import { connectTo } from '../../../scripts/deploy/sql-server.ts';
import { issuerOfFile } from '../../support/issuer.ts';

const issuer = issuerOfFile();
let server: SqlServer;
let token: string;

beforeAll(async () => {
  const { authority, identityEndpoint, identityHeader } = issuer();
  server = await startSqlServer({ databases: ['records'], issuer: authority });
  vi.stubEnv('IDENTITY_ENDPOINT', identityEndpoint);
  vi.stubEnv('IDENTITY_HEADER', identityHeader);
  ({ token } = await new ManagedIdentityCredential().getToken('https://database.windows.net/.default'));
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

const connect = () => connectTo('127.0.0.1', { port: server.port, encrypt: false });

test('statements run as batches of their own, in order', async () => {
  await connect()('records', token, async (execute) => {
    await execute('CREATE TABLE dbo.tOrder (number int NOT NULL);');
    await execute('CREATE VIEW dbo.vOrder AS SELECT number FROM dbo.tOrder;');
  });
  const again = connect()('records', token, (execute) =>
    execute('CREATE TABLE dbo.tOrder (number int NOT NULL);'),
  );
  await expect(again).rejects.toMatchObject({ number: 2714 });
});

test('an error of a statement says what the server said', async () => {
  const failing = connect()('records', token, (execute) =>
    execute("IF OBJECT_ID(N'dbo.tNothing', N'U') IS NULL THROW 50001, N'dbo.tNothing is missing.', 1;"),
  );
  await expect(failing).rejects.toMatchObject({ number: 50001, message: 'dbo.tNothing is missing.' });
});

test('a token for something else opens no database', async () => {
  const login = connect()('records', issuer().issueToken(), async () => {});
  await expect(login).rejects.toMatchObject({ code: 'ELOGIN' });
});
