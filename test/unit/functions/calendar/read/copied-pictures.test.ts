/** The copies of pictures by the addresses that these had on their site. */

import { describe, expect, test } from 'vitest';
import { siteOf } from '../../../../../functions/calendar/model/site.ts';
import { addressOfCopy } from '../../../../../functions/calendar/read/copied-pictures.ts';
import type { ReadContext } from '../../../../../functions/calendar/read/read-context.ts';
import { CalendarReplica } from '../../../../../functions/calendar/replica/replica.ts';

const date = '2026-01-01 00:00:00';
const root = 'https://calendar.example.org/api';

function image(id: number, source: string, sizes: readonly (readonly [number, number])[] = []) {
  const blob = `00000000-0000-4000-8000-${String(id).padStart(12, '0')}.jpg`;
  return {
    kind: 'image',
    id,
    url: `urn:picture:${blob}`,
    width: 2560,
    height: 1600,
    sizes: Object.fromEntries(
      sizes.map(([width, height]) => [
        `of${width}`,
        {
          width,
          height,
          'mime-type': 'image/jpeg',
          url: `urn:picture:${width}${blob}`,
          file: `${id}-of${width}.jpg`,
        },
      ]),
    ),
    stored: {
      blob,
      file: `${id}.jpg`,
      mime_type: 'image/jpeg',
      author: 1,
      title: 'A picture',
      date,
      date_utc: date,
      modified: date,
      modified_utc: date,
      source,
    },
  };
}

function event(id: number, shown: number, more: object = {}) {
  const dates = { date, date_utc: date, modified: date, modified_utc: date };
  const times = {
    start_date: date,
    end_date: date,
    utc_start_date: date,
    utc_end_date: date,
    timezone: 'UTC',
  };
  const fields = { author: 1, status: 'publish', title: 'Event', slug: `event-${id}`, image: shown };
  return { kind: 'event', id, ...fields, ...dates, ...times, ...more };
}

const site = 'https://www.old.example.org/wp-content/uploads';
const records = [
  image(1, `${site}/2026/03/harbour-scaled.jpg`, [
    [300, 188],
    [1024, 640],
  ]),
  image(2, `${site}/2026/03/B%C3%B8rn.jpg`),
  image(3, `${site}/2026/03/harbour-300x188.png`),
  image(4, `${site}/2026/03/draft.jpg`),
  image(5, `${site}/2026/03/both.jpg`),
  image(6, 'https://old.example.org/blog/wp-content/uploads/sites/2/nobody.jpg'),
  image(7, `${site}/2026/03/protected.jpg`),
  event(11, 1),
  event(12, 4, { status: 'draft' }),
  event(13, 5, { status: 'draft' }),
  event(14, 5),
  event(15, 7, { access_password: { shared_salt: 'aa', salt: 'bb', hash: 'cc' } }),
];

function addressOf(path: string): string | undefined {
  const replica = new CalendarReplica();
  replica.apply(
    records.map((record) => ({
      key: `${record.kind}/${record.id}`,
      json: JSON.stringify(record),
      version: 1,
    })),
  );
  const context = { replica, root, site: siteOf('https://calendar.example.org', 'UTC') };
  return addressOfCopy(`/wp-content/uploads/${path}`, context as unknown as ReadContext);
}

const fileOf = (path: string) => addressOf(path)?.split('/').at(-1);

describe('a copied picture', () => {
  test.each([
    ['2026/03/harbour-scaled.jpg', '1.jpg'],
    ['2026/03/harbour.jpg', '1.jpg'],
    ['2026/03/harbour-300x188.jpg', '1-of300.jpg'],
    ['2026/03/harbour-1024x640.jpg', '1-of1024.jpg'],
    ['2026/03/harbour-768x480.jpg', '1.jpg'],
    ['2026/03/harbour-300x188.png', '3.jpg'],
    ['2026/03/B%C3%B8rn.jpg', '2.jpg'],
    ['2026/03/B%C3%B8rn-300x200.jpg', '2.jpg'],
    ['2026/03/Bo\u0308rn.jpg', undefined],
    ['2026/03/both.jpg', '5.jpg'],
    ['sites/2/nobody.jpg', '6.jpg'],
    ['2026/04/harbour.jpg', undefined],
    ['2026/03/harbour', undefined],
    ['2026/03/%ff.jpg', undefined],
    ['', undefined],
  ])('of %s is %s', (path, file) => {
    expect(fileOf(path)).toBe(file);
  });

  test('has an address below the root of the calendar, with the key of its picture', () => {
    expect(addressOf('2026/03/harbour-300x188.jpg')).toBe(`${root}/pictures/1/8000000000000001/1-of300.jpg`);
  });

  test('is not found where only records that are not public show it', () => {
    expect(fileOf('2026/03/draft.jpg')).toBeUndefined();
    expect(fileOf('2026/03/protected.jpg')).toBeUndefined();
  });
});
