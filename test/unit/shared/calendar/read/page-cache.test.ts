import { describe, expect, test } from 'vitest';
import { maxPageBytes, PageCache } from '../../../../../shared/calendar/read/page-cache.ts';

/** Creates a function that asks an empty cache for a page, and returns the number of the call that made the page. */
function createAsk() {
  const cache = new PageCache();
  let made = 0;
  return (cacheKey: string, bytes = 1, revision = 1) =>
    cache.of({ revision, cacheKey, make: () => ({ number: ++made }), bytesOf: () => bytes }).number;
}

describe('PageCache', () => {
  test('caches a page until the calendar changes', () => {
    const ask = createAsk();
    expect([ask('a'), ask('b'), ask('a'), ask('a', 1, 2), ask('a', 1, 2)]).toEqual([1, 2, 1, 3, 3]);
  });

  test('evicts the page that was asked for least recently, and does not cache one that is larger than the budget', () => {
    const ask = createAsk();
    const third = maxPageBytes / 3 - 1_000;
    const names = ['a', 'b', 'c', 'a', 'd', 'a', 'b'];
    expect(names.map((name) => ask(name, third))).toEqual([1, 2, 3, 1, 4, 1, 5]);
    expect([ask('large', maxPageBytes), ask('large', maxPageBytes), ask('a', third)]).toEqual([6, 7, 1]);
  });
});
