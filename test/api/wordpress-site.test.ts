/** A calendar whose site is in another time zone: publication, last change, and dates without a zone are read and shown in it. */

import { describe, expect, test } from 'vitest';
import { names, useCalendarApp } from '../support/calendar-app.ts';
import { png } from '../support/pictures.ts';

const app = useCalendarApp({
  CALENDAR_TIME_ZONE: 'Asia/Tokyo',
  CALENDAR_SITE_URL: 'https://tokyo.example.org',
});
const offset = 9 * 3_600_000;
const times = { start_date: '2030-06-01 00:30:00', end_date: '2030-06-01 02:00:00' };
const kinds = [
  ['events', { title: 'Published', ...times }],
  ['venues', { venue: 'Published' }],
  ['organizers', { organizer: 'Published' }],
] as const;

describe.each(kinds)('the publication of one of /%s', (collection, fields) => {
  test.each([
    ['date alone', { date: '2026-01-02 03:04:05' }, '2026-01-02 03:04:05', '2026-01-01 18:04:05'],
    ['date_utc alone', { date_utc: '2026-01-02 03:04:05' }, '2026-01-02 12:04:05', '2026-01-02 03:04:05'],
    [
      'both',
      { date: '2026-01-02 03:04:05', date_utc: '2025-01-01 00:00:00' },
      '2026-01-02 03:04:05',
      '2025-01-01 00:00:00',
    ],
    ['date with an offset', { date: '2026-01-02T03:04:05Z' }, '2026-01-02 12:04:05', '2026-01-02 03:04:05'],
    [
      'date_utc with an offset',
      { date_utc: '2026-01-02T03:04:05+01:00' },
      '2026-01-02 11:04:05',
      '2026-01-02 02:04:05',
    ],
  ])('is read from %s, on create and on update', async (_what, dates, date, date_utc) => {
    const created = await app.create(collection, { ...fields, ...dates });
    expect(created).toMatchObject({
      status: 'publish',
      date,
      date_utc,
      modified: date,
      modified_utc: date_utc,
    });
    const { id } = await app.create(collection, fields);
    const updated = await app.change(`/${collection}/${id}`, dates);
    expect(updated.body).toMatchObject({ date, date_utc });
  });

  test('is now without a date, stays on update, and the last change moves', async () => {
    const before = Date.now();
    const created = await app.create(collection, fields);
    const at = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);
    const isNow = (instant: number) => instant >= before - 1000 && instant <= Date.now();
    expect([isNow(at(created.date_utc)), at(created.date) - at(created.date_utc)]).toEqual([true, offset]);
    expect([created.modified, created.modified_utc]).toEqual([created.date, created.date_utc]);
    const old = await app.create(collection, { ...fields, date: '2001-01-01' });
    const { body, headers } = await app.change(`/${collection}/${old.id}`, { description: 'x' });
    expect([
      body.date,
      body.date_utc,
      isNow(at(body.modified_utc)),
      at(body.modified) - at(body.modified_utc),
    ]).toEqual(['2001-01-01 00:00:00', '2000-12-31 15:00:00', true, offset]);
    expect(headers.has('etag')).toBe(false);
    const read = await app.call('GET', `/${collection}/${old.id}`);
    expect(Date.parse(read.headers.get('last-modified') ?? '')).toBe(at(body.modified_utc));
  });

  test('is later than now by the clock of its zone', async () => {
    const wall = (instant: number) => new Date(instant).toISOString().slice(0, 19);
    const scheduled = await app.create(collection, { ...fields, date: wall(Date.now() + offset + 60_000) });
    const past = await app.create(collection, { ...fields, date: wall(Date.now() + offset - 60_000) });
    const soonUtc = await app.create(collection, { ...fields, date_utc: wall(Date.now() + 60_000) });
    expect([scheduled.status, past.status, soonUtc.status]).toEqual(['future', 'publish', 'future']);
  });

  test('makes a published record a future one when it moves ahead, and back', async () => {
    const { id } = await app.create(collection, fields);
    const status = async (body: object) => (await app.change(`/${collection}/${id}`, body)).body.status;
    expect(await status({ date: '2090-01-01' })).toBe('future');
    expect(await status({ description: 'x' })).toBe('future');
    expect(await status({ date: '2020-01-01' })).toBe('publish');
    expect(await status({ status: 'draft', date: '2090-01-01' })).toBe('draft');
    expect(await status({ status: 'publish' })).toBe('future');
  });
});

describe('an event', () => {
  test('is in the zone of the site unless it has its own', async () => {
    const event = await app.create('events', { title: 'Zoned', ...times });
    expect([event.timezone, event.timezone_abbr, event.start_date, event.utc_start_date]).toEqual([
      'Asia/Tokyo',
      'JST',
      times.start_date,
      '2030-05-31 15:30:00',
    ]);
    expect(event.url).toBe('https://tokyo.example.org/event/zoned/');
    const own = await app.create('events', { title: 'Own', ...times, timezone: 'UTC' });
    expect([own.timezone, own.utc_start_date]).toEqual(['UTC', times.start_date]);
    const changed = await app.change(`/events/${own.id}`, { timezone: '' });
    expect([changed.body.timezone, changed.body.utc_start_date]).toEqual([
      'Asia/Tokyo',
      '2030-05-31 15:30:00',
    ]);
  });

  test('lasts the whole days of its zone', async () => {
    const event = await app.create('events', { title: 'Whole', ...times, all_day: true });
    expect([event.start_date, event.end_date, event.utc_start_date, event.utc_end_date]).toEqual([
      '2030-06-01 00:00:00',
      '2030-06-01 23:59:59',
      '2030-05-31 15:00:00',
      '2030-06-01 14:59:59',
    ]);
    const back = await app.change(`/events/${event.id}`, { all_day: false, ...times });
    expect([back.body.start_date, back.body.all_day]).toEqual([times.start_date, false]);
  });
});

describe('the filters of dates', () => {
  test('are days of the zone of the site', async () => {
    const at = (title: string, start_date: string, timezone?: string) =>
      app.create('events', {
        title,
        excerpt: 'filtered',
        start_date,
        end_date: start_date,
        ...(timezone && { timezone }),
      });
    await at('Tokyo, first second', '2031-05-02 00:00:00');
    await at('Tokyo, the day before', '2031-05-01 23:59:59');
    await at('New York, the same day', '2031-05-01 12:00:00', 'America/New_York');
    const found = async (query: string) => names(await app.call('GET', `/events?search=filtered&${query}`));
    expect(await found('start_date=2031-05-02&end_date=2031-05-02')).toEqual([
      'Tokyo, first second',
      'New York, the same day',
    ]);
    expect(await found('starts_before=2031-05-01')).toEqual(['Tokyo, the day before']);
    expect(await found('strict_dates=1&starts_after=2031-05-02+00:00:00')).toEqual([
      'New York, the same day',
    ]);
    expect(await found('strict_dates=1&start_date=2031-05-01T15:00:00Z&end_date=2031-05-03')).toEqual([
      'Tokyo, first second',
      'New York, the same day',
    ]);
  });

  test('stand in links as the site reads them', async () => {
    const { body } = await app.call('GET', '/events?strict_dates=1&starts_after=2031-05-01T15:00:00Z');
    expect(new URL(body.rest_url).searchParams.get('starts_after')).toBe('2031-05-02 00:00:00');
  });
});

test('a picture has the time of its upload in the zone of the site, and in UTC', async () => {
  const headers = {
    Authorization: `Bearer ${app.token('author')}`,
    'Content-Disposition': 'attachment; filename="a.png"',
  };
  const media = `${new URL(app.root).origin}/wp-json/wp/v2/media`;
  const reply = await fetch(media, { method: 'POST', headers, body: new Uint8Array(png()) });
  const { date, date_gmt, modified, modified_gmt } = (await reply.json()) as Record<string, string>;
  const at = (text = '') => Date.parse(`${text}Z`);
  expect([at(date) - at(date_gmt), at(modified) - at(modified_gmt)]).toEqual([offset, offset]);
});
