/** What replies carry beside their bodies: entity tags, caching, and what comes of asking for less. */

import { beforeAll, describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };
const ids: Record<string, number> = {};

beforeAll(async () => {
  ids['categories'] = (await app.create('categories', { name: 'C' })).id;
  ids['tags'] = (await app.create('tags', { name: 'T' })).id;
  ids['venues'] = (await app.create('venues', { venue: 'V' })).id;
  ids['organizers'] = (await app.create('organizers', { organizer: 'O' })).id;
  const links = {
    categories: [ids['categories']],
    tags: [ids['tags']],
    venue: ids['venues'],
    organizer: ids['organizers'],
  };
  ids['events'] = (await app.create('events', { title: 'E', ...times, ...links })).id;
});

const collections = ['events', 'venues', 'organizers', 'categories', 'tags'];
const tagged: [string, () => string][] = [
  ...collections.map((of): [string, () => string] => [`/${of}`, () => `/${of}`]),
  ...collections.map((of): [string, () => string] => [`/${of}/{id}`, () => `/${of}/${ids[of]}`]),
  ['/events.ics', () => '/events.ics'],
];

describe.each(tagged)('GET %s', (_name, path) => {
  test('is 304 for those who have it, whatever the form of the tag, with its headers', async () => {
    const first = await app.call('GET', path());
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, etag]).toEqual([200, expect.stringMatching(/^(?:W\/)?"[\w-]+"$/)]);
    for (const tag of [etag, `W/${etag.replace(/^W\//, '')}`, `"x", ${etag}`, '*']) {
      const again = await app.call('GET', path(), { headers: { 'If-None-Match': tag } });
      expect([tag, again.status, again.body, again.headers.get('etag')]).toEqual([tag, 304, undefined, etag]);
      expect(again.headers.get('cache-control')).toBe('public, no-cache');
      expect(again.headers.get('vary')).toBe(first.headers.get('vary'));
    }
    for (const tag of ['"x"', etag.slice(1, -1), ''])
      expect([tag, (await app.call('GET', path(), { headers: { 'If-None-Match': tag } })).status]).toEqual([
        tag,
        200,
      ]);
  });

  test('has another tag in another language, and after a change of a record in it', async () => {
    const etag = async (query = '') => (await app.call('GET', path() + query)).headers.get('etag');
    const before = await etag();
    expect(await etag()).toBe(before);
    const body = { name: 'Navn', title: 'Navn', venue: 'Navn', organizer: 'Navn' };
    for (const of of collections) await app.change(`/${of}/${ids[of]}?translation_language=da`, body);
    expect(await etag('?translation_language=da')).not.toBe(await etag());
    const description = `changed ${Math.random()}`;
    for (const of of collections) await app.change(`/${of}/${ids[of]}`, { description });
    expect(await etag()).not.toBe(before);
  });

  test('is kept by shared caches for nobody in particular, and by no cache for those who sign in or send a password', async () => {
    const caching = async (as?: 'reader' | 'editor', query = '') =>
      (await app.call('GET', path() + query, as ? { as } : {})).headers.get('cache-control');
    const isPrivate = 'no-cache, must-revalidate, max-age=0, no-store, private';
    expect([
      await caching(),
      await caching('reader'),
      await caching('editor'),
      await caching(undefined, '?password=sesame'),
    ]).toEqual(['public, no-cache', isPrivate, isPrivate, isPrivate]);
  });
});

describe('Last-Modified', () => {
  test.each(['events', 'venues', 'organizers'])('of one of /%s is its last change', async (of) => {
    const { headers, body } = await app.call('GET', `/${of}/${ids[of]}`);
    expect(Date.parse(headers.get('last-modified') ?? '')).toBe(
      Date.parse(`${body.modified_utc.replace(' ', 'T')}Z`),
    );
  });

  test('of feeds and files of iCalendar is the last change of the calendar, and answers If-Modified-Since', async () => {
    const site = new URL(app.root).origin;
    const event = `${app.root}/events/${ids['events']}.ics`;
    const addresses = [
      `${app.root}/events.ics`,
      `${site}/events/list/?ical=1`,
      `${site}/events/2031-06/?ical=1`,
      event,
    ];
    for (const address of addresses) {
      const whole = await fetch(address);
      const modified = whole.headers.get('last-modified') ?? '';
      expect([address, whole.status, Date.parse(modified) <= Date.now()]).toEqual([address, 200, true]);
      const statusOf = async (headers: Record<string, string>) => (await fetch(address, { headers })).status;
      const earlier = new Date(Date.parse(modified) - 1_000).toUTCString();
      expect([
        await statusOf({ 'If-Modified-Since': modified }),
        await statusOf({ 'If-Modified-Since': earlier }),
        await statusOf({ 'If-Modified-Since': 'yesterday' }),
        await statusOf({ 'If-Modified-Since': modified, 'If-None-Match': '"other"' }),
        await statusOf({ 'If-Modified-Since': earlier, 'If-None-Match': whole.headers.get('etag') ?? '' }),
      ]).toEqual([304, 200, 200, 200, 304]);
    }
    // What is over by now is another list at each instant.
    const past = `${site}/events/?ical=1&eventDisplay=past`;
    await expect.poll(async () => (await fetch(past)).headers.has('last-modified')).toBe(false);
    const known = { 'If-Modified-Since': new Date().toUTCString() };
    expect((await fetch(past, { headers: known })).status).toBe(200);
  });

  test.each(['/tags', '/events'])('is not told of %s', async (path) => {
    expect((await app.call('GET', path)).headers.has('last-modified')).toBe(false);
  });
});

describe('refusals', () => {
  test.each([
    ['GET', '/events/99999', 404],
    ['GET', '/venues/99999', 400],
    ['GET', '/nothing', 404],
    ['POST', '/events', 401],
    ['GET', '/events?page=99', 404],
  ])('of %s %s are kept by no cache', async (method, path, status) => {
    const { headers, ...reply } = await app.call(method, path);
    expect([
      reply.status,
      headers.get('cache-control'),
      headers.get('x-robots-tag'),
      headers.get('vary'),
    ]).toEqual([status, 'no-store', 'noindex', 'Authorization, Origin']);
    expect(headers.get('content-type')).toBe('application/json; charset=UTF-8');
  });
});

describe('_fields', () => {
  test.each([
    ['id', ['id']],
    ['slug,id', ['id', 'slug']],
    [' id , slug ', ['id', 'slug']],
    ['id&_fields=slug', ['id', 'slug']],
    ['id,nothing,__proto__', ['id']],
    ['', []],
  ])('of %j leaves %j', async (fields, expected) => {
    const { body } = await app.call('GET', `/events/${ids['events']}?_fields=${fields}`);
    expect(Object.keys(body)).toEqual(expected);
  });

  test('may come in brackets, and cuts replies to writes too', async () => {
    const listed = await app.call('GET', '/tags?_fields[]=total&_fields[]=tags');
    expect(Object.keys(listed.body)).toEqual(['tags', 'total']);
    const written = await app.change(`/tags/${ids['tags']}?_fields=id,name`, {});
    expect(Object.keys(written.body)).toEqual(['id', 'name']);
  });

  test('names parts of parts, of each item of a list too', async () => {
    const path = `/events/${ids['events']}`;
    const { start_date_details: start, categories, id } = (await app.call('GET', path)).body;
    const asked =
      'id.none,start_date_details.year,start_date_details.day,categories.name,slug.x,title,title.x';
    const { body } = await app.call('GET', `${path}?_fields=${asked}`);
    expect(body).toEqual({
      id,
      title: expect.any(String),
      slug: expect.any(String),
      start_date_details: { year: start.year, day: start.day },
      categories: categories.map(({ name }: { name: string }) => ({ name })),
    });
    const listed = await app.call('GET', '/events?per_page=1&_fields=events.cost_details.values,total');
    expect(listed.body).toEqual({
      events: [{ cost_details: { values: expect.any(Array) } }],
      total: expect.any(Number),
    });
  });
});

describe('_envelope', () => {
  test('has the status, the headers and the body of a reply', async () => {
    const { body: list } = await app.call('GET', '/tags?per_page=1&_fields=tags.id,total');
    const { status, body } = await app.call('GET', '/tags?per_page=1&_fields=tags.id,total&_envelope');
    expect([status, body]).toEqual([
      200,
      {
        body: list,
        status: 200,
        headers: expect.objectContaining({ 'X-TEC-Total': String(list.total), Allow: 'GET' }),
      },
    ]);
  });

  test('has an error, which is one in the log', async () => {
    const { status, body } = await app.call('GET', '/events/999999?_envelope=1');
    expect([status, body]).toMatchObject([200, { status: 404, body: { code: 'rest-event-not-found' } }]);
    const refused = await app.call('POST', '/events?_envelope', { body: { title: 'X' } });
    expect([refused.status, refused.body.status, refused.body.body.code]).toEqual([
      200,
      401,
      'rest_forbidden',
    ]);
    const written = await app.call('POST', '/tags?_envelope', { as: 'editor', body: { name: 'Enveloped' } });
    expect([written.status, written.body.status, written.body.body.name]).toEqual([200, 201, 'Enveloped']);
  });
});

describe('a HEAD', () => {
  test.each(tagged)('of %s has the status and headers of the GET', async (_name, path) => {
    const get = await app.call('GET', path());
    const head = await app.call('HEAD', path());
    for (const name of [
      'etag',
      'cache-control',
      'content-type',
      'x-tec-total',
      'x-tec-totalpages',
      'allow',
      'last-modified',
      'vary',
    ])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    expect([head.status, head.body]).toEqual([200, undefined]);
  });
});

describe('the linked data of an event', () => {
  test('knows a venue and an organizer that were in the trash before they were linked', async () => {
    const made: Record<string, number> = {};
    for (const kind of ['venue', 'organizer']) {
      const { id } = await app.create(`${kind}s`, { [kind]: `Back, ${kind}` });
      await app.call('DELETE', `/${kind}s/${id}`, { as: 'editor' });
      await app.change(`/${kind}s/${id}`, { status: 'publish' });
      made[kind] = id;
    }
    const { id } = await app.create('events', { title: 'Linked again', ...times, ...made });
    const { body } = await app.call('GET', `/events/${id}`);
    expect([body.venue.id, body.json_ld.location?.name]).toEqual([made['venue'], 'Back, venue']);
    expect([body.organizer[0].id, body.json_ld.organizer?.name]).toEqual([
      made['organizer'],
      'Back, organizer',
    ]);
    const feed = (await app.call('GET', `/events.ics?include=${id}`)).body;
    expect(feed).toContain('LOCATION:Back\\, venue');
  });
});

describe('the author of a record', () => {
  test('may send their own id, and set nobody else’s', async () => {
    const event = await app.create('events', { title: 'x', ...times }, 'author');
    const send = async (author: number | string) =>
      (await app.change(`/events/${event.id}`, { author }, 'author')).status;
    const editors = await app.create('events', { title: 'x', ...times });
    expect([
      await send(Number(event.author)),
      await send(event.author),
      await send(Number(editors.author)),
    ]).toEqual([200, 200, 403]);
    const moved = await app.change(`/events/${event.id}`, { author: editors.author });
    expect([moved.body.author, await send(event.author)]).toEqual([editors.author, 403]);
  });
});
