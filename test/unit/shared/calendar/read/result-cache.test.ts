import { describe, expect, test } from 'vitest';
import { ResultCache } from '../../../../../shared/calendar/read/result-cache.ts';

describe('ResultCache', () => {
  test('caches a result until the calendar changes, unless it is not worth caching', () => {
    const cache = new ResultCache();
    let found = 0;
    const ask = (revision: number, isCacheable?: () => boolean) =>
      cache.of(revision, ['list'], () => ({ number: ++found }), isCacheable).number;
    expect([ask(1, () => false), ask(1, () => true), ask(1), ask(2), ask(2)]).toEqual([1, 2, 2, 3, 3]);
  });
});
