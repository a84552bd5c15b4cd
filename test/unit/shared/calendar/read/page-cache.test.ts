import { describe, expect, test } from 'vitest';
import { budget } from '../../../../../shared/calendar/read/budget.ts';
import { PageCache } from '../../../../../shared/calendar/read/page-cache.ts';

describe('PageCache', () => {
  test('caches a page until the calendar changes, unless it takes a large part of the budget', () => {
    const cache = new PageCache();
    let made = 0;
    const ask = (revision: number, bytes = 1) =>
      cache.of(
        revision,
        ['list'],
        () => ({ number: ++made }),
        () => bytes,
      ).number;
    expect([ask(1, budget.pages), ask(1), ask(1), ask(2), ask(2)]).toEqual([1, 2, 2, 3, 3]);
  });

  test('drops the pages that were asked for least recently when the budget is used up', () => {
    const cache = new PageCache();
    let made = 0;
    const ask = (name: string) =>
      cache.of(
        1,
        name,
        () => ({ number: ++made }),
        () => budget.pages / 4 - 100,
      ).number;
    expect(['a', 'b', 'c', 'd', 'a', 'e', 'a', 'b'].map(ask)).toEqual([1, 2, 3, 4, 1, 5, 1, 6]);
  });
});
