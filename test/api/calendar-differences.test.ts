/** Differences from The Events Calendar that broke its clients, each class over HTTP. */

import { describe, expect, test } from 'vitest';
import { outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };

const ids = (items: readonly { id: number }[]) => items.map(({ id }) => id);

describe('null in an update', () => {
  test('is not sent for categories, tags and venue; it clears organizers', async () => {
    const links = {
      categories: ['A', 'B'],
      tags: ['C'],
      venue: { venue: 'D' },
      organizer: [{ organizer: 'E' }],
    };
    const event = await app.create('events', { title: 'Linked', ...times, ...links });
    const { body } = await app.change(`/events/${event.id}`, { categories: null, tags: null, venue: null });
    expect([body.categories, body.tags, body.venue, body.organizer]).toEqual([
      event.categories,
      event.tags,
      event.venue,
      event.organizer,
    ]);
    const cleared = await app.change(`/events/${event.id}`, {
      venue: '',
      categories: [],
      tags: '',
      organizer: null,
    });
    expect([cleared.body.categories, cleared.body.tags, cleared.body.venue, cleared.body.organizer]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  test('is nothing in a create', async () => {
    const none = { categories: null, tags: null, venue: null, organizer: null, cost: null };
    const event = await app.create('events', { title: 'Alone', ...times, ...none });
    const { categories, tags, venue, organizer, cost } = event;
    expect([categories, tags, venue, organizer, cost]).toEqual([[], [], [], [], '']);
  });
});

describe('drafts that a published event links to', () => {
  const linked = (status: string) => ({
    venue: { venue: `Venue ${status}`, status },
    organizer: [{ organizer: `Organizer ${status}`, status }],
  });

  test.each([
    ['draft', 'publish'],
    ['pending', 'publish'],
    ['private', 'private'],
  ])('%s ones are %s once the event is saved again', async (status, after) => {
    const event = await app.create('events', { title: 'Saved again', ...times, ...linked(status) });
    expect([event.venue.status, event.organizer[0].status]).toEqual([status, status]);
    const { body } = await app.change(`/events/${event.id}`, { title: 'Saved once more' });
    expect([body.venue.status, body.organizer[0].status]).toEqual([after, after]);
  });

  test('stay so while the event is a draft, and where the caller may not publish them', async () => {
    const draft = await app.create('events', {
      title: 'Draft',
      ...times,
      ...linked('draft'),
      status: 'draft',
    });
    expect((await app.change(`/events/${draft.id}`, { title: 'Still' })).body.venue.status).toBe('draft');
    expect((await app.change(`/events/${draft.id}`, { status: 'publish' })).body.venue.status).toBe(
      'publish',
    );
    const venue = await app.create('venues', { venue: 'Of an editor' });
    const event = await app.create('events', { title: 'Own', ...times, venue: venue.id }, 'author');
    await app.change(`/venues/${venue.id}`, { status: 'draft' });
    expect((await app.change(`/events/${event.id}`, { title: 'Own too' }, 'author')).body.venue).toEqual([]);
    expect((await app.call('GET', `/venues/${venue.id}`, { as: 'editor' })).body.status).toBe('draft');
  });
});

test.each([
  ['GET', '/events/999999', 404],
  ['GET', '/venues/999999', 400],
  ['GET', '/events?per_page=0', 400],
  ['POST', '/events', 401],
  ['GET', '/nothing', 404],
])('errors are whole with _fields: %s %s', async (method, path, status) => {
  const separator = path.includes('?') ? '&' : '?';
  const { body } = await app.call(method, `${path}${separator}_fields=id`);
  expect(body).toEqual({
    code: expect.any(String),
    message: expect.any(String),
    data: expect.objectContaining({ status }),
  });
});

describe('dates', () => {
  test.each([
    ['2027-03-28T10:00:00+02:00', '2027-03-28 08:00:00'],
    ['9999-12-31 23:59:59', '9999-12-31 23:59:59'],
    ['0001-01-01', '0001-01-01 00:00:00'],
  ])('%s is written as %s', async (start_date, expected) => {
    const event = await app.create('events', { title: 'Dated', start_date, end_date: start_date });
    expect([event.start_date, event.end_date]).toEqual([expected, expected]);
  });

  test('at the ends of the calendar are written in every zone', async () => {
    for (const timezone of ['America/New_York', 'Asia/Tokyo']) {
      const dates = { start_date: '0001-01-01', end_date: '9999-12-31 23:59:59', timezone };
      const { id } = await app.create('events', { title: 'Always', ...dates });
      const { body } = await app.call('GET', `/events/${id}`);
      expect([body.start_date, body.end_date]).toEqual(['0001-01-01 00:00:00', '9999-12-31 23:59:59']);
    }
  });

  test('with an offset filter from that moment', async () => {
    const date = encodeURIComponent('2027-03-28T10:00:00+02:00');
    const { body } = await app.call('GET', `/events?strict_dates=1&start_date=${date}`);
    expect(body.rest_url).toContain('start_date=2027-03-28+08:00:00');
  });

  test.each([
    '03/01/2031 5pm',
    'monday next week',
    '2027-03-28 10:00 Europe/Paris',
    'Sun Mar 28 2027 10:00:00 GMT+0200 (Central European Summer Time)',
  ])('%s is refused in what is written and in filters', async (date) => {
    const written = await app.call('POST', '/events', {
      as: 'editor',
      body: { title: 'Dated', start_date: date, end_date: date },
    });
    const filtered = await app.call('GET', `/events?start_date=${encodeURIComponent(date)}`);
    for (const { status, body } of [written, filtered])
      expect([status, body.data.params.start_date]).toEqual([400, expect.stringContaining('must be a date')]);
  });
});

describe('values', () => {
  test.each(['Fish &amp; Chips', 'Fish & Chips', 'a &lt;b&gt; c', '&eacute;&nbsp;1', 'A &amp;amp; B'])(
    'the address %j comes back as sent',
    async (address) => {
      expect((await app.create('venues', { venue: 'Addressed', address })).address).toBe(address);
    },
  );

  test.each(['/events', '/venues', '/organizers', '/categories', '/tags'])(
    'a blank search of %s is none',
    async (path) => {
      const whitespace = await app.call('GET', `${path}?search=+%20`);
      const all = await app.call('GET', path);
      expect([whitespace.status, whitespace.body.total]).toEqual([200, all.body.total]);
      expect((await app.call('GET', `${path}?search=`)).status).toBe(400);
    },
  );

  test.each(['/events', '/venues', '/organizers'])('an empty status of %s is for authors', async (path) => {
    const statuses = [];
    for (const as of ['author', 'contributor', undefined] as const)
      statuses.push((await app.call('GET', `${path}?status=`, as ? { as } : {})).status);
    expect(statuses).toEqual([200, 200, 400]);
  });

  test('a password in a create is refused, with what protects an event', async () => {
    const body = { title: 'Protected', ...times, password: 'secret' };
    const reply = await app.call('POST', '/events', { as: 'editor', body });
    expect(outcome(reply)).toEqual([400, 'rest_invalid_param']);
    expect(reply.body.data.params.password).toContain('access_password');
    for (const password of [null, ''])
      expect((await app.call('POST', '/events', { as: 'editor', body: { ...body, password } })).status).toBe(
        201,
      );
  });
});

describe('categories and tags', () => {
  test.each(['categories', 'tags'])('of an object are its values: %s', async (of) => {
    const a = await app.create(of, { name: `${of} 1` });
    const b = await app.create(of, { name: `${of} 2` });
    const { id } = await app.create('events', { title: 'Termed', ...times });
    const linked = async (body: unknown) => ids((await app.change(`/events/${id}`, body)).body[of]);
    expect(await linked({ [of]: { id: a.id } })).toEqual([a.id]);
    expect(await linked({ [of]: { 0: a.id, 1: b.slug } })).toEqual([a.id, b.id]);
    expect(await linked({ [of]: {} })).toEqual([]);
    expect(await linked(`${of}[id]=${b.id}`)).toEqual([b.id]);
    expect(await linked(`${of}[0]=${a.id}&${of}[x]=${b.id}`)).toEqual([a.id, b.id]);
    expect((await app.change(`/events/${id}`, { [of]: [{ id: a.id }] })).status).toBe(400);
    expect((await app.call('GET', `/${of}?include[id]=${a.id}&hide_empty=0`)).body.total).toBe(1);
  });
});

test('venues and organizers of an object with numbers for names are a list, and none of an empty one', async () => {
  const names = ['First', 'Second'];
  const [a, b] = await Promise.all(names.map((organizer) => app.create('organizers', { organizer })));
  const venue = await app.create('venues', { venue: 'Hall' });
  const { id } = await app.create('events', { title: 'Linked', ...times });
  const linked = async (body: object) => {
    const { body: event } = await app.change(`/events/${id}`, body);
    return [ids(event.organizer), event.venue.id ?? event.venue];
  };
  const both = { organizer: { 0: { id: a.id }, 1: b.id }, venue: { 0: venue.id } };
  expect(await linked(both)).toEqual([[a.id, b.id], venue.id]);
  expect(await linked({ organizer: {}, venue: {} })).toEqual([[], []]);
  const { body: made } = await app.change(`/events/${id}`, { organizer: { 0: { organizer: 'Third' } } });
  expect(made.organizer).toMatchObject([{ organizer: 'Third' }]);
});

describe('bodies in parts', () => {
  const send = (form: FormData, headers = {}) =>
    fetch(`${app.root}/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.token('editor')}`, ...headers },
      body: form,
    });

  test('are read; files in them are left out', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ title: 'Ærø, in parts', ...times }))
      form.append(name, value);
    form.append('tags[]', 'First');
    form.append('tags[]', 'Second');
    form.append('description', new Blob(['file']), 'a.txt');
    const reply = await send(form);
    const body = (await reply.json()) as { title: string; description: string; tags: { name: string }[] };
    expect([reply.status, body.title, body.description, body.tags.map(({ name }) => name)]).toEqual([
      201,
      'Ærø, in parts',
      '',
      ['First', 'Second'],
    ]);
  });

  test.each([
    ['multipart/form-data', 400, 'invalid-form'],
    ['multipart/form-data; boundary=other', 400, 'invalid-form'],
  ])('that cannot be read as %s are %d', async (type, status, code) => {
    const headers = { Authorization: `Bearer ${app.token('editor')}`, 'Content-Type': type };
    const reply = await fetch(`${app.root}/events`, { method: 'POST', headers, body: 'nothing of that' });
    expect([reply.status, await reply.json()]).toEqual([status, expect.objectContaining({ code })]);
  });

  test.each([
    [16, 201],
    [17, 400],
  ])(
    'with %i header fields in a part are answered %i: reading each takes a while',
    async (fields, status) => {
      const more = 'X-More: 1\r\n'.repeat(fields - 1);
      const part = (name: string, value: string) =>
        `--b\r\n${more}Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      const body = `${Object.entries({ title: 'Long heads', ...times })
        .map(([name, value]) => part(name, value))
        .join('')}--b--`;
      const headers = {
        Authorization: `Bearer ${app.token('editor')}`,
        'Content-Type': 'multipart/form-data; boundary=b',
      };
      expect((await fetch(`${app.root}/events`, { method: 'POST', headers, body })).status).toBe(status);
    },
  );

  test('have a limited number of names', async () => {
    const form = new FormData();
    for (let count = 0; count <= 10_000; count += 1) form.append('a', '');
    expect((await send(form)).status).toBe(413);
  });
});

describe('a bearer text that is no JSON Web Token', () => {
  const read = (authorization: string, method = 'GET') =>
    app.call(method, '/events', { headers: { authorization } });

  test.each([
    'Bearer null',
    'Bearer undefined',
    'Bearer ',
    'bearer abc.def',
    'Bearer a.b.c',
    'Bearer key-12',
  ])('is ignored on reads, and refused on writes: %s', async (authorization) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      expect([method, (await read(authorization, method)).status]).toEqual([method, 200]);
    expect((await read(authorization, 'POST')).status).toBe(401);
  });

  test('is told from a foreign token, and from other credentials', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const foreign = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ sub: 'x', exp: 1 })}.c2ln`;
    for (const authorization of [`Bearer ${foreign}`, 'Basic YTpi'])
      expect(outcome(await read(authorization))).toEqual([401, 'incorrect_password']);
  });
});
