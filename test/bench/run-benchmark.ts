/** Runs one benchmark in a process of its own, so that the others run whatever becomes of it: it throws, dies, hangs, or leaves servers behind. */

import { fork } from 'node:child_process';
import { join } from 'node:path';
import { type BenchmarkOptions, type BenchmarkRow, orFailure } from './benchmark.ts';
import { messageOf } from './message-of.ts';
import { isSmoke, paced } from './pace.ts';

/** Minutes after which a benchmark hangs; the longest takes a tenth of it. */
const deadline = paced(60, 10);

/** Resolves with the rows of a benchmark, or with one that says why there are none. */
export function runBenchmark(name: string, options: BenchmarkOptions): Promise<readonly BenchmarkRow[]> {
  return orFailure(name, async () => {
    const script = join(import.meta.dirname, 'benchmark-process.ts');
    const parameters = [name, JSON.stringify(options), ...(isSmoke ? ['--smoke'] : [])];
    // JSON has no NaN.
    const child = fork(script, parameters, { serialization: 'advanced' });
    const timer = setTimeout(() => child.kill('SIGKILL'), deadline * 60_000);
    try {
      return await messageOf<readonly BenchmarkRow[]>(
        child,
        `Its process, which may take ${deadline} minutes,`,
      );
    } finally {
      clearTimeout(timer);
    }
  });
}
