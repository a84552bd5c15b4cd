/** Stored records that cannot be shown: an import of an old version, or another program, may have written them. */

import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readRecord } from '../../../../../functions/calendar/replica/entries.ts';
import { calendarInMemory } from '../../../../support/calendar-in-memory.ts';
import { fc, numRuns } from '../../../../support/properties.ts';

const at = '2030-01-01 00:00:00';
const dates = { date: at, date_utc: at, modified: at, modified_utc: at };
const times = {
  start_date: '2030-06-01 10:00:00',
  end_date: '2030-06-01 12:00:00',
  timezone: 'UTC',
  utc_start_date: '2030-06-01 10:00:00',
  utc_end_date: '2030-06-01 12:00:00',
};
const post = (id: number) => ({
  id,
  author: 1,
  status: 'publish',
  title: 'Title',
  slug: `slug-${id}`,
  ...dates,
  description: '<p>Text</p>',
  excerpt: 'Text',
  image: 9,
  translations: { da: { title: 'Titel' } },
});
const hash = { shared_salt: 'aa', salt: 'bb', hash: 'cc' };
const valid: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  author: { kind: 'author', id: 2, subject: 'ann' },
  image: {
    kind: 'image',
    id: 9,
    url: 'https://example.org/a.jpg',
    width: 9,
    height: 9,
    filesize: 9,
    sizes: {
      thumbnail: { width: 1, height: 1, 'mime-type': 'image/jpeg', url: 'https://example.org/t.jpg' },
    },
  },
  category: { kind: 'category', id: 3, name: 'Music', slug: 'music', description: 'D', parent: 1 },
  tag: { kind: 'tag', id: 4, name: 'Loud', slug: 'loud', translations: { sv: { name: 'Hög' } } },
  venue: {
    kind: 'venue',
    ...post(5),
    address: '1 Street',
    geo_lat: 1,
    geo_lng: 2,
    show_map: true,
    city: 'A',
  },
  organizer: { kind: 'organizer', ...post(6), email: 'a@example.org', phone: '1', generation: 1 },
  event: {
    kind: 'event',
    ...post(7),
    ...times,
    all_day: false,
    cost: ['10'],
    website: 'https://example.org',
    venue: [5],
    organizer: [[6, 1]],
    categories: [3, 1],
    tags: [4],
    featured: true,
    post_parent: 8,
    access_password: hash,
    trashed_from: 'publish',
    sticky: true,
  },
};
const otherRecords = [
  { kind: 'event', ...post(8), ...times, venue: [5], organizer: [[6, 1]], categories: [3], tags: [4] },
  { kind: 'venue', ...post(15) },
  { kind: 'organizer', ...post(16) },
  { kind: 'category', id: 1, name: 'Top', slug: 'top', parent: 3 },
  { kind: 'tag', id: 10, name: 'Other', slug: 'other' },
];
const changeOf = (record: Readonly<Record<string, unknown>>) => ({
  key: `${record['kind']}/${record['id']}`,
  json: JSON.stringify(record),
});

/** Reads everything that shows records; returns the ids of the lists. */
async function readAll(record: { readonly key: string; readonly json: string }) {
  const calendar = calendarInMemory('2030-05-01 00:00:00');
  await calendar.put([...Object.values(valid), ...otherRecords].map(changeOf));
  await calendar.put([record]);
  const ids: Record<string, number[]> = {};
  for (const collection of ['events', 'venues', 'organizers', 'categories', 'tags'] as const) {
    const reply = await calendar.list(collection, { hide_empty: '0' });
    ids[collection] = reply[collection].map(({ id }: { id: number }) => id);
    await calendar.list(collection, { search: 'title', hide_empty: '0' });
    for (const id of [1, 3, 4, 5, 6, 7, 8]) await calendar.read(collection, id);
  }
  const feed = await calendar.feed();
  return { ids, feed };
}

describe('a stored record with an invalid value', () => {
  let lines: string[] = [];

  beforeEach(() => {
    lines = [];
    const write = vi
      .spyOn(process.stdout, 'write')
      .mockImplementation((line) => lines.push(String(line)) > 0);
    onTestFinished(() => write.mockRestore());
  });

  test('fails neither a list, nor a read, nor a feed', async () => {
    const fields = Object.entries(valid).flatMap(([kind, record]) =>
      Object.keys(record).map((field) => [kind, field] as const),
    );
    const values = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined), fc.constant('2030-13-01'));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fields), values, async ([kind, field], value) => {
        const { key } = changeOf(valid[kind] ?? {});
        const { ids, feed } = await readAll({
          key,
          json: JSON.stringify({ ...valid[kind], [field]: value }),
        });
        expect(ids).toMatchObject({
          events: expect.arrayContaining([8]),
          venues: expect.arrayContaining([15]),
          organizers: expect.arrayContaining([16]),
          tags: expect.arrayContaining([10]),
        });
        expect(feed).toContain('?id=8');
      }),
      numRuns(120),
    );
  });

  test.each(['7', 'null', '[]', '"x"', '{}', '{', ''])('is omitted, and so is the text %j', async (json) => {
    const { ids } = await readAll({ key: 'event/7', json });
    expect(ids['events']).toEqual([8]);
  });

  test.each([{ url: 'a.jpg' }, { url: 'http://' }, { sizes: { large: { url: 'a.jpg' } } }])(
    'is omitted where it is the image %j of an event, which has no image then',
    async (fields) => {
      const json = JSON.stringify({ ...valid['image'], ...fields });
      const { ids } = await readAll({ key: 'image/9', json });
      expect(ids['events']).toEqual([7, 8]);
    },
  );

  test('is omitted with a line in the log', async () => {
    await readAll({ key: 'venue/5', json: JSON.stringify({ ...valid['venue'], title: 7 }) });
    await new Promise((resolve) => setImmediate(resolve));
    const entries = lines
      .join('')
      .split('\n')
      .filter((line) => line.includes('invalid-record'));
    expect(entries.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ event: 'invalid-record', record: 'venue/5', field: 'title' }),
    ]);
  });
});

test('a record with every field is valid', () => {
  for (const [kind, record] of Object.entries(valid))
    expect(readRecord(JSON.stringify(record), kind as never, Number(record['id']))).toEqual({ record });
});

test('categories that are each other’s parents are both at the top', async () => {
  const calendar = calendarInMemory('2030-05-01 00:00:00');
  const category = (id: number, parent: number, deleted = false) =>
    changeOf({
      kind: 'category',
      id,
      name: `C${id}`,
      slug: `c${id}`,
      parent,
      ...(deleted ? { deleted } : {}),
    });
  await calendar.put([category(1, 2), category(2, 1), category(3, 1), category(4, 4), category(5, 6, true)]);
  await calendar.put([category(6, 5, true), category(7, 5)]);
  const { categories } = await calendar.list('categories', { hide_empty: '0' });
  const parents = categories.map(({ id, parent }: { id: number; parent: number }) => [id, parent]);
  expect(Object.fromEntries(parents)).toEqual({ 1: 0, 2: 0, 3: 1, 4: 0, 7: 0 });
});
