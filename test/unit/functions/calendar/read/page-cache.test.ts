/** Which pages are cached, for whom, and what their tags tell apart. */

import { afterEach, describe, expect, test, vi } from 'vitest';
import { maxPageBytes, PageCache } from '../../../../../functions/calendar/read/page-cache.ts';
import { calendarOf } from '../../../../support/calendar-in-memory.ts';

afterEach(() => vi.restoreAllMocks());

const titles = (count: number) => Array.from({ length: count }, (_, index) => `Common words ${index + 1}`);

test('a page of the feed is made once for the second and the third request', async () => {
  const calendar = await calendarOf('event', titles(3));
  const pages = [];
  for (let time = 0; time < 3; time += 1) pages.push((await calendar.feedFor([])).page?.bytes);
  expect(pages[0]).toEqual(pages[1]);
  expect(pages[2]).toBe(pages[1]);
});

test('a page is not cached for a caller who sends a password', async () => {
  const calendar = await calendarOf('event', titles(3));
  const cached = vi.spyOn(PageCache.prototype, 'of');
  const lookUps = async (query: Readonly<Record<string, string>>) => {
    cached.mockClear();
    await calendar.list('events', query);
    return cached.mock.calls.length;
  };
  expect([await lookUps({}), await lookUps({ password: 'sesame' })]).toEqual([1, 0]);
});

/** Creates a function that asks an empty cache for a page, and returns the number of the call that made the page. */
function createAsk() {
  const cache = new PageCache();
  let made = 0;
  return (cacheKey: string, bytes = 1, revision = 1) =>
    cache.of({ revision, cacheKey, make: () => ({ number: ++made }), bytesOf: () => bytes }).number;
}

describe('PageCache', () => {
  test('caches a page with its second request, until the calendar changes', () => {
    const ask = createAsk();
    const asked = [ask('a'), ask('b'), ask('a'), ask('a'), ask('b')];
    expect(asked).toEqual([1, 2, 3, 3, 4]);
    expect([ask('a', 1, 2), ask('a', 1, 2), ask('a', 1, 2)]).toEqual([5, 6, 6]);
  });

  test('evicts the page that was requested least recently, and does not cache one that is larger than the budget', () => {
    const ask = createAsk();
    const third = maxPageBytes / 3 - 1_000;
    const twice = (name: string, bytes = third) => [ask(name, bytes), ask(name, bytes)][1];
    expect(['a', 'b', 'c', 'd'].map((name) => twice(name))).toEqual([2, 4, 6, 8]);
    expect([ask('b', third), ask('c', third), ask('d', third), ask('a', third)]).toEqual([4, 6, 8, 9]);
    expect([twice('large', maxPageBytes), ask('large', maxPageBytes), ask('d', third)]).toEqual([11, 12, 8]);
  });

  test('remembers the keys of 1,000 pages that were requested once', () => {
    const isCachedAfter = (requests: number) => {
      const ask = createAsk();
      ask('a');
      for (let request = 0; request < requests; request += 1) ask(`page ${request}`);
      const second = ask('a');
      const third = ask('a');
      return second === third;
    };
    expect([isCachedAfter(999), isCachedAfter(1_000)]).toEqual([true, false]);
  });
});
