/** The calendar at the address of a site, where clients look for it that know nothing else. */

import { describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp({
  CALENDAR_SITE_URL: 'https://www.example.org',
  CALENDAR_TIME_ZONE: 'Asia/Kolkata',
  CALENDAR_BASIC: 'false',
  TRUST_FORWARDED_HEADERS: 'false',
  CALENDAR_SITE_ROOTS: 'wp-json/tribe/events/v1, https://www.example.org/api/calendar',
});
const site = () => new URL(app.root).origin;
const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(site() + path, { headers });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
};
const dates = { start_date: '2031-05-01 19:00:00', end_date: '2031-05-01 21:00:00' };
const basic = (name: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

describe('the calendar at the root of the site', () => {
  test.each([
    '/wp-json/tribe/events/v1/events',
    '/wp-json/tribe/events/v1/events/',
    '/?rest_route=/tribe/events/v1/events',
  ])('answers at %s, and links lead back to it', async (path) => {
    const event = await app.create('events', { title: 'One', ...dates });
    await app.create('events', { title: 'Two', ...dates });
    const join = path.includes('?') ? '&' : '?';
    const { status, headers, body } = await get(
      `${path}${join}start_date=2031-01-01&end_date=2032-01-01&per_page=1`,
    );
    const root = `${site()}/wp-json/tribe/events/v1`;
    expect(status).toBe(200);
    expect(body.events[0].rest_url).toBe(`${root}/events/${body.events[0].id}`);
    expect(body.next_rest_url).toContain(`${root}/events`);
    expect(body.next_rest_url).not.toContain('rest_route');
    expect(
      Object.fromEntries(
        ['version', 'root', 'origin'].map((name) => [name, headers.get(`x-tec-api-${name}`)]),
      ),
    ).toEqual({ version: 'v1', root: `${root}/`, origin: 'https://www.example.org' });
    const item = await get(`${path.replace(/\/$/, '')}/${event.id}`);
    expect([item.status, item.body.title]).toEqual([200, 'One']);
  });

  test('has an index', async () => {
    const { status, headers, body } = await get('/wp-json/');
    expect(status).toBe(200);
    const { routes, ...rest } = body;
    expect(rest).toEqual({
      name: 'www.example.org',
      description: '',
      url: 'https://www.example.org',
      home: 'https://www.example.org',
      gmt_offset: 5.5,
      timezone_string: 'Asia/Kolkata',
      authentication: {},
      namespaces: ['tribe/events/v1', 'wp/v2', 'tec/v1'],
      _links: { self: [{ href: `${site()}/wp-json/` }] },
    });
    expect(headers.get('link')).toBe(`<${site()}/wp-json/>; rel="https://api.w.org/"`);
    const { _links } = (await get('/wp-json/tribe/events/v1')).body;
    expect(_links).toEqual({ up: [{ href: 'https://www.example.org/' }] });
    const methods = Object.entries<{ readonly endpoints: readonly { readonly methods: string[] }[] }>(routes);
    expect(
      methods.map(([path, { endpoints }]) =>
        [path, ...endpoints.map((endpoint) => endpoint.methods.join('/'))].join(' '),
      ),
    ).toEqual([
      '/tribe/events/v1 GET',
      '/tribe/events/v1/doc GET',
      '/tribe/events/v1/events.ics GET',
      '/tribe/events/v1/changes GET',
      '/tribe/events/v1/users/me GET',
      '/tribe/events/v1/users GET',
      ...['events', 'venues', 'organizers'].flatMap((list) => {
        const methodsOfOne = list === 'events' ? 'GET DELETE POST/PUT/PATCH' : 'GET/DELETE POST/PUT/PATCH';
        return [
          `/tribe/events/v1/${list} GET POST`,
          `/tribe/events/v1/${list}/(?P<id>\\d+) ${methodsOfOne}`,
          `/tribe/events/v1/${list}/by-slug/(?P<slug>[^/]+) ${methodsOfOne}`,
        ];
      }),
      ...['categories', 'tags'].flatMap((list) => [
        `/tribe/events/v1/${list} GET POST`,
        `/tribe/events/v1/${list}/(?P<id>\\d+) GET/DELETE POST/PUT/PATCH`,
      ]),
      '/tribe/events/v1/series GET POST',
      '/tribe/events/v1/series/(?P<id>\\d+) GET POST/PUT/PATCH DELETE',
      '/tribe/events/v1/events/(?P<id>\\d+)/history GET',
      '/tribe/events/v1/events/(?P<id>\\d+)/history/{version} GET',
      '/tribe/events/v1/events/(?P<id>\\d+)/history/{version}/restore POST',
      '/tribe/events/v1/events/(?P<id>\\d+)/untrash POST',
      '/tribe/events/v1/venues/(?P<id>\\d+)/history GET',
      '/tribe/events/v1/venues/(?P<id>\\d+)/history/{version} GET',
      '/tribe/events/v1/venues/(?P<id>\\d+)/history/{version}/restore POST',
      '/tribe/events/v1/venues/(?P<id>\\d+)/untrash POST',
      '/tribe/events/v1/organizers/(?P<id>\\d+)/history GET',
      '/tribe/events/v1/organizers/(?P<id>\\d+)/history/{version} GET',
      '/tribe/events/v1/organizers/(?P<id>\\d+)/history/{version}/restore POST',
      '/tribe/events/v1/organizers/(?P<id>\\d+)/untrash POST',
      '/tribe/events/v1/events/(?P<id>\\d+)/draft GET/DELETE PATCH',
      '/tribe/events/v1/events/(?P<id>\\d+)/draft/publish POST',
      '/tribe/events/v1/venues/(?P<id>\\d+)/draft GET/DELETE PATCH',
      '/tribe/events/v1/venues/(?P<id>\\d+)/draft/publish POST',
      '/tribe/events/v1/organizers/(?P<id>\\d+)/draft GET/DELETE PATCH',
      '/tribe/events/v1/organizers/(?P<id>\\d+)/draft/publish POST',
      '/wp/v2/users/me GET',
      '/wp/v2/users/(?P<id>\\d+) GET',
      ...['tags', 'tribe_events_cat'].flatMap((list) => [
        `/wp/v2/${list} GET/POST`,
        `/wp/v2/${list}/(?P<id>\\d+) GET`,
      ]),
      '/wp/v2/tribe_events GET',
      '/wp/v2/tribe_events/(?P<id>\\d+) GET/POST',
      '/wp/v2/media GET/POST',
      '/wp/v2/media/(?P<id>\\d+) GET/DELETE POST/PUT/PATCH',
      ...['wp/v2/posts', 'wp/v2/pages', 'tec/v1/events', 'tec/v1/venues', 'tec/v1/organizers'].flatMap(
        (list) => [`/${list} GET`, `/${list}/(?P<id>\\d+) GET`],
      ),
      '/tec/v1/docs GET',
    ]);
  });

  test('has the arguments of each route in its index', async () => {
    const { routes } = (await get('/wp-json/')).body;
    const list = routes['/tribe/events/v1/categories'];
    expect([list.namespace, list.methods]).toEqual(['tribe/events/v1', ['GET', 'POST']]);
    const args = (path: string, index: number) =>
      Object.entries<{ type: string; required: boolean; default?: unknown; description: string }>(
        routes[`/tribe/events/v1/${path}`].endpoints[index].args,
      ).map(([name, { type, required, default: value, description }]) =>
        [name, type, ...(required ? ['required'] : []), value, description === '' ? 'undescribed' : '']
          .join(' ')
          .trim(),
      );
    const page = ['page integer 1', 'per_page integer 10'];
    const language = 'translation_language string';
    expect(args('categories', 0)).toEqual([
      ...page,
      'search string',
      'exclude array',
      'include array',
      'order string asc',
      'orderby string name',
      'hide_empty boolean true',
      'needs_translation string',
      'post integer',
      'event integer',
      'slug string',
      'parent integer',
      language,
    ]);
    const texts = ['name string', 'description string', 'slug string'];
    const languages = ['translations object', 'confirmed_translations array'];
    const change = [...texts, 'parent integer', 'color string', ...languages, language];
    expect(args('categories', 1)).toEqual(['name string required', ...change.slice(1)]);
    expect(args('categories/(?P<id>\\d+)', 1)).toEqual(['id integer required', ...change]);
    expect(args('events', 0)).toEqual(
      expect.arrayContaining([
        ...page,
        'start_date string yesterday',
        'end_date string +2 years',
        'geoloc_lat number',
      ]),
    );
    expect(args('events', 1).filter((item) => item.includes('required'))).toEqual([
      'title string required',
      'start_date string required',
      'end_date string required',
    ]);
  });

  test.each([
    '/wp-json/wp/v2/settings',
    '/wp-json/nothing',
    '/wp-json/tribe/events/v1/nothing',
    '/?rest_route=/wp/v2/settings',
  ])('says in its own shape that there is nothing at %s', async (path) => {
    const { status, body } = await get(path);
    expect([status, body.code, body.data.status]).toEqual([404, 'rest_no_route', 404]);
  });

  test('takes a bearer token as the password of Basic, blanks and all', async () => {
    const password = app.token('editor').replace(/^(.{20})/, '$1 ');
    const created = await fetch(`${site()}/wp-json/tribe/events/v1/events`, {
      method: 'POST',
      headers: { ...basic('ann', password), 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'By Basic', ...dates }),
    });
    expect(created.status).toBe(201);
    const refused = await get('/wp-json/tribe/events/v1/events', basic('ann', 'secret'));
    expect([refused.status, refused.body.code]).toEqual([401, 'incorrect_password']);
  });
});

test('what a proxy says counts for nothing where none is trusted, and a secret is no password', async () => {
  const { clientId, secret } = app.identity.clients.register(['Calendar.Editor']);
  const forwarded = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Prefix': '/evil' };
  const { headers } = await get('/wp-json/tribe/events/v1/events', forwarded);
  expect(headers.get('x-tec-api-root')).toBe(`${site()}/wp-json/tribe/events/v1/`);
  const { status } = await get('/wp-json/tribe/events/v1/events', basic(clientId, secret));
  expect(status).toBe(401);
});

describe('iCalendar at the addresses of pages', () => {
  const feed = async (path: string) => {
    const response = await fetch(site() + path);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      root: response.headers.get('x-tec-api-root'),
      text: await response.text(),
    };
  };

  test.each(['/events/?ical=1', '/events?ical=true', '/?post_type=tribe_events&ical=1'])(
    'is at %s',
    async (path) => {
      await app.create('events', { title: 'In the feed', start_date: '+1 day', end_date: '+2 days' });
      const { status, type, root, text } = await feed(path);
      expect([status, type, root]).toEqual([
        200,
        'text/calendar; charset=utf-8',
        `${site()}/wp-json/tribe/events/v1/`,
      ]);
      expect(text).toContain('SUMMARY:In the feed');
      expect(text).toMatch(/^PRODID:.*ECPv\d/m);
    },
  );

  test('is at the page of one event, whenever it takes place, and nothing else is', async () => {
    const { slug } = await app.create('events', {
      title: 'Long ago',
      start_date: '2001-01-01',
      end_date: '2001-01-01',
    });
    const { status, text } = await feed(`/event/${slug}/?ical=1`);
    expect([status, text.match(/BEGIN:VEVENT/g)?.length]).toEqual([200, 1]);
    expect(text).toContain('SUMMARY:Long ago');
    expect((await feed(`/event/${slug}/`)).type).toBe('text/html; charset=utf-8');
    expect((await feed('/event/nothing/?ical=1')).status).toBe(404);
    expect((await feed('/events/')).type).toBe('text/html; charset=utf-8');
  });
});

test('another root has links with the public URL that the setting gives', async () => {
  const response = await fetch(`${site()}/api/calendar/categories`);
  expect(response.headers.get('x-tec-api-root')).toBe('https://www.example.org/api/calendar/');
});
