import { expect, test } from 'vitest';
import { serverAddress } from '../../../../shared/config/parsers.ts';
import { readConfig } from '../../../../shared/config.ts';

test.each([
  ['sql.example.org', { host: 'sql.example.org' }],
  ['sql.example.org,1444', { host: 'sql.example.org', port: 1444 }],
  ['tcp:sql.example.org,1433', { host: 'sql.example.org', port: 1433 }],
  ['sql.example.org,65535', { host: 'sql.example.org', port: 65_535 }],
  ['TCP:sql.example.org', { host: 'sql.example.org' }],
  ['10.0.0.4,1433', { host: '10.0.0.4', port: 1433 }],
  ['sql.example.org\\REPORTS', { host: 'sql.example.org', instance: 'REPORTS' }],
  ['sql.example.org\\REPORTS,1500', { host: 'sql.example.org', port: 1500 }],
  [' localhost ', { host: 'localhost' }],
  ['.', { host: 'localhost' }],
  ['(local)\\DEV', { host: 'localhost', instance: 'DEV' }],
  ['[::1],1433', { host: '::1', port: 1433 }],
])('serverAddress() reads %j', (text, expected) => {
  expect(serverAddress(text)).toEqual(expected);
});

test.each(['a b', 'host,', 'host,x', 'host,65536', 'host:1433', '\\instance', 'http://host'])(
  'DB_SERVER cannot be %j',
  (text) => {
    expect(() => readConfig({ DB_SERVER: text }).DB_SERVER).toThrow(
      expect.objectContaining({
        kind: 'misconfigured',
        code: 'database-connection',
        facts: { setting: 'DB_SERVER' },
      }),
    );
  },
);
