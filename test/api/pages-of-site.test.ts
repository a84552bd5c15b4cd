/** The site for citizens: its name, colour and links, what crawlers read, and what other sites may show in a frame. */

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { contrastOf, readableOn, textOn } from '../../functions/pages/common/views/colors.ts';
import { useCalendarApp } from '../support/calendar-app.ts';
import { hostMode } from '../support/host-mode.ts';

const base = hostMode.settings.SERVICE_API_BASE_URL.replace(/\/$/, '');

const app = useCalendarApp({
  CALENDAR_SITE_URL: '',
  SITE_NAME: 'Havneby',
  SITE_COLOR: '#fc0',
  SITE_LOGO: 'https://www.example.org/logo.svg',
  SITE_IMAGE: 'https://www.example.org/harbour.jpg',
  SITE_HOME: 'Havneby Town|da:Havneby Kommune=https://www.example.org',
  SITE_ADDRESS: 'Torvet 1; 8000 Havneby|sv:Torget 1; 8000 Havneby; Danmark',
  SITE_CONTACT: '12 34 56 78=tel:+4512345678,kultur@example.org=mailto:kultur@example.org',
  SITE_ACCESSIBILITY: 'https://www.example.org/accessibility|da:https://www.example.org/da/was',
  SITE_PRIVACY: 'https://www.example.org/privacy',
  SITE_LINKS: 'About us|da:Om os=https://www.example.org/about',
  EMBED_ORIGINS: 'https://town.example.org',
  MAP_TILES: 'https://tile.example.org/{z}/{x}/{y}.png © Maps',
});
const site = () => new URL(app.root).origin;

async function get(path: string, headers: Record<string, string> = { Accept: 'text/html' }) {
  const reply = await fetch(site() + path, { headers, redirect: 'manual' });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

const upcoming = { start_date: '+3 days 19:00', end_date: '+3 days 21:00' };

beforeAll(async () => {
  const category = await app.create('categories', { name: 'Music', color: '#ABCDEF' });
  const below = await app.create('categories', { name: 'Jazz', parent: category.id });
  const venue = { venue: 'Hall', geo_lat: 56.15, geo_lng: 10.2, show_map: true, address: 'Street 1' };
  await app.create('events', {
    ...upcoming,
    title: 'Concert',
    show_map: true,
    venue,
    categories: [below.id],
  });
  await app.create('events', { start_date: '2001-01-01', end_date: '2001-01-01', title: 'Long ago' });
  await app.create('events', { ...upcoming, title: 'A secret plan', status: 'draft' });
});

describe('the door for citizens', () => {
  test('is the calendar, with the name, links and colours of the site, and none of the tools for developers', async () => {
    const { status, headers } = await get('/');
    expect([status, headers.get('location')]).toEqual([302, `${site()}/calendar`]);
    expect(headers.get('vary')).toMatch(/\bAccept\b/);
    const { text } = await get('/calendar');
    expect(text).toContain('<title>Upcoming events – Havneby</title>');
    expect(text).toMatch(/<a class="name" href="\/calendar">(?:<img [^>]*>)?Havneby<\/a>/);
    expect(text).toContain('<a href="https://www.example.org/about">About us</a>');
    expect(text).toContain('<a class="skip" href="#main">');
    for (const path of ['/records"', '/swagger', '/developers', '/health']) expect(text).not.toContain(path);
    expect(text).toMatch(/<link rel="alternate" type="text\/calendar" [^>]*\/events\.ics"/);
    expect(text).toMatch(/<meta property="og:site_name" content="Havneby"/);
  });

  test('has the logo, the way to the site that it belongs to, and a picture where people come in', async () => {
    const { text } = await get('/calendar');
    expect(text).toContain('<img class="logo" src="https://www.example.org/logo.svg" alt/>');
    expect(text).toContain('<a href="https://www.example.org">Back to Havneby Town</a>');
    expect(text).toContain('<img class="site-image" src="https://www.example.org/harbour.jpg" alt/>');
    expect(text).toContain('<meta property="og:image" content="https://www.example.org/harbour.jpg"/>');
    for (const path of ['/calendar?view=month', '/calendar?search=a', '/embed/calendar'])
      expect((await get(path)).text, path).not.toContain('class="site-image"');
  });

  test.each([
    ['en', ['Torvet 1', '8000 Havneby'], 'accessibility">Accessibility statement', 'About us'],
    ['da', ['Torvet 1', '8000 Havneby'], 'da/was">Tilgængelighedserklæring', 'Om os'],
    ['sv', ['Torget 1', '8000 Havneby', 'Danmark'], 'accessibility">Tillgänglighetsredogörelse', 'About us'],
  ])('has at its foot what it says about itself in %s', async (language, address, statement, about) => {
    const [, foot = ''] = (await get(`/calendar?translation_language=${language}`)).text.split('<footer');
    const [, lines = ''] = /<address>(.*?)<\/address>/.exec(foot) ?? [];
    expect([...lines.matchAll(/<span>(.*?)<\/span>/g)].map(([, line]) => line)).toEqual([
      'Havneby',
      ...address,
    ]);
    expect(foot).toContain('<a href="tel:+4512345678">12 34 56 78</a>');
    expect(foot).toContain('<a href="mailto:kultur@example.org">kultur@example.org</a>');
    expect(foot).toContain(`https://www.example.org/${statement}</a>`);
    expect(foot).toContain(`>${about}</a>`);
  });

  test.each([
    ['en', ''],
    ['da', '?translation_language=da'],
    ['sv', '?translation_language=sv'],
  ])('tells search engines of each language, and which it is: %s', async (language, query) => {
    const { text } = await get('/calendar?view=month', { Accept: 'text/html', 'Accept-Language': language });
    const address = `${site()}/calendar`;
    expect(text).toContain(`<link rel="canonical" href="${address}${query}"/>`);
    const alternates = [...text.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)"/g)];
    expect(alternates.map(([, other, href]) => [other, href])).toEqual([
      ['x-default', address],
      ['en', address],
      ['da', `${address}?translation_language=da`],
      ['sv', `${address}?translation_language=sv`],
    ]);
  });

  test('has the start page for developers beside it, which search engines leave out', async () => {
    const { status, headers, text } = await get('/developers');
    expect([status, headers.get('x-robots-tag')]).toEqual([200, 'noindex']);
    expect(text).toContain('<title>Records and Calendar</title>');
    expect(text).toContain(`href="${base}/swagger"`);
    expect((await get(base || '/developers')).text).toContain(`href="${base}/swagger"`);
    expect((await get('/', { Accept: 'application/json' })).headers.get('content-type')).toBe(
      'application/json',
    );
  });

  test('shows a missing page in its frame to browsers, and a problem to programs', async () => {
    const page = await get('/no/such/page', { Accept: 'text/html,*/*;q=0.8', 'Accept-Language': 'da' });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<h1>Siden findes ikke</h1>');
    expect(page.text).toContain('>Havneby</a>');
    const problem = await get('/no/such/page', { Accept: '*/*' });
    expect([problem.status, problem.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    const form = await fetch(`${site()}/no/such/page`, { method: 'POST', headers: { Accept: 'text/html' } });
    expect([form.status, form.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });

  test('keeps the language that was chosen in its links, and the filters in those to other languages', async () => {
    const { text } = await get('/calendar?search=jazz&translation_language=da');
    for (const path of ['/calendar', '/edit', '/embed'])
      expect(text).toContain(`href="${path}?translation_language=da"`);
    expect([...text.matchAll(/<a href="([^"]*)" lang/g)].map(([, href]) => href)).toEqual(
      ['en', 'da', 'sv'].map((language) => `?search=jazz&amp;translation_language=${language}`),
    );
  });

  test('edits what people enter, with what each record needs, and nothing that buttons or programs set', async () => {
    const { text } = await get('/edit');
    const [, data = ''] = /data-edit="([^"]*)"/.exec(text) ?? [];
    const { forms } = JSON.parse(data.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
    const namesOf = (kind: string, isWanted = (_: { readonly isRequired: boolean }) => true) =>
      forms[kind].filter(isWanted).map(({ name }: { readonly name: string }) => name);
    const required = (kind: string) => namesOf(kind, ({ isRequired }) => isRequired);
    expect(['event', 'venue', 'organizer'].map(required)).toEqual([
      ['title', 'start_date', 'end_date'],
      ['venue'],
      ['organizer'],
    ]);
    for (const name of ['author', 'status', 'date_utc']) expect(namesOf('event')).not.toContain(name);
  });

  test('names feeds after the site', async () => {
    const feed = await (await fetch(`${app.root}/events.ics`)).text();
    expect(feed).toContain('X-WR-CALNAME:Havneby\r\n');
    expect((await get('/events/feed/')).text).toContain('<title>Havneby</title>');
  });
});

describe('crawlers', () => {
  test('may read the pages for citizens, which the site map lists', async () => {
    const robots = await get('/robots.txt');
    expect([robots.status, robots.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(robots.text.split('\n')).toEqual([
      'User-agent: *',
      'Disallow: /developers',
      'Disallow: /records',
      'Disallow: /edit',
      `Disallow: ${base}/swagger`,
      `Sitemap: ${site()}/sitemap.xml`,
      '',
    ]);
    const map = await get('/sitemap.xml');
    expect(map.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const pages = [...map.text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) =>
      url.slice(site().length),
    );
    expect(pages).toEqual(['/calendar', '/event/long-ago/', '/event/concert/', '/venue/hall/']);
    const robotsOf = async (path: string) => (await get(path)).headers.get('x-robots-tag');
    expect(await Promise.all(['/calendar', '/event/concert/', '/edit', '/embed'].map(robotsOf))).toEqual([
      'all',
      'all',
      'noindex',
      'noindex',
    ]);
  });
});

describe('colours', () => {
  test('of a category are its own or those of its parent, with readable text', async () => {
    const { text } = await get('/calendar');
    expect(text).toContain('class="chip c-abcdef"');
    const [, path = ''] = /href="([^"]*colors\.css[^"]*)"/.exec(text) ?? [];
    const sheet = await get(path.replaceAll('&amp;', '&'));
    expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(sheet.text).toContain('.c-abcdef{--category:#abcdef;--on-category:#000000}');
    expect(sheet.text).toContain('--site:#ffcc00;--on-site:#000000');
  });

  test('a style sheet holds nothing but colours', async () => {
    const { text } = await get(`${base}/pages/colors.css?site=0b57a4&categories=ffffff-x}body{color:red-000`);
    expect(text).not.toContain('body');
    expect((await get(`${base}/pages/colors.css?site=red`)).status).toBe(404);
  });

  test('any colour has a text colour with a contrast of 4.5 at least, on it and on pages', () => {
    const colors = fc.integer({ min: 0, max: 0xffffff }).map((value) => value.toString(16).padStart(6, '0'));
    fc.assert(
      fc.property(colors, (color) => {
        expect(contrastOf(textOn(color), color)).toBeGreaterThanOrEqual(4.5);
        for (const page of ['ffffff', '13171f'])
          expect(contrastOf(readableOn(page, color), page)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

describe('frames on other sites', () => {
  test('show the calendar to the origins of EMBED_ORIGINS, and no other page', async () => {
    const framed = await get('/embed/calendar?categories=music');
    expect(framed.headers.get('content-security-policy')).toContain(
      "frame-ancestors 'self' https://town.example.org;",
    );
    expect(framed.headers.get('x-robots-tag')).toBe('noindex');
    expect(framed.text).toMatch(/<a href="\/event\/concert\/" target="_blank">/);
    expect(framed.text).not.toContain('>Havneby</a>');
    for (const path of ['/calendar', '/event/concert/', '/embed'])
      expect((await get(path)).headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  test('are made by a script of at most 10 kB, whose code a page shows', async () => {
    const script = await get('/embed.js');
    expect([script.status, script.headers.get('cache-control')]).toEqual([200, 'public, max-age=3600']);
    expect(gzipSync(script.text).length).toBeLessThan(10_000);
    const { text } = await get('/embed?view=month&categories=music');
    expect(text).toContain(
      `script src="${site()}/embed.js" data-calendar="month" data-categories="music" data-language="en"`.replaceAll(
        '"',
        '&quot;',
      ),
    );
    expect(text).not.toContain('role="note"');
    expect((await get('/embed?categories=nothing')).text).not.toContain('data-categories');
  });
});

test('a map is on the page of an event whose venue has coordinates, from the server of MAP_TILES', async () => {
  const { text } = await get('/event/concert/');
  expect(text).toContain('data-lat="56.15"');
  expect(text).toContain('data-tiles="https://tile.example.org/{z}/{x}/{y}.png"');
  expect((await get('/event/long-ago/')).text).not.toContain('map.js');
});

test('an event at several places names each, and has no map where none shows one', async () => {
  const venues = [
    await app.create('venues', { venue: 'Cellar', geo_lat: 56.15, geo_lng: 10.2, show_map: false }),
    await app.create('venues', { venue: 'Attic', show_map: true }),
  ];
  const venue = venues.map(({ id }) => id);
  const { slug } = await app.create('events', { ...upcoming, title: 'Everywhere', venue });
  const { text } = await get(`/event/${slug}/`);
  expect([...text.matchAll(/<a href="\/venue\/(\w+)\/"/g)].map(([, name]) => name)).toEqual([
    'cellar',
    'attic',
  ]);
  expect(text).not.toContain('map.js');
});

test.each(['0001-01-01', '2199-01-01', '9999-12-31'])(
  'the calendar shows the month and the week of %s without events, and leads search engines nowhere from it',
  async (date) => {
    for (const view of ['month', 'week']) {
      const { status, text, headers } = await get(`/calendar?view=${view}&date=${date}`);
      expect([status, headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow']);
      expect(text).not.toMatch(/rel="(?:prev|next)"/);
    }
  },
);

test('the scripts of a page for reading have at most 100 kB, compressed', async () => {
  for (const path of [
    '/calendar',
    '/calendar?view=month',
    '/event/concert/',
    '/embed',
    '/embed/calendar?view=month',
  ]) {
    const { text } = await get(path);
    const scripts = [...text.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, src = '']) => src);
    const sizes = await Promise.all(scripts.map(async (src) => gzipSync((await get(src)).text).length));
    expect(
      sizes.reduce((sum, size) => sum + size, 0),
      path,
    ).toBeLessThan(100_000);
  }
});
