/** The newer API of The Events Calendar, `tec/v1`, to read, and WordPress's lists that are empty here. */

import { beforeAll, describe, expect, test } from 'vitest';
import { type Person, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const get = async (
  path: string,
  { as, ...headers }: { as?: Person; [name: string]: string | undefined } = {},
) => {
  const response = await fetch(`${new URL(app.root).origin}/wp-json${path}`, {
    headers: {
      ...(headers as Record<string, string>),
      ...(as && { Authorization: `Bearer ${app.token(as)}` }),
    },
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
};
const acknowledged = { 'X-TEC-EEA': 'I understand that this endpoint is experimental.' };

let id = 0;
beforeAll(async () => {
  const dates = {
    start_date: '2031-05-01 19:00:00',
    end_date: '2031-05-02 01:30:00',
    timezone: 'Europe/Copenhagen',
  };
  const venue = { venue: 'Hall', city: 'Lund', country: 'Sweden', province: 'Skåne' };
  const place = { address: 'Road 1 &amp; 2', zip: '22100' };
  const organizers = [{ organizer: 'Ann', email: 'ann@example.org' }, { organizer: 'Bob' }];
  ({ id } = await app.create('events', {
    title: 'Night',
    cost: '$10',
    featured: true,
    categories: ['Music'],
    ...dates,
    venue: { ...venue, ...place },
    organizer: organizers,
  }));
  await app.create('events', { title: 'Hidden', hide_from_listings: true, ...dates });
  await app.create('events', { title: 'Draft', status: 'draft', ...dates });
  await app.create('events', {
    title: 'Long ago',
    start_date: '2001-01-01',
    end_date: '2001-01-01',
    all_day: true,
  });
});

describe('tec/v1', () => {
  test('answers nothing without the acknowledgement that it is experimental', async () => {
    for (const path of ['/tec/v1/events', `/tec/v1/events/${id}`]) {
      const { status, body } = await get(path);
      expect([status, body.code, body.data.status]).toEqual([
        400,
        'missing_experimental_endpoint_acknowledgement',
        400,
      ]);
    }
  });

  test('lists events as posts, the hidden ones too, with totals in headers', async () => {
    const { status, headers, body } = await get('/tec/v1/events?per_page=2', acknowledged);
    expect([status, headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual([200, '3', '2']);
    const { body: rest } = await get('/tec/v1/events?per_page=2&page=2', acknowledged);
    const titles = [...body, ...rest].map(({ title }: { title: { rendered: string } }) => title.rendered);
    expect(titles.sort()).toEqual(['Hidden', 'Long ago', 'Night']);
    const { body: drafts } = await get('/tec/v1/events?status=draft', { ...acknowledged, as: 'editor' });
    expect(drafts).toHaveLength(1);
    expect((await get('/tec/v1/events?status=draft', acknowledged)).status).toBe(400);
    const found = await get('/tec/v1/events?search=night&start_date=2031-01-01', acknowledged);
    expect(found.body).toHaveLength(1);
  });

  test('shows an event with its dates, venues and organizers', async () => {
    const { status, body } = await get(`/tec/v1/events/${id}`, acknowledged);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      type: 'tribe_events',
      title: { rendered: 'Night' },
      status: 'publish',
      start_date: '2031-05-01 19:00:00',
      start_date_utc: '2031-05-01 17:00:00',
      end_date: '2031-05-02 01:30:00',
      end_date_utc: '2031-05-01 23:30:00',
      timezone: 'Europe/Copenhagen',
      duration: '23400',
      multiday: true,
      is_past: false,
      is_now: false,
      all_day: false,
      featured: true,
      cost: '$10',
      organizer_names: ['Ann', 'Bob'],
      dates: {
        start: { date: '2031-05-01 19:00:00.000000', timezone_type: 3 },
        start_utc: { date: '2031-05-01 17:00:00.000000', timezone_type: 3, timezone: 'UTC' },
        start_site: { date: expect.stringMatching(/^2031-05-0[12] \d\d:00:00\.000000$/) },
        end_utc: { date: '2031-05-01 23:30:00.000000', timezone_type: 3, timezone: 'UTC' },
      },
      schedule_details: '2031-05-01 19:00 - 2031-05-02 01:30',
      venues: [
        {
          type: 'tribe_venue',
          title: { rendered: 'Hall' },
          city: 'Lund',
          state_province: 'Skåne',
          directions_link:
            'https://www.openstreetmap.org/search?query=Road+1+%26+2%2C+22100%2C+Lund%2C+Sweden',
        },
      ],
      organizers: [
        { title: { rendered: 'Ann' }, phone: '', email: 'ann@example.org' },
        { title: { rendered: 'Bob' }, email: '' },
      ],
    });
    expect(body._links.self[0].href).toMatch(/\/wp-json\/tec\/v1\/events\/\d+$/);
    for (const list of ['events', 'venues', 'organizers']) {
      const unknown = await get(`/tec/v1/${list}/999999`, acknowledged);
      expect([list, unknown.status, unknown.body.code]).toEqual([list, 401, 'rest_forbidden']);
      const signedIn = await get(`/tec/v1/${list}/999999`, { ...acknowledged, as: 'editor' });
      expect([list, signedIn.status, signedIn.body.code]).toEqual([list, 403, 'rest_forbidden']);
    }
  });

  test.each([
    [{ all_day: true, end_date: '2031-05-01' }, '2031-05-01', false],
    [{ all_day: true, end_date: '2031-05-20' }, '2031-05-01 - 2031-05-20', true],
    [{ end_date: '2031-05-01 21:00:00' }, '2031-05-01 19:00 - 21:00', false],
    [{ end_date: '2031-05-20 21:00:00' }, '2031-05-01 19:00 - 2031-05-20 21:00', true],
  ])('says the days and times of an event with %j', async (fields, schedule_details, multiday) => {
    const event = await app.create('events', { title: 'x', start_date: '2031-05-01 19:00:00', ...fields });
    const { body } = await get(`/tec/v1/events/${event.id}`, acknowledged);
    expect(body).toMatchObject({ schedule_details, multiday, venues: [], organizers: [] });
    await app.call('DELETE', `/events/${event.id}`, { as: 'editor' });
  });

  test('takes the filters of the calendar that it has too', async () => {
    const made = { categories: ['F'], tags: ['F'], venue: { venue: 'F', status: 'private' } };
    const event = await app.create('events', {
      title: 'Filtered',
      start_date: '2032-05-01',
      end_date: '2032-05-01',
      featured: true,
      ...made,
      organizer: [{ organizer: 'F', status: 'private' }],
      ticketed: true,
    });
    const venue = event.venue.id;
    const organizer = event.organizer[0].id;
    const found = async (query: string) =>
      (await get(`/tec/v1/${query}`, { ...acknowledged, as: 'editor' })).body.map(
        (record: { id: number }) => record.id,
      );
    for (const query of [
      'categories=f',
      'tags=f',
      `venue=${venue}`,
      `organizer=${organizer}`,
      'ticketed=true',
      'search=filtered',
      `include=${event.id}`,
      'featured=true&start_date=2032-01-01',
      'order=desc&per_page=1',
      'featured=true&orderby=title&per_page=1',
      'start_date=2032-05-01',
    ])
      expect([query, await found(`events?${query}`)]).toEqual([query, [event.id]]);
    expect(await found('events?end_date=2032-04-30')).not.toContain(event.id);
    for (const query of ['status=private', 'search=f&status=private']) {
      expect(await found(`venues?${query}`)).toEqual([venue]);
      expect(await found(`organizers?${query}`)).toEqual([organizer]);
    }
    const hall = await get(`/tec/v1/venues/${venue}`, { ...acknowledged, as: 'editor' });
    expect([hall.body.address, hall.body.directions_link]).toEqual(['', '']);
    for (const path of [`events/${event.id}`, `venues/${venue}`, `organizers/${organizer}`])
      await app.call('DELETE', `/${path}`, { as: 'editor' });
  });

  test('shows what an event has behind its password to that password alone', async () => {
    const dates = { start_date: '2031-05-01', end_date: '2031-05-01' };
    const secret = { description: 'Hidden', access_password: 'sesame' };
    const event = await app.create('events', { title: 'Locked', ...dates, ...secret });
    const read = (query: string) => get(`/tec/v1/events/${event.id}${query}`, acknowledged);
    expect((await read('')).status).toBe(403);
    expect((await read('?password=sesame')).body.content.rendered).toContain('Hidden');
    const [listed] = (await get('/tec/v1/events?search=locked', acknowledged)).body;
    expect(listed.content).toEqual({ rendered: '', protected: true });
    await app.call('DELETE', `/events/${event.id}`, { as: 'editor' });
  });

  test.each([
    ['is over', -2, -1, { is_past: true, is_now: false }],
    ['goes on', -1, 1, { is_past: false, is_now: true }],
    ['is to come', 1, 2, { is_past: false, is_now: false }],
  ])('says of an event that %s what it is', async (title, first, last, expected) => {
    const inQuarterDays = (quarters: number) => new Date(Date.now() + quarters * 6 * 3_600_000).toISOString();
    const start_date = inQuarterDays(first);
    const end_date = inQuarterDays(last);
    // Its clocks are 14 hours ahead.
    const event = await app.create('events', { title, start_date, end_date, timezone: 'Pacific/Kiritimati' });
    expect((await get(`/tec/v1/events/${event.id}`, acknowledged)).body).toMatchObject(expected);
    await app.call('DELETE', `/events/${event.id}`, { as: 'editor' });
  });

  test.each([
    ['events?starts_after=2031-05-01 18:00:00&strict_dates=1', 200],
    ['events?starts_after=never', 400],
    ['events?ends_before=never', 400],
    ['events?post_parent=999999', 400],
    ['events?offset=3', 400],
    ['events?exclude=3', 400],
    ['venues?event=999999', 400],
    ['venues?include=1', 400],
    ['venues?page=999', 404],
    ['organizers?page=999', 404],
    ['venues?_locale=user', 200],
  ])('takes a filter as The Events Calendar does, or refuses it: %s is %i', async (path, status) => {
    expect((await get(`/tec/v1/${path}`, acknowledged)).status).toBe(status);
  });

  test('filters events by bounds of their dates', async () => {
    const titles = async (query: string) =>
      (await get(`/tec/v1/events?per_page=50&${query}`, acknowledged)).body.map(
        (event: { readonly slug: string }) => event.slug,
      );
    expect(await titles('starts_before=2031-05-01&strict_dates=1')).not.toContain('hidden');
    expect(await titles('starts_after=2031-04-30')).toContain('hidden');
    expect(await titles('ends_before=2031-04-30')).not.toContain('hidden');
    expect(await titles('ends_after=2031-04-30')).toContain('hidden');
  });

  test('lists venues and organizers', async () => {
    for (const [path, title] of [
      ['/tec/v1/venues', 'Hall'],
      ['/tec/v1/organizers?search=Ann', 'Ann'],
    ] as const) {
      const { status, body } = await get(path, acknowledged);
      expect([status, body.map(({ title }: { title: { rendered: string } }) => title.rendered)]).toEqual([
        200,
        [title],
      ]);
      const item = await get(`${path.split('?')[0]}/${body[0].id}`, acknowledged);
      expect(item.body.id).toBe(body[0].id);
    }
  });

  test('has a document, without the acknowledgement', async () => {
    const { status, body } = await get('/tec/v1/docs');
    expect([status, body.openapi]).toEqual([200, '3.0.4']);
    expect(Object.keys(body.paths)).toContain('/events/{id}');
  });
});

test.each(['posts', 'pages'])('the list of %s is empty', async (type) => {
  const { status, headers, body } = await get(`/wp/v2/${type}?per_page=5`);
  expect([status, headers.get('x-wp-total'), headers.get('x-wp-totalpages'), body]).toEqual([
    200,
    '0',
    '0',
    [],
  ]);
  const item = await get(`/wp/v2/${type}/1`);
  expect([item.status, item.body.code]).toEqual([404, 'rest_post_invalid_id']);
});

test('a list has hidden events where it is asked for them', async () => {
  const list = async (query: string) =>
    (await app.call('GET', `/events?start_date=2031-01-01&end_date=2032-01-01${query}`)).body.total;
  expect([await list(''), await list('&include_hidden=true'), await list('&include_hidden=false')]).toEqual([
    1, 2, 1,
  ]);
});
