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
