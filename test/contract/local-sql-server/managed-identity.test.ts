/** A login as in the cloud: the managed identity endpoint gives a token, the server verifies it. Local emulators only. */
import { ManagedIdentityCredential } from '@azure/identity';
import { type SqlServer, startSqlServer } from 'local-sql-server';
import sql from 'mssql';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { issuerOfFile } from '../../support/issuer.ts';

const issuer = issuerOfFile();
let server: SqlServer;

beforeAll(async () => {
  const { authority, identityEndpoint, identityHeader } = issuer();
  server = await startSqlServer({ databases: ['records'], issuer: authority });
  vi.stubEnv('IDENTITY_ENDPOINT', identityEndpoint);
  vi.stubEnv('IDENTITY_HEADER', identityHeader);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

function connect(authentication: unknown): Promise<sql.ConnectionPool> {
  return new sql.ConnectionPool({
    server: '127.0.0.1',
    port: server.port,
    database: 'records',
    options: { encrypt: false },
    authentication,
  } as sql.config).connect();
}

test('mssql logs in with the managed identity of the app', async () => {
  const credential = new ManagedIdentityCredential();
  const pool = await connect({ type: 'token-credential', options: { credential } });
  const { recordset } = await pool.request().query('SELECT DB_NAME() AS name');
  await pool.close();
  expect(recordset).toEqual([{ name: 'records' }]);
});

test('a token for the API itself opens no database', async () => {
  const token = issuer().issueToken();
  const login = connect({ type: 'azure-active-directory-access-token', options: { token } });
  await expect(login).rejects.toMatchObject({ code: 'ELOGIN' });
});

test('a SQL login is refused where only tokens are accepted', async () => {
  const login = connect({ type: 'default', options: { userName: 'sa', password: '' } });
  await expect(login).rejects.toMatchObject({ code: 'ELOGIN', message: "Login failed for user 'sa'." });
});
