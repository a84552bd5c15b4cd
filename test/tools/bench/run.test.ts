/** What a run of benchmarks prints and writes, whatever becomes of one of them. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type BenchmarkRow, orFailure } from '../../bench/benchmark.ts';
import { runBenchmark } from '../../bench/run-benchmark.ts';
import { newFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');

interface Run {
  readonly status: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run bench` with some words. */
function bench(...words: string[]): Promise<Run> {
  const script = join(root, 'test', 'bench', 'run.ts');
  return new Promise((resolve) => {
    const parameters = ['--disable-warning=ExperimentalWarning', script, '--smoke', ...words];
    execFile(process.execPath, parameters, { cwd: root }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

test('a benchmark is printed and written as a table', async () => {
  const output = join(newFolder(), 'bench.md');
  const { status, stdout } = await bench('calendar-store', '--output', output);
  const table = stdout.slice(stdout.indexOf('| What'));
  expect({ status, table, written: readFileSync(output, 'utf8') }).toEqual({
    status: 0,
    table: expect.stringMatching(/\n\| calendar store: reads, 32 at a time \| \d.*\n$/),
    written: expect.stringMatching(/^\d{4}-\d\d-\d\d, on \d+ cores/),
  });
  expect(readFileSync(output, 'utf8')).toContain(`\n## calendar-store\n\n${table}`);
});

test('a benchmark that measures nothing is a row and the exit status, and the others are measured', async () => {
  const { status, stdout, stderr } = await bench('calendar-store', 'load', '--scenes', 'no such scene');
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: expect.stringMatching(
      /\n\| calendar store: .*\n(?:.*\n)*\| load \| FAILED \|.*\| It has measured nothing. \|\n$/,
    ),
    stderr: expect.stringMatching(/\nFAILED: load: It has measured nothing.\n$/),
  });
});

test.each([
  [['nothing'], 'There is no benchmark "nothing".'],
  [['--events', '10,many'], '--events takes numbers above 0, not "many".'],
  [['--seconds', '0'], '--seconds takes numbers above 0, not "0".'],
])('%j is no way to run benchmarks', async (words, message) => {
  expect(await bench(...words)).toEqual({
    status: 2,
    stdout: '',
    stderr: `${message}\nnpm run bench -- --help tells what it takes.\n`,
  });
});

test('a benchmark that throws is a row with the first line of the error', async () => {
  const failure = 'There is no benchmark "nothing".';
  const rows = await runBenchmark('nothing', { seconds: 1, scenes: '', events: [1] });
  expect(rows).toEqual([{ name: 'nothing', value: Number.NaN, unit: '', failure }]);
});

const row: BenchmarkRow = { name: 'a row', value: 1, unit: 'requests/s' };
const nothing = 'It has measured nothing.';

test.each<[string, Partial<BenchmarkRow>, string | undefined]>([
  ['a figure', {}, undefined],
  ['a figure of 0 that is compared with none', { value: 0 }, undefined],
  ['no figure', { value: Number.NaN }, nothing],
  ['a ratio', { ratio: 0.5 }, undefined],
  ['a ratio to nothing', { ratio: Number.POSITIVE_INFINITY }, nothing],
  ['a ratio of nothing', { ratio: 0 }, nothing],
  ['a ratio of nothing to nothing', { ratio: Number.NaN }, nothing],
  ['a failure of its own', { ratio: 0, failure: 'The app has ended.' }, 'The app has ended.'],
])('a row with %s', async (_, more, failure) => {
  const [judged] = await orFailure('rows', async () => [{ ...row, ...more }]);
  expect(judged?.failure).toBe(failure);
});
