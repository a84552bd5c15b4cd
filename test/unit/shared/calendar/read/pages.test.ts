/** Which pages are cached, for whom, and what their tags tell apart. */

import { afterEach, expect, test, vi } from 'vitest';
import { PageCache } from '../../../../../shared/calendar/read/page-cache.ts';
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
