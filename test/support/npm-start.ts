/** Runs of `npm start` and `npm run dev` as child processes, as a user has them. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';

const project = join(import.meta.dirname, '../..');
const { PATH, NODE_COMPILE_CACHE } = process.env;

interface Start {
  readonly environment?: Readonly<Record<string, string>>;
  readonly parameters?: readonly string[];
  /** The words to wait for. */
  readonly until?: string;
  /** The script to run. Default: that of `npm start`. */
  readonly script?: string;
  /** The folder of the project. Default: this one. */
  readonly root?: string;
}

/** Gives each test of a file a new folder, and ends the processes that it has started. */
export function useStarts() {
  let folder: string;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'start ø-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) await ended(child, 'SIGTERM');
    rmSync(folder, { recursive: true });
  });

  /** Starts a run and waits until it says the words, or ends. `output` is all that it has said so far. */
  async function start({
    environment,
    parameters = [],
    script = 'scripts/start/main.ts',
    until = 'Ctrl-C stops it.',
    root = project,
  }: Start = {}) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...parameters], {
      cwd: root,
      env: { PATH, NODE_COMPILE_CACHE, LOCAL_STATE: folder, PORT: '0', SAMPLE_DATA: 'off', ...environment },
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

  return {
    /** Where a run keeps its state, for as long as the test lasts. */
    get folder() {
      return folder;
    },
    start,
  };
}

/** Sends a run a signal, unless it has ended, and waits for its exit code. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  return (await exit)[0];
}

/** Sends a run a signal and waits until all that it has started has ended, too: its app may still be writing to the tables. */
export async function endedWhole(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const all = processes();
  const parts = [child.pid];
  for (const parent of parts) parts.push(...all.filter(({ ppid }) => ppid === parent).map(({ pid }) => pid));
  await ended(child, signal);
  await expect.poll(() => processes().filter(({ pid }) => parts.includes(pid))).toEqual([]);
}

/** Kills one of the processes that a run has started. */
export function killPart({ pid: parent }: ChildProcess, part: 'tables' | 'functions-host'): void {
  const found = processes().find(({ ppid, command }) => ppid === parent && command.includes(`/${part}/`));
  process.kill(Number(found?.pid), 'SIGKILL');
}

/** Lists what runs on this machine; a process that has ended may stay in its tables. */
function processes(): { pid: number; ppid: number; command: string }[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state = 'Z']) => !state.startsWith('Z'))
    .map(([pid, ppid, , ...words]) => ({ pid: Number(pid), ppid: Number(ppid), command: words.join(' ') }));
}

/** Returns the address that a run says it answers at. */
export function addressIn(output: string): string | undefined {
  return /answers at (\S+),/.exec(output)?.[1];
}
