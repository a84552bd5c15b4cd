/** Which user of a database a login is. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEngine } from '../../src/engine/engine.ts';
import { type Engine, LoginFailure } from '../../src/engine/session.ts';
import { run } from './run.ts';

const clientId = '11112222-3333-4444-5555-666677778888';
const sid = '0x22221111333344445555666677778888';
let folder: string;
let engine: Engine;
const reopen = () => {
  engine = openEngine({ folder, databases: ['main', 'other'], logins: ['sa', 'app', 'admin'] });
};
const open = (user: string, database = 'main') => engine.openSession({ user, database, application: 'test' });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sql-server-test-'));
  reopen();
  await run(
    open('sa'),
    `CREATE TABLE T (id int NOT NULL); CREATE USER service FOR LOGIN app; GRANT SELECT ON T TO service;
     CREATE USER [id-app] WITH SID = ${sid}, TYPE = E; CREATE USER [anna@example.org] FROM EXTERNAL PROVIDER`,
  );
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ['a login that a user was created for', 'APP', 'service'],
  ['an identity by its client id', `${clientId}@tenant`, 'id-app'],
  ['an identity by its name', 'Anna@example.org', 'anna@example.org'],
  ['any other login, which is an administrator', 'admin', 'dbo'],
  ['any other identity', `99992222-3333-4444-5555-666677778888@tenant`, 'dbo'],
])('%s', async (_, login, user) => {
  expect(await run(open(login), 'SELECT CURRENT_USER')).toEqual([[user]]);
});

test('a login is a user with its rights, in every session and after a new start', async () => {
  const statements = 'SELECT COUNT(*) FROM T; INSERT T VALUES (1)';
  expect(await run(open('app'), statements)).toEqual([[0], 'error 229']);
  engine.close();
  reopen();
  expect(await run(open('app'), statements)).toEqual([[0], 'error 229']);
});

test('what is granted counts at once, in sessions that are open', async () => {
  const session = open('app');
  expect(await run(session, 'INSERT T VALUES (1)')).toEqual(['error 229']);
  await run(open('sa'), 'GRANT INSERT ON T TO service');
  expect(await run(session, 'INSERT T VALUES (1)')).toEqual([]);
  await run(open('sa'), 'REVOKE INSERT ON T FROM service');
  expect(await run(session, 'INSERT T VALUES (1)')).toEqual(['error 229']);
});

test('a user of one database opens no other one, but for master', async () => {
  for (const login of ['app', `${clientId}@tenant`]) expect(() => open(login, 'other')).toThrow(LoginFailure);
  expect(await run(open('app', ''), 'SELECT CURRENT_USER, DB_NAME()')).toEqual([['guest', 'master']]);
});

test('a login has one user', async () => {
  expect(await run(open('sa'), 'CREATE USER second FOR LOGIN app')).toEqual(['error 15063']);
  expect(await run(open('sa'), 'DROP USER service; CREATE USER second FROM LOGIN app')).toEqual([]);
});
