/** The server as a child process. */
import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'mssql';
import { afterEach, describe, expect, test } from 'vitest';
import { usage } from '../src/command-line.ts';
import { type SqlServer, type SqlServerOptions, startSqlServer } from '../start.ts';

const MAIN = join(import.meta.dirname, '../src/main.ts');
const LOGIN = { user: 'sa', password: 'p:w 1' };

const running: SqlServer[] = [];

async function start(options: Partial<SqlServerOptions> = {}): Promise<SqlServer> {
  const server = await startSqlServer({
    databases: ['main'],
    users: { [LOGIN.user]: LOGIN.password },
    ...options,
  });
  running.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

async function query(port: number, text: string): Promise<unknown> {
  const config = { server: '127.0.0.1', port, ...LOGIN, database: 'main', options: { encrypt: false } };
  const pool = await new sql.ConnectionPool(config).connect();
  const { recordset } = await pool.request().query(text);
  await pool.close();
  return recordset;
}

describe('startSqlServer()', () => {
  test('starts a server in a process of its own, on a free port', async () => {
    const first = await start();
    const second = await start();
    expect(first.port).not.toBe(second.port);
    expect(await query(first.port, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  test('keeps the databases in a folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sql-server-test-'));
    const first = await start({ folder });
    await query(first.port, 'CREATE TABLE dbo.T (n int); INSERT INTO dbo.T VALUES (7);');
    await first.stop();
    const second = await start({ folder });
    expect(await query(second.port, 'SELECT n FROM dbo.T')).toEqual([{ n: 7 }]);
    await second.stop();
    rmSync(folder, { recursive: true });
  });

  test('stops for good, however often it is told to', async () => {
    const server = await start();
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    await expect(query(server.port, 'SELECT 1')).rejects.toMatchObject({ code: 'ESOCKET' });
  });

  test('says why it cannot start', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    await expect(start({ port })).rejects.toThrow(/^Cannot start the local SQL server: .*EADDRINUSE/);
    other.close();
  });
});

describe('the process', () => {
  const args = [MAIN, '--database', 'main', '--login', `${LOGIN.user}:${LOGIN.password}`];

  async function ready(...more: string[]) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args, ...more]);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const started = JSON.parse(line.toString()) as { port: number };
    expect(started).toEqual({ port: expect.any(Number) });
    return { child, port: started.port };
  }

  test('stops cleanly on SIGINT', async () => {
    const { child } = await ready('--memory');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('stops when its parent has gone', async () => {
    const child = fork(MAIN, [...args.slice(1), '--memory']);
    expect(await once(child, 'message')).toEqual([{ port: expect.any(Number) }, undefined]);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('may be killed at any moment: what was committed is kept, and nothing else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sql-server-test-'));
    const { child, port } = await ready('--folder', folder);
    await query(port, 'CREATE TABLE dbo.T (n int); INSERT INTO dbo.T VALUES (1);');
    const doomed = query(port, 'BEGIN TRANSACTION; INSERT INTO dbo.T VALUES (2); WHILE 1 = 1 SELECT 1 AS n;');
    const rejected = expect(doomed).rejects.toThrow();
    await query(port, 'SELECT 1 AS n');
    child.kill('SIGKILL');
    await rejected;
    const again = await ready('--folder', folder);
    expect(await query(again.port, 'SELECT n FROM dbo.T')).toEqual([{ n: 1 }]);
    again.child.kill();
    await once(again.child, 'exit');
    rmSync(folder, { recursive: true });
  });

  test('explains itself', () => {
    const { status, stdout } = spawnSync(process.execPath, [MAIN, '--help'], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${usage}\n` });
  });

  test('says what is wrong with its command line', () => {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, '--memory'], { encoding: 'utf8' });
    expect({ status, lines: stderr.split('\n').filter((line) => !line.includes('Warning')) }).toMatchObject({
      status: 2,
      lines: expect.arrayContaining(['Give at least one --database.']),
    });
  });
});
