import { expect, test } from 'vitest';
import { sortByTime } from '../../../../../shared/calendar/replica/time-sort.ts';
import { fc, numRuns } from '../../../../support/properties.ts';

/** First second of the year 1, last of the year 9999. */
const [first, last] = [-62_135_596_800, 253_402_300_799];

function stepsOf(times: readonly number[]) {
  const slots = times.map((_, slot) => slot);
  return sortByTime(
    slots,
    (slot) => times[slot] ?? 0,
    function* (equal) {
      yield;
      return equal.toSorted((a, b) => b - a);
    },
  );
}

function sorted(times: readonly number[]): number[] {
  const steps = stepsOf(times);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return [...value];
  }
}

function expected(times: readonly number[]): number[] {
  return times.map((_, slot) => slot).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || b - a);
}

test('sortByTime() sorts by times of all years, and those of one time as it is told', () => {
  const time = fc.oneof(fc.integer({ min: first, max: last }), fc.constantFrom(first, -1, 0, 255, 256, last));
  fc.assert(
    fc.property(fc.array(time, { maxLength: 200 }), (times) => {
      expect(sorted(times)).toEqual(expected(times));
    }),
    numRuns(50),
  );
});

test('sortByTime() merges what it has sorted in portions', () => {
  const times = Array.from({ length: 70_000 }, (_, index) => (index * 7_919) % 50_021);
  expect(sorted(times)).toEqual(expected(times));
});

test('sortByTime() stops for others after each 16,384 items, sorted, merged and read', () => {
  const count = 70_000;
  const steps = stepsOf(Array.from({ length: count }, (_, index) => index));
  let yields = 0;
  while (steps.next().done !== true) yields += 1;
  const portions = Math.ceil(count / 16_384);
  const merges = 3;
  expect(yields).toBe(portions + merges * portions + portions);
});
