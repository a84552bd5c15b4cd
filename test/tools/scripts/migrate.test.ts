/** `npm run migrate` in a child process, against a local SQL server. */

import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startSqlServer } from '@records-and-calendar/local-sql-server';
import { afterAll, expect, test } from 'vitest';
import { settingsForPort } from '../../support/database-settings.ts';
import { scriptFolder } from '../../support/script-folder.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const login = { user: 'sa', password: 'Local-only-1' };

const names = Array.from({ length: 20 }, (_, index) => `database${index}`);
const users = { [login.user]: login.password };
const server = await startSqlServer({ databases: names, users, log: 'ignore' });
afterAll(() => server.stop());

/** Settings of two new databases. */
function freshSettings(): Record<string, string> {
  const [main = '', customization = ''] = names.splice(0, 2);
  return { ...settingsForPort(server.port, login), DB_NAME: main, DB_CUSTOMIZATION_NAME: customization };
}

const script = ['--disable-warning=ExperimentalWarning', 'scripts/migrate.ts'];
const environment = (settings: Readonly<Record<string, string>>) => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  // No "npm start" keeps its state there.
  LOCAL_STATE: join(root, '.local', 'none'),
  ...settings,
});

/** Starts a migration whose output the test reads. */
function start(settings: Readonly<Record<string, string>>, ...parameters: string[]) {
  return spawn(process.execPath, [...script, ...parameters], {
    cwd: root,
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function migrate(settings: Readonly<Record<string, string>>, ...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...script, ...parameters], {
    cwd: root,
    env: environment(settings),
    encoding: 'utf8',
  });
  return { status, lines: stdout.trim().split('\n'), errors: stderr.trim() };
}

test('migrate applies every script once, and prints each of them', () => {
  const settings = freshSettings();
  const first = migrate(settings);
  const applied = first.lines.slice(1, -1).filter((line) => !line.startsWith(' '));
  expect({ status: first.status, errors: first.errors }).toEqual({ status: 0, errors: '' });
  expect(first.lines.slice(0, 2)).toEqual([
    `server ${settings['DB_SERVER']}`,
    'apply database/main/010-languages.sql',
  ]);
  expect(first.lines.at(-1)).toMatch(/^Applied \d+ scripts\.$/);
  const { folder } = scriptFolder({ 'main/1.sql': 'SELECT 1 AS a' });
  const both = ['--scripts', 'infra/database', '--scripts', folder];
  const second = migrate(settings, ...both);
  expect(second.lines.slice(1, -2)).toEqual(applied.map((line) => line.replace('apply', 'skip ')));
  expect(second.lines.at(-2)).toMatch(/^apply test-\w+\/main\/1\.sql$/);
  expect(migrate(settings, ...both).lines.at(-1)).toBe('Nothing to do: the databases are up to date.');
});

test('migrate waits for an unavailable server, and prints the reason', async () => {
  const settings = freshSettings();
  await using proxy = await startTcpProxy(Number(settings['DB_SERVER']?.split(',')[1]));
  proxy.gone = true;
  const { folder } = scriptFolder({ 'main/1.sql': 'SELECT 1 AS a' });
  const child = start({ ...settings, DB_SERVER: `localhost,${proxy.port}` }, '--scripts', folder);
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.startsWith('waiting')) proxy.gone = false;
  }
  expect(lines[1]).toMatch(/^waiting for the database, \d+ of 90 s: \S/);
  expect(lines.at(-1)).toBe('Applied 1 script.');
});

test.each([
  [
    'a missing setting',
    { DB_SERVER: '' },
    'The setting DB_SERVER is missing.\nnpm run migrate -- --help lists the settings of the server and the sign-in.',
  ],
  ['a refused login', { DB_PASSWORD: 'wrong' }, 'the server refuses the login of DB_USER and DB_PASSWORD'],
])('migrate explains %s', (_, changes, message) => {
  const { status, errors } = migrate({ ...freshSettings(), ...changes });
  expect(status).toBe(1);
  expect(errors).toContain(message);
});

test('migrate asks for the settings of the contract before it connects', () => {
  for (const [mode, settings, name] of [
    ['--adopt', { SERVICE_API_USERNAME: '', OBJECT_TYPES: 'diary=1' }, 'SERVICE_API_USERNAME'],
    ['--contract', { SERVICE_API_USERNAME: 'service', OBJECT_TYPES: '' }, 'OBJECT_TYPES'],
  ] as const) {
    const { status, errors } = migrate({ DB_SERVER: 'localhost,1', ...settings }, mode);
    expect([status, errors]).toEqual([1, expect.stringContaining(`The setting ${name} is missing`)]);
  }
});
