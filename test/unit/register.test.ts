/** The checker of histories itself: it must find what cannot have happened. */

import { expect, test } from 'vitest';
import { isLinearizable, type RegisterCall } from '../support/register.ts';

const write = (value: string | undefined, start: number, end: number): RegisterCall => ({
  kind: 'write',
  value,
  start,
  end,
});
const read = (value: string | undefined, start: number, end: number): RegisterCall => ({
  kind: 'read',
  value,
  start,
  end,
});
const never = Number.POSITIVE_INFINITY;

test.each<[what: string, calls: RegisterCall[], isInOrder: boolean]>([
  ['nothing', [], true],
  ['a read of what was written', [write('a', 0, 1), read('a', 2, 3)], true],
  ['a read of nothing before it', [read(undefined, 0, 1), write('a', 2, 3)], true],
  ['a read that misses what was acknowledged', [write('a', 0, 1), read(undefined, 2, 3)], false],
  ['a read of what was not written', [write('a', 0, 1), read('b', 2, 3)], false],
  ['a read beside a write of either state', [write('a', 0, 9), read(undefined, 1, 2), read('a', 3, 4)], true],
  ['reads that go back', [write('a', 0, 9), read('a', 1, 2), read(undefined, 3, 4)], false],
  ['a write that nobody knows of, done', [write('a', 0, never), read('a', 5, 6)], true],
  ['the same, not done', [write('a', 0, never), read(undefined, 5, 6)], true],
  ['the same, done and undone', [write('a', 0, never), read('a', 5, 6), read(undefined, 7, 8)], false],
  ['two writes in either order', [write('a', 0, 5), write('b', 0, 5), read('a', 6, 7)], true],
  [
    'two writes in an order that changes',
    [write('a', 0, 5), write('b', 0, 5), read('a', 6, 7), read('b', 8, 9)],
    false,
  ],
  ['a deletion', [write('a', 0, 1), write(undefined, 2, 3), read(undefined, 4, 5)], true],
  ['a deleted value that comes back', [write('a', 0, 1), write(undefined, 2, 3), read('a', 4, 5)], false],
])('%s', (_, calls, isInOrder) => {
  expect(isLinearizable(calls)).toBe(isInOrder);
});
