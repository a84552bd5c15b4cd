/** Reads that cost something for each of many records do it in slices, between which others have the thread. */

import { afterEach, expect, test, vi } from 'vitest';
import { PageCache } from '../../../../../shared/calendar/read/caches.ts';
import { Pace } from '../../../../../shared/calendar/replica/pace.ts';
import { calendarOf } from '../../../../support/calendar-in-memory.ts';

const titles = (count: number) => Array.from({ length: count }, (_, index) => `Common words ${index + 1}`);
/** The shortest: each piece of work is a slice of its own. */
const slice = 0;

afterEach(() => vi.restoreAllMocks());

async function slicesOf(read: () => Promise<unknown>): Promise<number> {
  const begin = vi.spyOn(Pace.prototype, 'begin');
  begin.mockClear();
  await read();
  return begin.mock.calls.length;
}

test.each(['venue', 'organizer'] as const)('a search of %ss looks at one after the other', async (kind) => {
  const calendar = await calendarOf(kind, titles(100), { slice });
  const search = async () => expect((await calendar.list(`${kind}s`, { search: 'common' })).total).toBe(100);
  expect(await slicesOf(search)).toBeGreaterThanOrEqual(100);
});

test('the first search of events reads one text after the other, the next ones none', async () => {
  const calendar = await calendarOf('event', titles(100), { slice });
  await calendar.list('events');
  const search = (words: string) => async () =>
    expect((await calendar.list('events', { search: words })).total).toBe(100);
  expect(await slicesOf(search('common'))).toBeGreaterThanOrEqual(100);
  expect(await slicesOf(search('words'))).toBe(1);
});

test('the feed writes one event after the other, and only once', async () => {
  const calendar = await calendarOf('event', titles(100), { slice });
  await calendar.list('events');
  const read = async () => expect((await calendar.feed()).match(/^BEGIN:VEVENT/gm)).toHaveLength(100);
  expect(await slicesOf(read)).toBeGreaterThanOrEqual(100);
  expect(await slicesOf(read)).toBe(1);
});

test('a page of the feed that was asked for twice is not made again', async () => {
  const calendar = await calendarOf('event', titles(3));
  const pages = [];
  for (let time = 0; time < 3; time += 1) pages.push((await calendar.feedFor([])).page?.bytes);
  expect(pages[0]).toEqual(pages[1]);
  expect(pages[2]).toBe(pages[1]);
});

test('pages of lists are cached, but not those for who sends a password', async () => {
  const calendar = await calendarOf('event', titles(3));
  const cached = vi.spyOn(PageCache.prototype, 'of');
  const lookUps = async (query: Readonly<Record<string, string>>) => {
    cached.mockClear();
    await calendar.list('events', query);
    return cached.mock.calls.length;
  };
  expect([await lookUps({}), await lookUps({ password: 'sesame' })]).toEqual([1, 0]);
});

test('a phrase is looked for in a thousand texts at a time', async () => {
  const calendar = await calendarOf('event', titles(3_000), { slice });
  const total = async (search: string) => (await calendar.list('events', { search })).total;
  expect([await total('"common words"'), await total('"common words 2999"')]).toEqual([3_000, 1]);
  expect(await slicesOf(() => total('"mon wor"'))).toBe(3);
});

test('events are put in order in slices when many are new', async () => {
  const calendar = await calendarOf('event', titles(3_000), { slice });
  const read = async () => expect((await calendar.list('events')).total).toBe(3_000);
  expect(await slicesOf(read)).toBeGreaterThan(2);
  expect(await slicesOf(read)).toBe(1);
});
