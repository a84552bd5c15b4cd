/** Every address that a feed, page or reply of ours has leads somewhere, wherever the calendar stands. */

import { beforeAll, describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';
import { png } from '../support/pictures.ts';

/** How many addresses of a shape are asked: a calendar leads from month to month, in each language and category, without an end. */
const mostOfShape = 6;
const dates = { start_date: '+3 days 19:00', end_date: '+3 days 21:00' };

describe.each([
  ['at the root of the site', 'wp-json/tribe/events/v1'],
  ['below the base path alone', 'none'],
  ['at several roots', 'calendar/v1, wp-json/tribe/events/v1'],
])('a calendar %s', (_where, roots) => {
  const app = useCalendarApp({ CALENDAR_SITE_URL: '', CALENDAR_SITE_ROOTS: roots });
  const site = () => new URL(app.root).origin;

  beforeAll(async () => {
    const other = await app.another({ CALENDAR_SITE_ROOTS: 'wp-json/tribe/events/v1' });
    const at = new URL(other.calendar).origin;
    const { id: image } = await upload(at, 'poster');
    const { id: ofVenue } = await upload(at, 'hall');
    const category = await app.create('categories', { name: 'Music' });
    await app.create('events', {
      ...dates,
      title: 'Concert',
      image,
      description: 'See <a href="/event/second/">the second</a>',
      categories: [(await app.create('categories', { name: 'Jazz', parent: category.id })).id],
      tags: ['outdoor'],
      venue: { venue: 'Hall', image: ofVenue, address: 'Street 1', city: 'Town' },
      organizer: [{ organizer: 'Club' }],
    });
    await app.create('events', { ...dates, title: 'Second', image });
  });

  /** Uploads a picture with a size by an app that has a root at the site, since only that has wp/v2. */
  async function upload(
    at: string,
    name: string,
  ): Promise<{ readonly id: number; readonly source_url: string }> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(png(300, 200))]), `${name}.png`);
    form.set('sizes[thumbnail]', new Blob([new Uint8Array(png(150, 150))]), 'small.png');
    const reply = await fetch(`${at}/wp-json/wp/v2/media`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.token('editor')}` },
      body: form,
    });
    expect(reply.status).toBe(201);
    return reply.json();
  }

  /** What a program or a person begins with. */
  const starts = [
    '/calendar',
    '/calendar?view=month',
    '/embed/calendar',
    '/sitemap.xml',
    '/robots.txt',
    '/events/?ical=1',
    '/events/list/?ical=1',
    '/events/category/music/?ical=1',
    '/events/tag/outdoor/?ical=1',
    '/?post_type=tribe_events&ical=1',
    '/event/concert/?ical=1',
    '/events/feed/',
    '/events/feed/atom/',
    '/feed/',
  ];
  const atSite = ['/wp-json/', '/wp-json/wp/v2/media', '/wp-json/wp/v2/tribe_events?_embed=1'];
  const more = ['/wp-json/tec/v1/events', '/wp-json/tec/v1/venues', '/wp-json/tec/v1/organizers'];

  test('has no address of its own that leads nowhere', async () => {
    const api = ['', '/events', '/events.ics', '/venues', '/organizers', '/categories', '/tags', '/changes'];
    const paths = [...starts, ...(roots === 'none' ? [] : [...atSite, ...more])];
    const queue = [...paths.map((path) => site() + path), ...api.map((path) => app.root + path)];
    const seen = new Set<string>();
    const asked = new Map<string, number>();
    const wrong: string[] = [];
    const kinds = new Set<string>();
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      const shape = shapeOf(url);
      const count = asked.get(shape) ?? 0;
      if (seen.has(url) || count === mostOfShape) continue;
      seen.add(url);
      asked.set(shape, count + 1);
      const reply = await fetch(url, { headers: { 'X-TEC-EEA': 'yes', Accept: '*/*' } });
      const type = reply.headers.get('content-type')?.split(';', 1)[0] ?? '';
      const text = /text|json|xml|calendar/.test(type) ? await reply.text() : '';
      if (!type.startsWith('image/') && text === '') await reply.body?.cancel();
      if (!reply.ok) wrong.push(`${reply.status} ${url}`);
      kinds.add(type);
      queue.push(...addressesIn(text, type, url));
    }
    expect(wrong).toEqual([]);
    expect([...kinds]).toEqual(expect.arrayContaining(['text/html', 'text/calendar', 'application/rss+xml']));
    expect([...kinds]).toContain('image/png');
  });

  /** Returns what addresses have in common that differ in numbers of their path and values of their query alone. */
  function shapeOf(url: string): string {
    const { pathname, searchParams } = new URL(url);
    return [pathname.replaceAll(/\d+/g, '0'), ...[...searchParams.keys()].toSorted()].join(' ');
  }

  /** Returns the addresses of this service in a text. */
  function addressesIn(text: string, type: string, base: string): string[] {
    if (/javascript|css|problem/.test(type)) return [];
    const unfolded =
      type === 'text/calendar' ? text.replace(/\r\n[ \t]/g, '').replace(/\\([,;n])/g, '$1') : text;
    const decoded = unfolded.replaceAll('&amp;', '&').replaceAll('&#038;', '&').replaceAll('\\/', '/');
    const absolute = decoded.match(new RegExp(`${site()}[^\\s"'<>()\\\\]*`, 'g')) ?? [];
    const links = Array.from(decoded.matchAll(/ (?:href|src)="(\/[^"]*|\?[^"]*)"/g), ([, link = '']) => link);
    return [...absolute, ...(type === 'text/html' ? links : [])]
      .filter((link) => !/[{}]|\/edit\b|\/swagger|\/records|\/health|v8\.0|\/users\b/.test(link))
      .map((link) => {
        const url = new URL(link.replace(/&(?:lt|gt|quot).*/, ''), base);
        url.hash = '';
        return url.href;
      })
      .filter((link) => link.startsWith(site()));
  }
});
