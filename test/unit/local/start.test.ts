/** `npm start` as a user runs it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) await ended(child, 'SIGTERM');
  rmSync(folder, { recursive: true });
});

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const exit = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  return (await exit)[0];
}

/** Starts it and waits until it says the words, or ends. */
async function start(environment: Readonly<Record<string, string>>, until = 'Ctrl-C stops it.') {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'local/start.ts'], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { PATH: process.env['PATH'], LOCAL_STATE: folder, PORT: '0', SAMPLE_DATA: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  const said = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes(until)) said.resolve();
    });
  }
  await Promise.race([said.promise, once(child, 'close')]);
  return { child, output: () => output };
}

test('it serves, refuses a second one over the same state, and stops cleanly on Ctrl-C', async () => {
  const first = await start({});
  const address = /answers at (\S+),/.exec(first.output())?.[1];
  expect((await fetch(`${address}/health`)).status).toBe(200);

  const second = await start({});
  expect(second.output()).toContain(`The state in ${folder} is in use by process ${first.child.pid}.`);
  expect(await ended(second.child, 'SIGTERM')).toBe(1);

  expect(await ended(first.child, 'SIGINT')).toBe(0);
  await expect(fetch(`${address}/health`)).rejects.toThrow();
});

test('it takes over the state that a killed one has left', async () => {
  writeFileSync(join(folder, 'running.pid'), '999999999');
  const { child } = await start({}, 'Building the app');
  expect(child.exitCode).toBe(null);
});

test.each([
  [{ SAMPLE_DATA: 'maybe' }, 'SAMPLE_DATA must be "on" or "off", not "maybe".'],
  [{ PORT: 'x' }, 'PORT must be a number from 0 to 65535, not "x".'],
])('it refuses %j', async (environment, message) => {
  const { child, output } = await start(environment);
  expect({ code: child.exitCode, said: output().trim() }).toEqual({ code: 1, said: message });
});

test('it says what to do when its port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const { child, output } = await start({ PORT: String(port) });
  other.close();
  expect({ code: child.exitCode, said: output().trim() }).toEqual({
    code: 1,
    said: `Port ${port} is in use. Choose another one: PORT=0 npm start takes any that is free.`,
  });
});
