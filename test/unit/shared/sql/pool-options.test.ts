import { expect, test } from 'vitest';
import { readConfig } from '../../../../shared/config.ts';
import { managedIdentity } from '../../../../shared/managed-identity.ts';
import { poolOptions } from '../../../../shared/sql/pool-options.ts';

const credential = managedIdentity('');
const withPassword = { DB_TRUSTED_CONNECTION: 'false', DB_USER: 'service', DB_PASSWORD: 'secret' };

test('poolOptions() leaves repeating to us, bounds every wait, and encrypts', () => {
  const config = readConfig({ DB_SERVER: 'db.example.org', ...withPassword });
  expect(poolOptions(config, 'records', credential)).toEqual({
    server: 'db.example.org',
    database: 'records',
    user: 'service',
    password: 'secret',
    arrayRowMode: true,
    validateConnection: false,
    pool: { max: 10, min: 0, acquireTimeoutMillis: 4_000, idleTimeoutMillis: 30_000 },
    options: {
      appName: 'records-service',
      encrypt: true,
      trustServerCertificate: false,
      abortTransactionOnError: true,
      connectTimeout: 15_000,
      cancelTimeout: 1_000,
      maxRetriesOnTransientErrors: 0,
      useUTC: true,
    },
  });
});

test.each([
  [{ DB_SERVER: 'db,1444' }, { server: 'db', port: 1444 }],
  [{ DB_SERVER: 'db\\second' }, { server: 'db', options: { instanceName: 'second' } }],
  [{ DB_POOL_MAX: '3' }, { pool: { max: 3 } }],
  [{ DB_ENCRYPT: 'false' }, { options: { encrypt: false, trustServerCertificate: false } }],
  [{ DB_TRUST_SERVER_CERTIFICATE: 'true' }, { options: { encrypt: true, trustServerCertificate: true } }],
])('poolOptions() of %j has %j', (settings, expected) => {
  const config = readConfig({ DB_SERVER: 'db', ...withPassword, ...settings });
  expect(poolOptions(config, 'records', credential)).toMatchObject(expected);
});

test('poolOptions() signs in with the managed identity alone when DB_TRUSTED_CONNECTION is true', () => {
  const config = readConfig({ DB_SERVER: 'db', ...withPassword, DB_TRUSTED_CONNECTION: 'true' });
  const options = poolOptions(config, 'records', credential);
  expect(options.authentication).toEqual({ type: 'token-credential', options: { credential } });
  expect([options.user, options.password]).toEqual([undefined, undefined]);
});
