import { describe, expect, test } from 'vitest';
import { budget } from '../../../../../shared/calendar/read/budget.ts';
import { PageCache } from '../../../../../shared/calendar/read/page-cache.ts';

/** Asks a new cache for pages; each that is made has the next number. */
function asking({ isDear }: { readonly isDear: boolean }) {
  const cache = new PageCache();
  let made = 0;
  return (cacheKey: string, bytes = 1, revision = 1) =>
    cache.of({
      ...{ revision, cacheKey, isDear },
      make: () => ({ number: ++made }),
      bytesOf: () => bytes,
    }).number;
}

describe('PageCache', () => {
  test('caches a page until the calendar changes, unless it takes a large part of the budget', () => {
    const ask = asking({ isDear: true });
    const all = [ask('a', budget.pages), ask('a'), ask('a'), ask('a', 1, 2), ask('a', 1, 2)];
    expect(all).toEqual([1, 2, 2, 3, 3]);
  });

  test('drops the pages that were asked for least recently when the budget is used up', () => {
    const ask = asking({ isDear: true });
    const names = ['a', 'b', 'c', 'd', 'a', 'e', 'a', 'b'];
    expect(names.map((name) => ask(name, budget.pages / 4 - 100))).toEqual([1, 2, 3, 4, 1, 5, 1, 6]);
  });

  test('caches a page that is cheap to make when it is asked for the second time', () => {
    const ask = asking({ isDear: false });
    expect(['a', 'b', 'a', 'a', 'b', 'b'].map((name) => ask(name))).toEqual([1, 2, 3, 3, 4, 4]);
  });
});
