/** Runs test files in the scratch copy, in a process that is kept while it is well, and that ends with all it has started. */

import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Order, Result } from './test-process.ts';

export interface TestRun extends Result {
  readonly timedOut: boolean;
}

export interface Limits {
  /** Seconds of the processor, of all processes together. */
  readonly processor: number;
  /** Seconds on the clock, for what waits for ever. */
  readonly clock: number;
}

export interface TestRunner {
  /** Says that a file has another text than before. */
  touch(file: string): void;
  /** Runs a test file; `needsApp` when it drives the built app, which is built again after a change. */
  run(test: string, needsApp: boolean, limits: Limits): Promise<TestRun>;
  stop(): void;
}

/** Milliseconds between two looks at the time that a run has used. */
const interval = 2000;

/** Returns a runner of the tests in a folder. An aborted signal ends the run, which then throws. */
export function testRunner(
  folder: string,
  signal: AbortSignal,
  environment: NodeJS.ProcessEnv = {},
): TestRunner {
  let child: ChildProcess | undefined;
  const changed = new Set<string>();
  let isBuilt = false;

  function start(): ChildProcess {
    const started = fork(join(import.meta.dirname, 'test-process.ts'), {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NO_COLOR: '1', CI: '1', ...environment },
    });
    started.stderr?.resume();
    return started;
  }

  function stop(): void {
    endGroup(child?.pid);
    child = undefined;
  }
  signal.addEventListener('abort', stop, { once: true });

  return {
    stop,
    touch(file) {
      changed.add(file);
      isBuilt = false;
    },
    async run(test, needsApp, limits) {
      signal.throwIfAborted();
      child ??= start();
      const running = child;
      running.send({ test, changed: [...changed], build: needsApp && !isBuilt } satisfies Order);
      changed.clear();
      isBuilt ||= needsApp;
      const ended = new AbortController();
      const answer = once(running, 'message', ended) as Promise<[Result]>;
      const lost = once(running, 'exit', ended).then(() => 'lost' as const);
      const late = timeOver(running.pid ?? 0, limits, ended.signal).then(() => 'late' as const);
      for (const one of [answer, lost, late]) one.catch(() => undefined);
      const outcome = await Promise.race([answer, lost, late]);
      ended.abort();
      if (typeof outcome === 'object') return { ...outcome[0], timedOut: false };
      stop();
      signal.throwIfAborted();
      const failure = outcome === 'late' ? 'The time is over.' : 'The process of the tests has ended.';
      return { passed: false, isTest: false, timedOut: outcome === 'late', failure, milliseconds: 0 };
    },
  };
}

/** Resolves when a group of processes has used what it may. */
async function timeOver(group: number, limits: Limits, signal: AbortSignal): Promise<void> {
  const [clock, processor] = [performance.now(), processorSeconds(group)];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    const used = processorSeconds(group) - processor;
    if (used > limits.processor || performance.now() - clock > limits.clock * 1000) resolve();
  }, interval);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  await promise.finally(() => clearInterval(timer));
}

/** Seconds of the processor that the processes of a group have used which still run. */
function processorSeconds(group: number): number {
  const list = execFileSync('ps', ['-A', '-o', 'pgid=,time='], { encoding: 'utf8' });
  return list
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([id]) => Number(id) === group)
    .reduce((sum, [, time = '']) => sum + secondsOf(time), 0);
}

/** Reads `[days-]hours:minutes:seconds`. */
function secondsOf(time: string): number {
  const [clock = '', days = '0'] = time.split('-').reverse();
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
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
