/** The pages of the calendar and the start page, as any client gets them. */

import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';
import { getFromHost } from '../support/get-from-host.ts';
import { hostMode } from '../support/host-mode.ts';

/** The base path; empty for none. */
const base = hostMode.settings.SERVICE_API_BASE_URL.replace(/\/$/, '');

const app = useCalendarApp({ CALENDAR_SITE_URL: '', SIGN_IN_HINTS: 'alice@example.org' });
const site = () => new URL(app.root).origin;
const dates = { start_date: '2030-06-01 19:00', end_date: '2030-06-01 21:00', timezone: 'Europe/Copenhagen' };

async function get(path: string, headers: Record<string, string> = {}) {
  const reply = await fetch(site() + path, { headers, redirect: 'manual' });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

describe('the start page', () => {
  test.each(['/', base || '/', `${base}/`])('at %s is HTML, and JSON for who asks for JSON', async (path) => {
    const page = await get(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain(`href="${base}/swagger"`);
    expect(page.text).toContain('Sign in as alice@example.org');
    const { headers, text } = await get(path, { Accept: 'application/json' });
    expect(headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(text)).toMatchObject({
      links: {
        health: `${site()}${base}/health`,
        feed: `${app.root}/events.ics`,
        calendarPage: `${site()}/calendar`,
      },
    });
  });

  test('loads only files of the service, which stay the same for good under their addresses', async () => {
    const { text } = await get('/');
    const files = [...text.matchAll(/(?:src|href)="([^"]+\?v=[^"]+)"/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const { status, headers } = await get(file);
      expect([file, status, headers.get('cache-control')]).toEqual([
        file,
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    expect((await get(`${base}/pages/nothing.js`)).status).toBe(404);
  });

  const files = [
    ['page.css', 'text/css; charset=utf-8'],
    ['calendar.css', 'text/css; charset=utf-8'],
    ...['start.js', 'copy.js', 'embed.js', 'frame-height.js', 'map.js'].map(
      (file) => [file, 'text/javascript; charset=utf-8'] as const,
    ),
    ['map.css', 'text/css; charset=utf-8'],
    ['calendar.js', 'text/javascript; charset=utf-8'],
    ['records.js', 'text/javascript; charset=utf-8'],
    ['signed-in.js', 'text/javascript; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
  ] as const;
  const filesOfExplorer = [
    ['explorer.css', 'text/css; charset=utf-8'],
    ...['explorer.js', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js'].map(
      (file) => [file, 'text/javascript; charset=utf-8'] as const,
    ),
    ...['swagger-ui-bundle', 'swagger-ui-standalone-preset'].map(
      (name) => [`${name}.js.LICENSE.txt`, 'text/plain; charset=utf-8'] as const,
    ),
  ] as const;

  test('its files are the same compressed and as they are', async () => {
    for (const [file, type] of [...files, ...filesOfExplorer]) {
      const plain = await get(`${base}/pages/${file}`, { 'Accept-Encoding': 'identity' });
      const packed = await get(`${base}/pages/${file}`, { 'Accept-Encoding': 'br, gzip' });
      expect(packed.text).toBe(plain.text);
      const found = [plain, packed].map(({ status, headers }) => [
        status,
        ...['content-type', 'content-encoding', 'vary'].map((name) => headers.get(name)),
      ]);
      expect(found).toEqual([null, 'gzip'].map((encoding) => [200, type, encoding, 'Accept-Encoding']));
    }
  });

  test.each([
    [400_000, 'those of all pages but the explorer', files],
    [600_000, 'those of the explorer', filesOfExplorer],
  ] as const)('less than %i bytes, compressed, are %s', async (most, _of, files) => {
    const headers = { 'Accept-Encoding': 'identity' };
    const texts = await Promise.all(files.map(([file]) => get(`${base}/pages/${file}`, headers)));
    const sizes = texts.map(({ text }) => gzipSync(text).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(most);
  });
});

describe('the page of an event', () => {
  let slug = '';
  beforeAll(async () => {
    const venue = { venue: 'Hall <1>', address: 'Street 1', city: 'Aarhus' };
    const event = await app.create('events', {
      ...dates,
      title: 'Concert </script><script>alert(1)</script> & more',
      description: 'Words.<script>alert(2)</script>',
      cost: '100kr',
      venue,
    });
    slug = event.slug;
    await app.change(`/events/${event.id}?translation_language=da`, { title: 'Koncert' });
  });

  test('is where the API says that it is', async () => {
    const { body } = await app.call('GET', `/events/by-slug/${slug}`);
    expect(body.url).toBe(`${site()}/event/${slug}/`);
    expect(body.global_id).toBe(`${new URL(site()).hostname}?id=${body.id}`);
    expect((await fetch(body.url)).status).toBe(200);
  });

  test.each([
    [200, 'x'.repeat(200)],
    [201, `${'x'.repeat(199)}…`],
  ])('is described by 200 characters at most: of %i', async (length, expected) => {
    const { slug: long } = await app.create('events', {
      ...dates,
      title: 'Long',
      description: 'x'.repeat(length),
    });
    const { text } = await get(`/event/${long}/`);
    expect(text).toContain(`<meta name="description" content="${expected}"/>`);
  });

  test('runs no script that anybody wrote into an event', async () => {
    const { text, headers } = await get(`/event/${slug}/`);
    const scripts = [...text.matchAll(/<script\b([^>]*)>/g)].map(([, attributes = '']) => attributes.trim());
    expect(scripts).toEqual([
      expect.stringMatching(/^type="module" src="\/api\/pages\/share\.js\?v=\w+"$/),
      'type="application/ld+json"',
    ]);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  });

  test.each([
    ['?translation_language=da', 'en', 'Koncert', 'da'],
    ['', 'sv-SE,sv;q=0.9', 'Concert', 'sv'],
    ['?translation_language=en', 'da', 'Concert', 'en'],
    ['?translation_language=xx', 'fr', 'Concert', 'en'],
  ])('with %s and a browser in %s is in a language', async (query, accepted, title, language) => {
    const { text } = await get(`/event/${slug}/${query}`, { 'Accept-Language': accepted });
    expect(text).toMatch(new RegExp(`<h1( lang="en")?>${title}`));
    expect(text).toContain(`<html lang="${language}">`);
  });

  test('has the version of the calendar in its entity tag', async () => {
    const { headers } = await get(`/event/${slug}/`);
    const tag = headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"\d+-/);
    expect((await get(`/event/${slug}/`, { 'If-None-Match': tag })).status).toBe(304);
    await app.create('tags', { name: 'Another change' });
    expect((await get(`/event/${slug}/`, { 'If-None-Match': tag })).status).toBe(200);
  });

  test('is still the address of its feed', async () => {
    const { headers, text } = await get(`/event/${slug}/?ical=1`);
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(text).toContain(`URL:${site()}/event/${slug}/`.slice(0, 60));
  });

  test.each([
    [{ status: 'draft' }, 404],
    [{ status: 'private' }, 404],
    [{ status: 'publish', date: '2031-01-01' }, 404],
    // It was never public: `410` is for what was.
    [{ status: 'trash' }, 404],
    [{ access_password: 'secret' }, 403],
  ])('of %j shows nothing, whoever asks', async (fields, status) => {
    const title = 'Hidden title';
    const event = await app.create('events', { ...dates, title, description: 'Hidden words', ...fields });
    const authorization = { Authorization: `Bearer ${app.token('editor')}` };
    for (const credentials of [{}, authorization]) {
      const page = await get(`/event/${event.slug}/`, credentials);
      const headers = ['x-robots-tag', 'etag'].map((name) => page.headers.get(name));
      expect([page.status, page.text.includes('Hidden'), ...headers]).toEqual([
        status,
        false,
        'noindex',
        null,
      ]);
    }
    expect((await get('/calendar?search=Hidden%20words')).text).not.toContain('Hidden words<');
  });
});

describe('other pages of the calendar', () => {
  test('the filters offer more than one page of the API holds', async () => {
    const tags = Array.from({ length: 51 }, (_, number) => `Word ${number}`);
    await app.create('events', { ...dates, title: 'Of many words', tags });
    const { text } = await get('/calendar');
    expect(text.match(/<option value="word-\d+">/g)).toHaveLength(51);
    expect((await get('/calendar?categories=nothing')).status).toBe(404);
  });

  test.each([
    ['/events/category/music/jazz/', 'categories=jazz'],
    ['/tag/outdoor/', 'tags=outdoor'],
  ])('%s leads to the calendar', async (path, query) => {
    const { status, headers } = await get(path);
    expect([status, headers.get('location')]).toEqual([302, `${site()}/calendar?${query}`]);
  });
});

describe('without pages', () => {
  const without = useCalendarApp({ PAGES: 'false' });

  test('there is nothing at their addresses', async () => {
    const paths = ['/', base || '/', '/calendar', '/venue/x/', '/event/x/', `${base}/pages/page.css`];
    const replies = await Promise.all(paths.map((path) => fetch(new URL(path, without.root))));
    expect(replies.map(({ status }) => status)).toEqual(paths.map(() => 404));
  });

  test('the documents lead to no page', async () => {
    const url = new URL(`${base}/openapi.json`, without.root).href;
    const { info } = (await (await fetch(url)).json()) as { readonly info: { readonly contact: object } };
    expect(info.contact).toMatchObject({ url });
  });
});

test('without a site the pages of events are those of the host that a request names, whoever asked before', async () => {
  const upcoming = { start_date: '+1 day', end_date: '+1 day' };
  const { slug } = await app.create('events', { title: 'Of each host', ...upcoming });
  const { host } = new URL(app.root);
  for (const path of ['/events.ics', '/events', `/events/by-slug/${slug}`])
    for (const name of ['odd.example.org', host, 'other.example.org', host]) {
      const links = (await getFromHost(name, app.root + path)).matchAll(
        /https?:\\?\/\\?\/([^/"\\]+)\\?\/event\\?\//g,
      );
      const hosts = [...links].map(([, host]) => host);
      expect([path, hosts.length > 0, [...new Set(hosts)]]).toEqual([path, true, [name]]);
    }
});
