/** The requests of pages to the calendar: to one with a given number of pages of each list. */

import { expect, test } from 'vitest';
import type { CalendarRequest } from '../../../../../functions/calendar/model/calendar-context.ts';
import type { Calendar } from '../../../../../functions/calendar/operations/calendar.ts';
import type { PageContext } from '../../../../../functions/pages/common/page-context.ts';
import { readerOf } from '../../../../../functions/pages/site/reader.ts';

function reading(pages: number, language = 'en') {
  const asked: CalendarRequest[] = [];
  const calendar = {
    async listViews(_kind: string, request: CalendarRequest) {
      asked.push(request);
      const { page = '1' } = request.parameters;
      const value = { items: [{ id: Number(page) }], total: 9, totalPages: pages };
      return { value, freshness: { version: 7 } };
    },
  } as unknown as Calendar;
  const context = {
    origin: 'https://example.org',
    calendar: '/api/c',
    siteUrl: 'https://example.org/s',
    language,
  };
  return { asked, ...readerOf(() => calendar, context as unknown as PageContext) };
}

test.each([
  [1, 1],
  [2, 2],
  [20, 20],
  [21, 20],
])('of a list of %i pages %i are read to have it whole', async (pages, read) => {
  const { asked, all } = reading(pages);
  const numbers = Array.from({ length: read }, (_, index) => index + 1);
  expect(await all('tag')).toEqual(numbers.map((id) => ({ id })));
  expect(asked.map(({ parameters }) => parameters)).toEqual(
    numbers.map((page) => ({ per_page: '50', page: String(page) })),
  );
});

test.each([
  ['en', undefined],
  ['da', 'da'],
])('a list in %s is asked for as anybody may, with its version', async (of, language) => {
  const { asked, list } = reading(3, of);
  expect(await list('tag', { per_page: '5', page: '2' })).toEqual({
    value: [{ id: 2 }],
    version: 7,
    pages: 3,
    total: 9,
  });
  expect(asked).toEqual([
    {
      caller: { role: 'reader' },
      parameters: { per_page: '5', page: '2' },
      language,
      root: 'https://example.org/api/c',
      siteUrl: 'https://example.org/s',
    },
  ]);
});
