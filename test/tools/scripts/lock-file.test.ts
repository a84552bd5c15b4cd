/** The lock of an installation: of processes that find that of one which has ended, one has it at a time. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const module = pathToFileURL(join(import.meta.dirname, '../../../scripts/lock-file.mjs')).href;

/** Takes the lock some times, and notes when it has it. Between two of its turns it leaves the lock of a process that has ended. */
const holder = `
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { tryToLock } from ${JSON.stringify(module)};
const [file, log, dead] = process.argv.slice(1);
for (let turn = 0; turn < 120; turn += 1) {
  while (!tryToLock(file));
  appendFileSync(log, 'begin ' + process.pid + '\\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  appendFileSync(log, 'end ' + process.pid + '\\n');
  // As if it had been killed: the lock stays, and its owner is gone.
  writeFileSync(file, dead);
}
rmSync(file, { force: true });
`;

async function endedProcess(): Promise<string> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return String(child.pid);
}

test('of several processes that find the lock of one that has ended, one has it at a time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  const [file, log] = [join(folder, 'lock'), join(folder, 'log')];
  const dead = await endedProcess();
  writeFileSync(file, dead);
  const children = Array.from({ length: 5 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', holder, file, log, dead], { stdio: 'inherit' }),
  );
  const statuses = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  expect(statuses).toEqual([0, 0, 0, 0, 0]);
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(5 * 120 * 2);
  for (let index = 0; index < lines.length; index += 2)
    expect([lines[index], lines[index + 1]]).toEqual([
      expect.stringMatching(/^begin/),
      lines[index]?.replace('begin', 'end'),
    ]);
  expect(existsSync(`${file}.claim`)).toBe(false);
}, 60_000);
