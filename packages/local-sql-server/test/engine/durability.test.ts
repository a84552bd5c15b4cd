/** What is kept when the process ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { openEngine } from '../../src/engine/engine.ts';
import { run } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'durability-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const engineModule = new URL('../../src/engine/engine.ts', import.meta.url).href;

/** A process that commits one row after the other, tells each, and has one more in an open transaction. */
const writer = `
import { openEngine } from ${JSON.stringify(engineModule)};
const engine = openEngine({ folder: process.argv[1], databases: ['main'] });
const session = engine.openSession({ user: 'sa', database: 'main', application: 'writer' });
const run = async (sql) => { for await (const event of session.batch(sql)); };
await run('CREATE TABLE T (id int IDENTITY PRIMARY KEY, x nvarchar(20) NOT NULL)');
await run('CREATE VIEW V AS SELECT COUNT(*) AS n FROM T');
for (let x = 1; ; x++) {
  await run("INSERT T (x) VALUES (N'row " + x + "')");
  console.log(x);
  if (x === 30) await run("BEGIN TRAN; INSERT T (x) VALUES (N'open')");
  if (x === 30) console.log('open');
}
`;

test('what was committed is there after kill -9, what was not is gone', async () => {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', writer, folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for await (const line of createInterface(child.stdout)) if (line === 'open') break;
  child.kill('SIGKILL');
  await once(child, 'exit');

  const engine = openEngine({ folder, databases: ['main'] });
  const session = engine.openSession({ user: 'sa', database: 'main', application: 'reader' });
  expect(await run(session, 'SELECT n FROM V; SELECT MAX(id) FROM T; SELECT x FROM T WHERE id = 30')).toEqual(
    [[30], [30], ['row 30']],
  );
  expect(await run(session, "INSERT T (x) VALUES ('after'); SELECT SCOPE_IDENTITY()")).toEqual([['31']]);
  engine.close();
});

/** Writes within a limit of the size of files, which a COMMIT meets first: what it has to write is in memory until then. */
const writerWithoutSpace = `
import { openEngine } from ${JSON.stringify(engineModule)};
const engine = openEngine({ folder: process.argv[1], databases: ['main'] });
const open = () => engine.openSession({ user: 'sa', database: 'main', application: 'writer' });
const run = async (session, sql) => {
  const seen = [];
  for await (const event of session.batch(sql)) {
    if (event.kind === 'row') seen.push(...event.values);
    if (event.kind === 'message' && event.message.class > 10) seen.push('error ' + event.message.number);
  }
  return seen;
};
const [large, other] = [open(), open()];
await run(other, 'CREATE TABLE T (id int PRIMARY KEY, x nvarchar(max) NOT NULL)');
const insert = (id) => 'INSERT T (id, x) VALUES (' + id + ", REPLICATE(CAST(N'x' AS nvarchar(max)), 1000000))";
console.log(JSON.stringify([
  await run(large, 'BEGIN TRAN; ' + insert(1) + '; COMMIT'),
  await run(large, 'SELECT @@TRANCOUNT, COUNT(*) FROM T'),
  await run(large, insert(2)),
  await run(other, "SET LOCK_TIMEOUT 1000; INSERT T (id, x) VALUES (3, N'small'); SELECT id FROM T"),
]));
engine.close();
`;

test('a COMMIT for which there is no space rolls back, and lets others write', async () => {
  const child = spawn(
    'bash',
    [
      '-c',
      `ulimit -f 700; exec "$@"`,
      'bash',
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      writerWithoutSpace,
      mkdtempSync(join(folder, 'limited-')),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) lines.push(line);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    [['error 1105'], [0, 0], ['error 1105'], [3]],
  ]);
});
