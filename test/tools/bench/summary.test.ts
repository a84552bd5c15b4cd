/** The table of docs/benchmarks.md. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BenchmarkRow } from '../../bench/benchmark.ts';
import { pageWith, questions } from '../../bench/summary.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'benchmarks.md'), 'utf8');

const start: BenchmarkRow = {
  name: 'load of the built app until functions are registered',
  value: 177,
  unit: 'ms more',
  against: { name: 'bare node start (ms)', value: 100 },
  target: 'at most 200 ms more',
};

/** Returns the lines of the table of questions, below its heads. */
function linesOf(text: string): string[] {
  const [table = ''] = /^\| Question .*\n(?:\|.*\n)*/m.exec(text) ?? [];
  return table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
}

test('docs/benchmarks.md answers every question, in order, with a figure', () => {
  const answers = linesOf(page).map((line) => line.split(' | ').slice(0, 2));
  expect(answers).toEqual(questions.map(({ asks }) => [`| ${asks}`, expect.stringMatching(/^[\d.]+ \S/)]));
});

test('an answer takes the place of the one before, and the others stay', () => {
  const question = '| How long does the app take to start? ';
  const written = pageWith(page, [start], '2026-12-24, abc');
  const row = `${question}| 177 ms more | bare node start (ms): 100 |  | at most 200 ms more | What the platform waits beside the start of Node before it sends the first call. | 2026-12-24, abc |`;
  const expected = linesOf(page).map((line) => (line.startsWith(question) ? row : line));
  expect(linesOf(written)).toEqual(expected);
  expect(pageWith(written, [], '')).toBe(written);
});

test('a failure takes the place of nothing', () => {
  expect(pageWith(page, [{ ...start, failure: 'It has measured nothing.' }], '2026-12-24, abc')).toBe(page);
});

test('a page without the table is an error', () => {
  expect(() => pageWith('# Benchmarks\n', [start], '')).toThrow('Cannot write the table: the page has none.');
});
