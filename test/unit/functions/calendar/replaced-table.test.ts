/** A table in the place of another one: a process that knew the old one answers as one that never did. */

import { expect, test } from 'vitest';
import { siteOf } from '../../../../functions/calendar/model/site.ts';
import { Calendar } from '../../../../functions/calendar/operations/calendar.ts';
import { calendarInMemory, editor, type MemoryCalendar } from '../../../support/calendar-in-memory.ts';

const now = '2030-04-01 00:00:00';
const day = (number: number) => ({
  start_date: `2030-05-${String(number).padStart(2, '0')} 10:00:00`,
  end_date: `2030-05-${String(number).padStart(2, '0')} 12:00:00`,
});

/** Fills a calendar: `seed` decides what has which id, name and link. */
async function fill(calendar: MemoryCalendar, seed: number): Promise<void> {
  const word = (number: number) => ['jazz', 'choir', 'opera', 'circus'][(number + seed) % 4] ?? '';
  const terms: Record<'categories' | 'tags', number[]> = { categories: [], tags: [] };
  for (const number of [0, 1, 2]) {
    const [parent] = terms.categories;
    const category = { name: `Category ${word(number)}`, ...(number === 2 && parent ? { parent } : {}) };
    terms.categories.push((await calendar.create('categories', category)).id);
    terms.tags.push((await calendar.create('tags', { name: `Tag ${word(number)}` })).id);
  }
  const venues: number[] = [];
  const organizers: number[] = [];
  for (const number of [0, 1, 2]) {
    const place = {
      geo_lat: 55 + number,
      geo_lng: 10 + seed,
      image: `https://example.org/${seed}${number}.jpg`,
    };
    venues.push((await calendar.create('venues', { venue: `Hall ${word(number)}`, ...place })).id);
    organizers.push((await calendar.create('organizers', { organizer: `Club ${word(number)}` })).id);
  }
  const at = <T>(list: readonly T[], number: number) => list[(number + seed) % list.length];
  for (let number = 0; number < 6 + 3 * seed; number += 1)
    await calendar.create('events', {
      title: `Event of ${word(number)}`,
      description: `Words about ${word(number + 1)} and more`,
      ...day(1 + ((number * 7 + seed) % 28)),
      categories: [at(terms.categories, number)],
      tags: [at(terms.tags, number + 1)],
      venue: at(venues, number),
      organizer: [at(organizers, number)],
      featured: number % 3 === seed % 3,
      sticky: number % 4 === seed % 4,
      status: (['publish', 'draft', 'publish', 'private', 'pending'] as const)[(number + seed) % 5],
      ...(number % 5 === 2 ? { date: '2030-04-20 00:00:00', status: 'publish' } : {}),
      ...(number % 6 === seed % 6 ? { image: `https://example.org/e${number + seed}.jpg` } : {}),
    });
}

const queries: readonly (readonly [
  Parameters<MemoryCalendar['list']>[0],
  Readonly<Record<string, unknown>>,
])[] = [
  ...['jazz', 'choir', 'opera', 'circus'].map((search) => ['events', { search }] as const),
  ...[1, 2, 3].flatMap((id) => [
    ['events', { categories: [id] }] as const,
    ['events', { tags: [id] }] as const,
  ]),
  ...[1, 2, 3, 4, 5, 6].flatMap((id) => [
    ['events', { venue: id }] as const,
    ['events', { organizer: [id] }] as const,
  ]),
  ...['publish', 'draft', 'private', 'pending', 'future'].map((status) => ['events', { status }] as const),
  ...['title', 'date', 'featured'].map((orderby) => ['events', { orderby }] as const),
  ['events', { featured: true }],
  ['events', { sticky: true }],
  ['events', { geoloc_lat: 55, geoloc_lng: 11, geoloc_distance: 200 }],
  ['venues', {}],
  ['venues', { has_events: true }],
  ['venues', { search: 'hall' }],
  ['organizers', { only_with_upcoming: true }],
  ['categories', { hide_empty: false }],
  ['categories', { hide_empty: true, orderby: 'count' }],
  ['tags', { hide_empty: false, orderby: 'count' }],
];

/** All that a calendar answers to the queries, now and once what waits is published. */
async function answersOf(calendar: MemoryCalendar): Promise<unknown> {
  const answers: unknown[] = [];
  for (calendar.now of [now, '2030-04-21 00:00:00'])
    for (const [collection, query] of queries) answers.push(await calendar.text(collection, query, editor));
  calendar.now = now;
  return [answers, (await calendar.feed()).replace(/^DTSTAMP.*/gm, '')];
}

test.each([
  [1, 0],
  [0, 1],
  [2, 1],
  [1, 2],
])('a calendar filled with %i and then replaced by %i is like a new one', async (before, after) => {
  const replaced = calendarInMemory(now);
  const fresh = calendarInMemory(now);
  await fill(replaced, before);
  await answersOf(replaced);
  replaced.replaceTable();
  expect(await answersOf(replaced)).toEqual(await answersOf(fresh));
  await fill(replaced, after);
  await fill(fresh, after);
  expect(await answersOf(replaced)).toEqual(await answersOf(fresh));
});

test('a read whose replica begins to be loaded anew before its turn waits for the whole', async () => {
  let isWhole = true;
  let reads = 0;
  const calendar = new Calendar({
    site: siteOf('https://calendar.example.org', 'UTC'),
    openLog: (replica) => ({
      async read() {
        reads += 1;
        isWhole = reads > 1;
        if (isWhole) replica.apply([{ key: 'tag/1', json: JSON.stringify(tag), version: 1 }]);
        return { version: 1, history: '', stale: false, age: 0 };
      },
      write: () => Promise.reject(new TypeError('Nothing is written here.')),
      progress: () => ({ version: 0, wanted: 1, records: 0, isWhole }),
      close() {},
    }),
  });
  const tag = { kind: 'tag', id: 1, name: 'Jazz', slug: 'jazz', description: '' };
  const { value } = await calendar.list('tag', {
    caller: { role: 'reader' },
    parameters: { hide_empty: false },
    root: 'https://api.example.org',
    language: undefined,
  });
  expect([reads, value.total]).toEqual([2, 1]);
});
