/** The process of one benchmark, which sends its rows to its parent (`run-benchmark.ts`). What the benchmark has left running ends with it. */

import { type BenchmarkOptions, orFailure } from './benchmark.ts';
import { benchmarks } from './benchmarks.ts';

process.once('disconnect', () => process.exit(1));
// A promise that nothing will settle ends the process, too.
process.channel?.unref();

const [name = '', options = ''] = process.argv.slice(2);
const rows = await orFailure(name, async () => {
  const benchmark = await benchmarks[name]?.();
  if (benchmark === undefined) throw new TypeError(`There is no benchmark "${name}".`);
  return benchmark(JSON.parse(options) as BenchmarkOptions);
});
process.send?.(rows, () => process.exit());
