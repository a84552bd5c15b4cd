/** Runs tests in the scratch copy, in a group of processes that ends whole. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface TestRun {
  readonly passed: boolean;
  readonly timedOut: boolean;
  readonly seconds: number;
  readonly output: string;
}

export interface TestOptions {
  readonly folder: string;
  /** Milliseconds, after which the run is ended. */
  readonly timeout: number;
  /** Whether the first failure ends the run. */
  readonly bail: boolean;
  /** Aborted when the user stops the run. */
  readonly signal: AbortSignal;
}

/** Runs test files to their end, to the first failure, or until the time is over. */
export async function runTests(tests: readonly string[], options: TestOptions): Promise<TestRun> {
  const { folder, timeout, bail, signal } = options;
  const started = performance.now();
  const parameters = ['run', '--reporter=dot', ...(bail ? ['--bail=1'] : []), ...tests];
  const child = spawn(join(folder, 'node_modules', '.bin', 'vitest'), parameters, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', CI: '1' },
  });
  const end = () => endGroup(child.pid);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, timeout);
  signal.addEventListener('abort', end, { once: true });
  const written: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => written.push(part));
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
  end();
  signal.throwIfAborted();
  const seconds = (performance.now() - started) / 1000;
  return { passed: code === 0 && !timedOut, timedOut, seconds, output: Buffer.concat(written).toString() };
}

/** Ends a process and all that it has started, also what outlived it. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
