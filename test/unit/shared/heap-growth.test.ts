import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const module = join(import.meta.dirname, '../../../shared/heap-growth.ts');

/** Makes objects of which many live on for a while, turn by turn, as requests do. */
const program = `
  const { limitHeapGrowth } = await import(${JSON.stringify(module)});
  const { getHeapSpaceStatistics } = await import('node:v8');
  limitHeapGrowth();
  let living = [];
  for (let turn = 0; turn < 300; turn += 1) {
    for (let index = 0; index < 2000; index += 1) living.push({ index, list: [index] });
    if (living.length > 150000) living = living.slice(50000);
    await new Promise(setImmediate);
  }
  console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size);
`;

/** Notes the flags that are set for heaps of two sizes, while some work fills them, one of which fails. */
const fillingProgram = `
  import v8 from 'node:v8';
  import { syncBuiltinESMExports } from 'node:module';
  const flags = [];
  let used = 64 * 2 ** 20;
  v8.getHeapStatistics = () => ({ used_heap_size: used });
  v8.setFlagsFromString = (flag) => flags.push(flag.replace('--heap-growing-percent=', ''));
  syncBuiltinESMExports();
  const { limitHeapGrowth, whileFilling } = await import(${JSON.stringify(module)});
  const unlimited = await whileFilling(async () => 'done ' + flags.length);
  limitHeapGrowth();
  const works = [Promise.withResolvers(), Promise.withResolvers()];
  const [first, second] = works.map(({ promise }) => whileFilling(() => promise));
  works[0].resolve('first');
  const value = await first;
  flags.push('one is left');
  works[1].reject(new Error('unreachable'));
  const failure = await second.catch(({ message }) => message);
  used = 2 ** 30;
  await whileFilling(async () => {});
  console.log(JSON.stringify([unlimited, value, failure, flags]));
`;

/** Notes the flags that are set as the young generation grows and shrinks. */
const youngProgram = `
  import perfHooks from 'node:perf_hooks';
  import v8 from 'node:v8';
  import { syncBuiltinESMExports } from 'node:module';
  const flags = [];
  let collected;
  let observed;
  perfHooks.PerformanceObserver = class {
    constructor(callback) {
      collected = callback;
    }
    observe(options) {
      observed = options;
    }
  };
  let size = 0;
  v8.getHeapSpaceStatistics = () => [
    { space_name: 'old_space', space_size: 2 ** 30 },
    { space_name: 'new_space', space_size: size },
  ];
  v8.setFlagsFromString = (flag) => flags.push(flag);
  syncBuiltinESMExports();
  const { limitHeapGrowth } = await import(${JSON.stringify(module)});
  limitHeapGrowth();
  const counts = [];
  for (const mebibytes of [1, 15.9, 16, 32, 15.9, 15.9, 16]) {
    flags.length = 0;
    size = mebibytes * 2 ** 20;
    collected();
    counts.push(flags.filter((flag) => flag.includes('semi-space')).join());
  }
  console.log(JSON.stringify([observed, counts]));
`;

const run = async (source: string) => {
  const node = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source]);
  return node.stdout;
};

test('limitHeapGrowth() keeps the young generation from growing', async () => {
  expect(Number(await run(program)) / 2 ** 20).toBeLessThanOrEqual(32);
});

test('whileFilling() lets a small heap grow further until all work is done, also where it fails', async () => {
  const flags = ['50', '200', 'one is left', '50', '30'];
  expect(JSON.parse(await run(fillingProgram))).toEqual(['done 0', 'first', 'unreachable', flags]);
});

test('limitHeapGrowth() lets the young generation grow up to 16 MiB', async () => {
  const [grows, stays] = [2, 1].map((factor) => `--semi-space-growth-factor=${factor}`);
  const flags = ['', '', stays, '', grows, '', stays];
  expect(JSON.parse(await run(youngProgram))).toEqual([{ entryTypes: ['gc'] }, flags]);
});
