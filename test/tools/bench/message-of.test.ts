/** Messages of child processes, and their end in place of one. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, messageOf } from '../../bench/message-of.ts';
import { newFolder } from '../../support/temporary-folder.ts';

/** Starts a process that runs a statement. */
function running(statement: string): ChildProcess {
  const script = join(newFolder(), 'child.mjs');
  writeFileSync(script, statement);
  return fork(script);
}

test('messages come one after the other', async () => {
  const child = running(
    "process.send('ready'); process.on('message', (word) => { process.send(word); process.disconnect(); });",
  );
  expect(await messageOf(child, 'It')).toBe('ready');
  expect(await ask(child, 'It', 'done')).toBe('done');
});

test('the last message of a process that ends is not lost', async () => {
  const child = running("process.send('x'.repeat(1_000_000), () => process.exit(3));");
  expect(await messageOf(child, 'It')).toHaveLength(1_000_000);
});

test.each([
  ['ends', 'process.exit(3)', 'It ended with 3.'],
  ['fails', 'await Promise.reject(new Error())', 'It ended with 1.'],
  ['is killed', "process.kill(process.pid, 'SIGKILL')", 'It ended with SIGKILL.'],
])('a process that %s is an error', async (_, statement, message) => {
  await expect(messageOf(running(statement), 'It')).rejects.toThrow(new Error(message));
});

test('a process that has ended before is an error', async () => {
  const child = running('process.exit(3)');
  await once(child, 'exit');
  await expect(ask(child, 'It', 'more')).rejects.toThrow(new Error('It ended with 3.'));
});
