/** The site map of a calendar with more events than one map holds: a thousand, on twenty pages of the list. */

import { expect, test } from 'vitest';
import type { CalendarRequest } from '../../../../../functions/calendar/model/calendar-context.ts';
import type { Calendar } from '../../../../../functions/calendar/operations/calendar.ts';
import type { PageContext } from '../../../../../functions/pages/common/page-context.ts';
import { siteMapReply } from '../../../../../functions/pages/site/crawlers.ts';
import { readerOf } from '../../../../../functions/pages/site/reader.ts';

/** Returns the paths in a site map; the calendar has 45 pages of one event each, a venue and an organizer. */
async function pathsIn(query: string): Promise<string[]> {
  const calendar = {
    async listViews(kind: string, { parameters: { page = '1' } }: CalendarRequest) {
      const events = { event: [{ slug: `event-${page}`, modified_utc: '2026-01-01 00:00:00' }] }[kind];
      const value = { items: events ?? [{ slug: kind }], totalPages: kind === 'event' ? 45 : 1 };
      return { value, freshness: { version: 1 } };
    },
  } as unknown as Calendar;
  const siteUrl = 'https://example.org';
  const context = {
    origin: siteUrl,
    siteUrl,
    calendar: '/c',
    url: new URL(`${siteUrl}/sitemap.xml${query}`),
  };
  const { body } = await siteMapReply(readerOf(() => calendar, context as unknown as PageContext));
  return [...JSON.stringify(body).matchAll(/<loc>https:\/\/example\.org(.*?)<\/loc>/g)].map(
    ([, path = '']) => path,
  );
}

const events = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `/event/event-${first + index}/`);

test('is a list of maps, of which the first has all but events too', async () => {
  expect(await pathsIn('')).toEqual(['1', '2', '3'].map((number) => `/sitemap.xml?map=${number}`));
  expect(await pathsIn('?map=1')).toEqual([
    '/calendar',
    ...events(1, 20),
    '/venue/venue/',
    '/organizer/organizer/',
  ]);
  expect(await pathsIn('?map=2')).toEqual(events(21, 40));
  expect(await pathsIn('?map=3')).toEqual(events(41, 45));
});
