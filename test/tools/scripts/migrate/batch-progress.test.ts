import { beforeEach, expect, test, vi } from 'vitest';
import { showBatchProgress } from '../../../../scripts/migrate/batch-progress.ts';
import { useFakes } from '../../../support/timers.ts';

let output: string[] = [];
const write = (text: string) => output.push(text);

beforeEach(() => {
  output = [];
  useFakes(['setInterval', 'clearInterval']);
});

test('a script of less than two seconds shows nothing', () => {
  const progress = showBatchProgress({ isTTY: true, write });
  progress.at(1, 3);
  vi.advanceTimersByTime(1_900);
  progress.end();
  vi.advanceTimersByTime(60_000);
  expect(output).toEqual([]);
});

test('on a terminal one line shows the batch and the seconds, and is removed at the end', () => {
  const progress = showBatchProgress({ isTTY: true, write });
  progress.at(7, 340);
  vi.advanceTimersByTime(3_000);
  progress.end();
  expect(output).toEqual([
    '\r      batch 7 of 340, 2 s\x1b[K',
    '\r      batch 7 of 340, 3 s\x1b[K',
    '\r\x1b[K',
  ]);
});

test('without a terminal each batch has a line, at most one per second, and a slow batch one per half minute', () => {
  const progress = showBatchProgress({ write });
  progress.at(1, 4);
  vi.advanceTimersByTime(2_000);
  for (const batch of [2, 3, 4]) progress.at(batch, 4);
  vi.advanceTimersByTime(61_000);
  progress.end();
  expect(output).toEqual([
    ...['      batch 1 of 4, 2 s\n', '      batch 4 of 4, 3 s\n', '      batch 4 of 4, 33 s\n'],
    '      batch 4 of 4, 63 s\n',
  ]);
});
