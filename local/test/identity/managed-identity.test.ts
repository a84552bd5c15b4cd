/** A managed identity as in the cloud: its endpoint gives the library tokens, with which one logs in to a server that verifies them. Local emulators only. */
import { ManagedIdentityCredential } from '@azure/identity';
import { type SqlServer, startSqlServer } from '@records-and-calendar/local-sql-server';
import sql from 'mssql';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { claimsIn, issuerOfFile } from '../../../test/support/issuer.ts';

const issuer = issuerOfFile();
let server: SqlServer;

beforeAll(async () => {
  const { authority, identityEndpoint, identityHeader } = issuer();
  server = await startSqlServer({ databases: ['records'], issuer: authority, log: 'ignore' });
  vi.stubEnv('IDENTITY_ENDPOINT', identityEndpoint);
  vi.stubEnv('IDENTITY_HEADER', identityHeader);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

describe('ManagedIdentityCredential of @azure/identity', () => {
  // The client looks at the environment once per process, so all of its tests share the issuer of the file.
  test('gets its tokens here, and keeps them', async () => {
    const before = issuer().requests['managed-identity'];
    const credential = new ManagedIdentityCredential();
    const database = await credential.getToken('https://database.windows.net/.default');
    const storage = await credential.getToken('https://storage.azure.com/.default');
    const again = await credential.getToken('https://database.windows.net/.default');
    expect([claimsIn(database.token)['aud'], claimsIn(storage.token)['aud']]).toEqual([
      'https://database.windows.net/',
      'https://storage.azure.com/',
    ]);
    // The client counts from its own clock, so a second may turn between the two.
    const expiry = Number(claimsIn(database.token)['exp']) * 1000;
    expect(Math.abs((database.expiresOnTimestamp ?? 0) - expiry)).toBeLessThanOrEqual(5_000);
    expect(again.token).toBe(database.token);
    expect(issuer().requests['managed-identity']).toBe(before + 2);
  });

  test('gets those of a user-assigned identity by its client id', async () => {
    const credential = new ManagedIdentityCredential({ clientId: '33333333-2222-4333-8444-555555555555' });
    const { token } = await credential.getToken('https://database.windows.net/.default');
    expect(claimsIn(token)).toMatchObject({ appid: '33333333-2222-4333-8444-555555555555' });
  });
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
  // The client keeps the tokens of an identity for the whole process, so this is one that no other test asks for.
  const credential = new ManagedIdentityCredential({ clientId: '44444444-2222-4333-8444-555555555555' });
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
