/** What changes because time passes, although nothing is written. */

import { describe, expect, test } from 'vitest';
import { calendarInMemory, changesOf, editor } from '../../../support/calendar-in-memory.ts';

const before = '2030-05-01 11:59:59';
const due = '2030-05-01 12:00:00';
const times = { start_date: '2030-06-01 10:00:00', end_date: '2030-06-01 12:00:00' };
const kinds = [
  ['events', 'event', { title: 'Waits', ...times }],
  ['venues', 'venue', { venue: 'Waits' }],
  ['organizers', 'organizer', { organizer: 'Waits' }],
] as const;

type TestRecord = { readonly title?: string; readonly venue?: string; readonly organizer?: string };
const namesOf = (list: readonly TestRecord[]) =>
  list.map(({ title, venue, organizer }) => title ?? venue ?? organizer);

describe.each(kinds)('%s with a time of publication', (collection, kind, fields) => {
  test('appear in lists and alone when it has come, not a second earlier', async () => {
    const calendar = calendarInMemory('2030-04-01 00:00:00');
    const { id, status } = await calendar.create(collection, { ...fields, date: due });
    expect(status).toBe('future');
    const seen = async () => {
      const list = await calendar.list(collection);
      const all = await calendar.list(collection, {}, editor);
      const alone = await calendar.read(collection, id);
      return [list.total, namesOf(list[collection]), all[collection][0].status, alone.status ?? alone];
    };
    const hidden = [0, [], 'future', `${kind}-not-accessible`];
    expect(await seen()).toEqual(hidden);
    calendar.now = before;
    expect(await seen()).toEqual(hidden);
    calendar.now = due;
    expect(await seen()).toEqual([1, ['Waits'], 'publish', 'publish']);
  });

  test('that an instance has published whose clock is ahead are public at the others at once', async () => {
    const calendar = calendarInMemory('2029-12-31 23:50:00');
    await calendar.put(changesOf(kind, ['Ahead']));
    const list = await calendar.list(collection, { start_date: '2029-01-01', end_date: '2031-01-01' });
    expect([list.total, namesOf(list[collection])]).toEqual([1, ['Ahead']]);
    expect((await calendar.read(collection, 1)).status).toBe('publish');
    expect(await calendar.update(collection, 1, { website: 'https://example.org' })).toMatchObject({
      status: 'publish',
    });
    expect((await calendar.read(collection, 1)).status).toBe('publish');
  });

  test('keep that time when they are changed later', async () => {
    const calendar = calendarInMemory(before);
    const { id } = await calendar.create(collection, fields);
    calendar.now = due;
    const { date, date_utc, modified, modified_utc } = await calendar.update(collection, id, { website: '' });
    expect([date, date_utc, modified, modified_utc]).toEqual([before, before, due, due]);
  });

  test('are published each at its own time', async () => {
    const calendar = calendarInMemory('2030-04-01 00:00:00');
    const dates = {
      third: '2030-05-03 00:00:00',
      first: '2030-05-01 00:00:00',
      second: '2030-05-02 00:00:00',
      fourth: '2030-05-04 00:00:00',
    };
    const name = collection === 'events' ? 'title' : kind;
    for (const [text, date] of Object.entries(dates))
      await calendar.create(collection, { ...fields, [name]: text, date });
    const seen = [];
    for (const now of [
      '2030-04-30 23:59:59',
      dates.first,
      dates.second,
      '2030-05-02 23:59:59',
      dates.third,
    ]) {
      calendar.now = now;
      seen.push((await calendar.list(collection)).total);
    }
    expect(seen).toEqual([0, 1, 2, 2, 3]);
  });

  test.each([
    ['put back to a draft', { status: 'draft' }, [0, 0]],
    ['moved to a later time', { date: '2030-05-02 00:00:00' }, [0, 1]],
    ['put into the trash', { status: 'trash' }, [0, 0]],
    ['published before', { date: '2030-04-02 00:00:00' }, [1, 1]],
  ])('are not published at the old time when they are %s', async (_what, change, expected) => {
    const calendar = calendarInMemory('2030-04-03 00:00:00');
    const { id } = await calendar.create(collection, { ...fields, date: due });
    await calendar.list(collection);
    await calendar.update(collection, id, change);
    const totals = [];
    for (const now of [due, '2030-05-02 00:00:00']) {
      calendar.now = now;
      totals.push((await calendar.list(collection)).total);
    }
    expect(totals).toEqual(expected);
  });

  test('do not appear in a table that took the place of theirs', async () => {
    const calendar = calendarInMemory('2030-04-01 00:00:00');
    const { id } = await calendar.create(collection, { ...fields, date: due });
    await calendar.list(collection);
    calendar.replaceTable();
    await calendar.create('tags', { name: 'Something else' });
    calendar.now = due;
    expect((await calendar.list(collection)).total).toBe(0);
    expect(await calendar.read(collection, id)).toBe(
      kind === 'event' ? 'rest-event-not-found' : 'rest_invalid_param',
    );
  });
});

describe('an instance whose clock is behind that of another', () => {
  test('goes on showing what the other has published, and publishes what the other has drafted', async () => {
    const calendar = calendarInMemory('2030-05-01 12:01:00');
    const published = await calendar.create('events', { title: 'Now', ...times });
    const drafted = await calendar.create('events', { title: 'Soon', ...times, status: 'draft' });
    calendar.now = '2030-05-01 12:00:00';
    await calendar.update('events', published.id, { title: 'Still now' });
    await calendar.update('events', drafted.id, { status: 'publish' });
    expect((await calendar.list('events')).total).toBe(2);
    for (const { id } of [published, drafted])
      expect(await calendar.read('events', id)).toMatchObject({ status: 'publish' });
    // Who sends a time means it.
    await calendar.update('events', published.id, { date: '2030-05-01 12:00:30' });
    expect((await calendar.list('events')).total).toBe(1);
  });
});

test('a table that took the place of another has no record of it', async () => {
  const calendar = calendarInMemory('2030-04-01 00:00:00');
  const image = 'https://www.example.org/a.jpg';
  const category = await calendar.create('categories', { name: 'C' });
  const tag = await calendar.create('tags', { name: 'T' });
  const venue = await calendar.create('venues', { venue: 'V', image });
  const organizer = await calendar.create('organizers', { organizer: 'O' });
  const links = { venue: venue.id, organizer: organizer.id, categories: [category.id], tags: [tag.id] };
  const event = await calendar.create('events', { title: 'E', ...times, ...links });
  calendar.replaceTable();
  const seen = [];
  for (const [collection, { id }] of [
    ['events', event],
    ['venues', venue],
    ['organizers', organizer],
    ['categories', category],
    ['tags', tag],
  ] as const) {
    const { total } = await calendar.list(
      collection,
      { hide_empty: false, start_date: '2000-01-01' },
      editor,
    );
    seen.push([total, await calendar.read(collection, id, editor)]);
  }
  expect(seen).toEqual([
    [0, 'rest-event-not-found'],
    [0, 'rest_invalid_param'],
    [0, 'rest_invalid_param'],
    [0, 'rest_invalid_param'],
    [0, 'rest_invalid_param'],
  ]);
  // Names, slugs and images are free again.
  const again = await calendar.create('venues', { venue: 'V', image });
  expect([again.slug, again.image.url]).toEqual(['v', image]);
  expect((await calendar.create('categories', { name: 'C' })).slug).toBe('c');
});

describe('an event that is published by the clock', () => {
  test('counts for its terms and its venue, and stands in the feed, from then on', async () => {
    const calendar = calendarInMemory('2030-04-01 00:00:00');
    const category = await calendar.create('categories', { name: 'C' });
    const tag = await calendar.create('tags', { name: 'T' });
    const venue = await calendar.create('venues', { venue: 'V' });
    const links = { categories: [category.id], tags: [tag.id], venue: venue.id };
    const now = await calendar.create('events', { title: 'Now', ...times, ...links });
    await calendar.create('events', { title: 'Waits', ...times, ...links, date: due });
    const seen = async () => {
      const event = await calendar.read('events', now.id);
      return [
        event.categories[0].count,
        event.tags[0].count,
        (await calendar.read('categories', category.id)).count,
        (await calendar.list('tags')).tags[0].count,
        (await calendar.list('events', { venue: venue.id })).total,
        (await calendar.list('events', { search: 'waits' })).total,
        (await calendar.feed()).match(/^SUMMARY.*$/gm),
      ];
    };
    expect(await seen()).toEqual([1, 1, 1, 1, 1, 0, ['SUMMARY:Now']]);
    calendar.now = due;
    expect(await seen()).toEqual([2, 2, 2, 2, 2, 1, ['SUMMARY:Now', 'SUMMARY:Waits']]);
  });

  test('takes its place in the order of lists by start and publication', async () => {
    const calendar = calendarInMemory('2030-04-01 00:00:00');
    await calendar.create('events', { title: 'Late', ...times, start_date: '2030-06-01 11:00:00' });
    await calendar.create('events', { title: 'Waits', ...times, date: due });
    await calendar.create('events', { title: 'Early', ...times, start_date: '2030-06-01 09:00:00' });
    await calendar.list('events');
    calendar.now = due;
    expect(namesOf((await calendar.list('events')).events)).toEqual(['Early', 'Waits', 'Late']);
  });
});

describe('lists that are asked for again, with nothing written in between', () => {
  test('show venues and organizers with upcoming events until the last of these has begun', async () => {
    const calendar = calendarInMemory('2030-06-01 09:00:00');
    const venue = await calendar.create('venues', { venue: 'V' });
    const organizer = await calendar.create('organizers', { organizer: 'O' });
    await calendar.create('events', { title: 'x', ...times, venue: venue.id, organizer: organizer.id });
    const seen = [];
    for (const now of ['2030-06-01 09:59:59', '2030-06-01 10:00:00', '2030-06-01 10:00:01']) {
      calendar.now = now;
      for (const collection of ['venues', 'organizers'] as const)
        seen.push((await calendar.list(collection, { only_with_upcoming: '1' })).total);
    }
    expect(seen).toEqual([1, 1, 1, 1, 0, 0]);
  });

  test('begin yesterday, and end in two years, of the present day', async () => {
    const calendar = calendarInMemory('2030-06-01 23:59:59');
    await calendar.create('events', { title: 'Near', start_date: '2030-05-31', end_date: '2030-05-31' });
    await calendar.create('events', { title: 'Far', start_date: '2032-06-02', end_date: '2032-06-02' });
    const seen = async () => {
      const { events, rest_url } = await calendar.list('events');
      const { searchParams } = new URL(rest_url);
      return [namesOf(events), searchParams.get('start_date'), searchParams.get('end_date')];
    };
    expect(await seen()).toEqual([['Near'], '2030-05-31 00:00:00', '2032-06-01 23:59:59']);
    calendar.now = '2030-06-02 00:00:00';
    expect(await seen()).toEqual([['Far'], '2030-06-01 00:00:00', '2032-06-02 23:59:59']);
  });

  test('begin and end by the days of their site, and so do words for dates', async () => {
    // In Tokyo it is 5 o'clock on the next day.
    const calendar = calendarInMemory('2030-05-01 20:00:00', 'Asia/Tokyo');
    const dates = { start_date: 'today', end_date: 'tomorrow 10:00', date: 'yesterday 23:00' };
    const event = await calendar.create('events', { title: 'Worded', ...dates });
    expect([event.start_date, event.end_date, event.date, event.date_utc]).toEqual([
      '2030-05-02 00:00:00',
      '2030-05-03 10:00:00',
      '2030-05-01 23:00:00',
      '2030-05-01 14:00:00',
    ]);
    const bounds = async (query = {}) => {
      const { searchParams } = new URL((await calendar.list('events', query)).rest_url);
      return [searchParams.get('start_date'), searchParams.get('end_date')];
    };
    expect(await bounds()).toEqual(['2030-05-01 00:00:00', '2032-05-02 23:59:59']);
    const words = { start_date: 'today', end_date: 'now' };
    expect(await bounds(words)).toEqual(['2030-05-02 00:00:00', '2030-05-02 23:59:59']);
    expect(await calendar.feed()).toContain('X-WR-TIMEZONE:Asia/Tokyo\r\n');
  });

  test('count words for dates from the present day', async () => {
    const calendar = calendarInMemory('2030-06-01 12:00:00');
    for (const day of ['2030-06-02', '2030-06-03'])
      await calendar.create('events', { title: day, start_date: day, end_date: day });
    const seen = async () =>
      namesOf((await calendar.list('events', { start_date: 'tomorrow', end_date: 'tomorrow' })).events);
    expect(await seen()).toEqual(['2030-06-02']);
    calendar.now = '2030-06-02 12:00:00';
    expect(await seen()).toEqual(['2030-06-03']);
  });
});

test.each([
  ...kinds,
  ['categories', 'category', { name: 'Waits' }] as const,
  ['tags', 'tag', { name: 'Waits' }] as const,
])(
  'in %s a key of a creation ends after a day, also where the record was changed meanwhile',
  async (collection, _, fields) => {
    const calendar = calendarInMemory('2030-05-01 12:00:00');
    const created = await calendar.create(collection, fields, 'key');
    await calendar.update(collection, created.id, { description: 'Changed' });
    calendar.now = '2030-05-02 11:59:59';
    expect((await calendar.create(collection, fields, 'key')).id).toBe(created.id);
    await expect(
      calendar.create(collection, { ...fields, description: 'Other' }, 'key'),
    ).rejects.toMatchObject({
      code: 'idempotency-key-reused',
    });
    calendar.now = '2030-05-02 12:00:00';
    const isTerm = collection === 'categories' || collection === 'tags';
    // Two terms of one name are refused; with another name the key makes another one.
    const later = await calendar.create(collection, isTerm ? { name: 'Waits no more' } : fields, 'key');
    expect(later.id).not.toBe(created.id);
  },
);
