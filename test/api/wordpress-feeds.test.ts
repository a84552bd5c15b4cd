/** The feeds of a site at every address that The Events Calendar has for them, and what subscribers read there. */

import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp({
  CALENDAR_SITE_URL: 'https://www.example.org',
  CALENDAR_TIME_ZONE: 'Europe/Copenhagen',
  CALENDAR_SITE_ROOTS: 'wp-json/tribe/events/v1',
});
const site = () => new URL(app.root).origin;
const get = async (path: string) => {
  const response = await fetch(site() + path);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const titles = (text: string) => Array.from(text.matchAll(/^SUMMARY:(.*)\r$/gm), ([, title]) => title).sort();

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  const { id: music } = await app.create('categories', { name: 'Music' });
  await app.create('categories', { name: 'Jazz', parent: music });
  await app.create('categories', { name: 'Day' });
  const events = [
    {
      title: 'May concert',
      start_date: '2027-05-05 19:00',
      end_date: '2027-05-05 21:00',
      categories: ['jazz'],
    },
    {
      title: 'May fair',
      start_date: '2027-05-30',
      end_date: '2027-06-01',
      all_day: true,
      tags: ['outdoor'],
      categories: ['day'],
    },
    {
      title: 'June walk',
      start_date: '2027-06-01 00:00',
      end_date: '2027-06-01 01:00',
      categories: ['music'],
    },
    { title: 'Over', start_date: day(-9), end_date: day(-9), tags: ['outdoor'] },
  ];
  for (const event of events) await app.create('events', event);
});

describe('a feed', () => {
  test.each([
    ['/events/?ical=1', ['June walk', 'May concert', 'May fair', 'Over']],
    ['/events/?outlook-ical=1', ['June walk', 'May concert', 'May fair', 'Over']],
    ['/events/list/?ical=1', ['June walk', 'May concert', 'May fair', 'Over']],
    ['/events/category/music/?ical=1', ['June walk', 'May concert']],
    ['/events/category/music/jazz/?ical=1', ['May concert']],
    ['/events/category/music/list/?outlook-ical=1', ['June walk', 'May concert']],
    ['/events/category/music/2027-06/?ical=1', ['June walk']],
    ['/events/category/day/?ical=1', ['May fair']],
    ['/events/tag/outdoor/?ical=1', ['May fair', 'Over']],
    ['/events/tag/outdoor/month/2027-05/?ical=1', ['May fair']],
    ['/events/month/2027-05/?ical=1', ['May concert', 'May fair']],
    ['/events/2027-05/?ical=1', ['May concert', 'May fair']],
    ['/events/month/?ical=1&tribe-bar-date=2027-06-15', ['June walk', 'May fair']],
    ['/events/2027-05-05/?ical=1', ['May concert']],
    ['/events/2027-06-01/?ical=1', ['June walk', 'May fair']],
    ['/events/?ical=1&eventDisplay=day&eventDate=2027-05-31', ['May fair']],
    ['/events/?ical=1&eventDisplay=past', ['Over']],
    ['/events/?ical=1&tribe-bar-date=2027-06-01', ['June walk', 'May fair']],
    ['/events/?ical=1&tribe-bar-search=concert', ['May concert']],
    ['/?post_type=tribe_events&tribe_events_cat=jazz&ical=1&eventDisplay=list', ['May concert']],
    ['/?post_type=tribe_events&outlook-ical=1&tag=outdoor', ['May fair', 'Over']],
    ['/events/?ical=1&tag=&tribe-bar-search=walk', ['June walk']],
    ['/events/?ical=1&post_tag=outdoor', ['May fair', 'Over']],
    ['/events/2027-05-05/?ical=1&tribe-bar-date=2027-06-01', ['May concert']],
    ['/events/list/?ical=1&eventDisplay=past', ['June walk', 'May concert', 'May fair', 'Over']],
  ])('is at %s', async (path, expected) => {
    const { status, headers, text } = await get(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(titles(text)).toEqual(expected);
  });

  test('of a venue, and of an organizer, is at its page', async () => {
    const venue = await app.create('venues', { venue: 'Dock' });
    const organizer = await app.create('organizers', { organizer: 'Dockers' });
    const day = { start_date: '2027-05-09 10:00', end_date: '2027-05-09 11:00' };
    await app.create('events', { title: 'At the dock', ...day, venue: venue.id });
    await app.create('events', { title: 'By dockers', ...day, organizer: [organizer.id], featured: true });
    expect(titles((await get('/venue/dock/?ical=1')).text)).toEqual(['At the dock']);
    const calendar = await get('/organizer/dockers/?ical=1');
    expect([titles(calendar.text), calendar.headers.get('content-type')]).toEqual([
      ['By dockers'],
      'text/calendar; charset=utf-8',
    ]);
    expect(titles((await get('/events/featured/?ical=1')).text)).toEqual(['By dockers']);
    expect(titles((await get('/events/month/2027-05/featured/?ical=1')).text)).toEqual(['By dockers']);
    for (const path of ['/venue/none/?ical=1', '/organizer/dock/?ical=1'])
      expect((await get(path)).status).toBe(404);
    const rss = await get('/event/by-dockers/feed/');
    expect([rss.status, rss.headers.get('content-type')]).toEqual([
      200,
      'application/rss+xml; charset=utf-8',
    ]);
    expect(rss.text.match(/(?<=<item><title>)[^<]+/g)).toEqual(['By dockers']);
    expect((await get('/event/none/feed/')).status).toBe(404);
    for (const { id, kind } of [
      { id: venue.id, kind: 'venues' },
      { id: organizer.id, kind: 'organizers' },
    ])
      await app.call('DELETE', `/${kind}/${id}`, { as: 'editor' });
    for (const slug of ['at-the-dock', 'by-dockers'])
      await app.call('DELETE', `/events/by-slug/${slug}`, { as: 'editor' });
  });

  test('has today alone at /events/today', async () => {
    await app.create('events', { title: 'Now', start_date: 'today 00:00', end_date: 'today 23:59:59' });
    expect(titles((await get('/events/today/?ical=1')).text)).toEqual(['Now']);
    expect(titles((await get('/events/past/?ical=1')).text)).toEqual(['Over']);
  });

  test.each([
    '/events/category/nothing/?ical=1',
    '/events/category/?ical=1',
    '/events/tag/a/b/?ical=1',
    '/events/2027-13-45/?ical=1',
    '/events/week/?ical=1',
  ])('is not at %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  test('of a date that is none is a bad parameter', async () => {
    expect((await get('/events/?ical=1&tribe-bar-date=never')).status).toBe(400);
  });

  test('is compressed for programs that read gzip, under a weak form of its tag', async () => {
    const url = `${app.root}/events.ics`;
    const plain = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } });
    const { headers, ...compressed } = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } }).then(
      async (reply) => ({ headers: reply.headers, text: await reply.text() }),
    );
    expect([plain, { headers }].map((reply) => reply.headers.get('content-encoding'))).toEqual([
      null,
      'gzip',
    ]);
    expect(compressed.text).toBe(await plain.text());
    expect(headers.get('vary')).toBe('Accept-Encoding, Authorization, Origin');
    const tag = headers.get('etag') ?? '';
    expect([tag, plain.headers.get('etag')]).toEqual([expect.stringMatching(/^W\//), tag]);
    const again = await fetch(url, { headers: { 'If-None-Match': tag } });
    expect(again.status).toBe(304);
  });

  test.each(['gzip;q=0', 'gzip;q=0, br', 'identity, gzip;q=0.5', 'x-gzip-not'])(
    'is not compressed for Accept-Encoding: %s',
    async (accepted) => {
      const { headers } = await fetch(`${app.root}/events.ics`, { headers: { 'Accept-Encoding': accepted } });
      expect(headers.get('content-encoding')).toBeNull();
    },
  );

  test('has no line of more than 75 octets', async () => {
    await app.create('events', {
      title: 'Æbleskiver på Åen '.repeat(20),
      description: `${'long '.repeat(40)}${'ø'.repeat(200)}`,
      start_date: '2028-01-01 10:00',
      end_date: '2028-01-01 11:00',
    });
    const lines = (await get('/events/?ical=1')).text.split('\r\n');
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBe(75);
  });

  test('says when an event was created, and the region of its place', async () => {
    const { id } = await app.create('events', {
      title: 'In a region',
      start_date: '2028-02-01 10:00',
      end_date: '2028-02-01 11:00',
      date_utc: '2026-01-02 03:04:05',
      venue: { venue: 'Hall', city: 'Lund', province: 'Skåne' },
    });
    const text = (await get(new URL(`${app.root}/events/${id}.ics`).pathname)).text;
    for (const name of ['CREATED', 'DTSTAMP', 'LAST-MODIFIED'])
      expect(text).toContain(`\r\n${name}:20260102T030405Z\r\n`);
    expect(text).toContain('\r\nLOCATION:Hall\\, Lund\\, Skåne\r\n');
  });

  test('of one event says that it is cancelled once it is deleted: its UID, dates and title stay', async () => {
    const { id } = await app.create('events', {
      title: 'Public plan',
      description: 'All of it',
      start_date: '2028-03-01 10:00',
      end_date: '2028-03-01 11:00',
    });
    const draft = await app.create('events', {
      title: 'Draft',
      status: 'draft',
      start_date: '2028-03-01 10:00',
      end_date: '2028-03-01 11:00',
    });
    for (const deleted of [id, draft.id]) await app.call('DELETE', `/events/${deleted}`, { as: 'editor' });
    const { status, text } = await get(new URL(`${app.root}/events/${id}.ics`).pathname);
    expect(status).toBe(200);
    expect(text).toContain('\r\nSTATUS:CANCELLED\r\n');
    expect(text).toContain(`\r\nUID:`);
    expect(text).toContain('20280301T100000');
    expect(text).toContain('\r\nSUMMARY:Public plan\r\n');
    expect(text).not.toContain('All of it');
    const list = (await get('/events/?ical=1&starts_after=2028-02-28')).text;
    expect(list).toContain('STATUS:CANCELLED');
    expect(list).not.toContain('All of it');
    expect((await get(new URL(`${app.root}/events/${draft.id}.ics`).pathname)).status).toBe(403);
  });
});

test('a DESCRIPTION has the caption of a picture on a line of its own, behind its address', async () => {
  const { id } = await app.create('events', {
    title: 'Picture',
    start_date: '2028-04-01 10:00',
    end_date: '2028-04-01 11:00',
    description:
      '<p>Before</p><figure><a href="https://pics.example.org/a.jpg"><img src="https://pics.example.org/a-300x200.jpg" alt=""></a><figcaption>A caption</figcaption></figure><p>After</p>',
  });
  const { text } = await get(new URL(`${app.root}/events/${id}.ics`).pathname);
  const [, description] = /^DESCRIPTION:(.*)\r$/m.exec(text.replace(/\r\n /g, '')) ?? [];
  const lines = description?.split('\\n').filter(Boolean);
  expect(lines).toEqual([
    'Before',
    expect.stringContaining('https://pics.example.org/a.jpg'),
    'A caption',
    'After',
  ]);
});

describe('RSS', () => {
  test('is at /events/feed, and below a category', async () => {
    const { id } = await app.create('events', {
      title: 'Fish & <b>chips</b>\u0001',
      description: 'Fresh <b>fish</b>',
      start_date: '2027-05-07 12:00',
      end_date: '2027-05-07 13:00',
      excerpt: 'Come ]]> all',
      date_utc: '2026-01-02 03:04:05',
      categories: ['jazz', 'Rock & Roll'],
    });
    const { status, headers, text } = await get('/events/category/jazz/feed/');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8']);
    expect(text).toContain('<link>https://www.example.org/events/</link>');
    expect(text).toMatch(/<title>Fish &amp; (?:&lt;b&gt;)?chips/);
    expect(text).toContain('<pubDate>Fri, 07 May 2027 10:00:00 +0000</pubDate>');
    const guid = `https://www.example.org/?post_type=tribe_events&amp;p=${id}`;
    expect(text).toContain(`<guid isPermaLink="false">${guid}</guid>`);
    expect(text).toContain('<dc:creator>www.example.org</dc:creator>');
    expect(text).toContain('<language>en</language>');
    expect(text).toContain('<description>&lt;p&gt;Come');
    expect(text).toContain(
      '<content:encoded>&lt;p&gt;Fresh &lt;b&gt;fish&lt;/b&gt;&lt;/p&gt;</content:encoded>',
    );
    expect(text).toContain('<category>Jazz</category><category>Rock &amp; Roll</category>');
    expect(text).toContain(']]&amp;gt;');
    expect(text).not.toContain('\u0001');
    expect(text).not.toContain('June walk');
    expect((await get('/events/feed/')).text).toContain('June walk');
    expect((await get('/events/category/nothing/feed/')).status).toBe(404);
  });

  test('has what is well-formed, for any texts, and says of a protected event its title alone', async () => {
    await app.create('events', {
      title: 'Behind & a password',
      description: 'Nobody reads this',
      start_date: '2027-05-08 12:00',
      end_date: '2027-05-08 13:00',
      access_password: 'open',
    });
    for (const path of ['/events/feed/', '/events/feed/atom/']) {
      const { text } = await get(path);
      expect(XMLValidator.validate(text)).toBe(true);
      expect(text).toContain('Behind &amp; a password');
      expect(text).not.toContain('Nobody reads this');
    }
  });

  test.each([
    ['/feed/', 'rss', '/events/feed/'],
    ['/feed/?post_type=tribe_events', 'rss', '/events/feed/'],
    ['/?post_type=tribe_events&feed=rss2', 'rss', '/events/feed/'],
    ['/?feed=atom', 'atom', '/events/feed/atom/'],
    ['/feed/atom/', 'atom', '/events/feed/atom/'],
    ['/events/feed/rss2/', 'rss', '/events/feed/'],
    ['/events/feed/atom/', 'atom', '/events/feed/atom/'],
    ['/events/category/music/jazz/feed/atom/', 'atom', '/events/category/music/jazz/feed/atom/'],
    [
      '/events/tag/outdoor/feed/?translation_language=da',
      'rss',
      '/events/tag/outdoor/feed/?translation_language=da',
    ],
  ])('is at %s too, as %s, and names %s', async (path, format, self) => {
    const { status, headers, text } = await get(path);
    expect([status, headers.get('content-type')]).toEqual([200, `application/${format}+xml; charset=utf-8`]);
    const [, named] = /<(?:atom:)?link (?=[^>]*rel="self")[^>]*href="([^"]*)"/.exec(text) ?? [];
    expect(named).toBe(site() + self);
    const again = await get(self);
    expect(again.text).toBe(text);
    expect(text.includes('lang="da"') || text.includes('<language>da')).toBe(self.endsWith('da'));
  });

  test('as Atom has the same names and dates', async () => {
    const { text } = await get('/events/category/jazz/feed/atom/');
    const { feed } = new XMLParser({ ignoreAttributes: false }).parse(text);
    const [first] = [feed.entry].flat();
    expect(first).toMatchObject({
      title: 'May concert',
      id: expect.stringMatching(/^https:\/\/www\.example\.org\/\?post_type=tribe_events&p=\d+$/),
      published: '2027-05-05T17:00:00Z',
      link: { '@_href': 'https://www.example.org/event/may-concert/' },
    });
  });
});

describe('dates', () => {
  test('a plus sign that a URL has turned into a space is that of an offset', async () => {
    const list = (date: string) => app.call('GET', `/events?start_date=${date}&strict_dates=1&per_page=50`);
    const sent = await list('2027-05-05T20:00:00+02:00');
    const encoded = await list('2027-05-05T20:00:00%2B02:00');
    expect(sent.status).toBe(200);
    expect(sent.body.events).toEqual(encoded.body.events);
  });
});

test('feeds have whole addresses, of what a text has as a path, without a scheme, or as a part of its page', async () => {
  const written = [
    '<p><a href="/event/june-walk/?a=1&amp;b=2">path</a> <a href="//host.example.org/x">no scheme</a>',
    ' <a href="#part">part</a> <a href="other/">near</a> <a href="mailto:a@example.org">mail</a>',
    ' <a href="https://else.example.org/y?z=/w">whole</a>',
    ' <img src="/files/a.png" srcset="/files/a.png 1x, //host.example.org/b.png 2x" alt="/not/this" /></p>',
  ].join('');
  const dates = { start_date: '2027-07-05 19:00', end_date: '2027-07-05 21:00' };
  await app.create('events', {
    title: 'Relative',
    ...dates,
    description: written,
    excerpt: '<a href="/e/">e</a>',
  });
  const here = 'https://www.example.org';
  const whole = [
    `href="${here}/event/june-walk/?a=1&amp;b=2"`,
    'href="https://host.example.org/x"',
    `href="${here}/event/relative/#part"`,
    `href="${here}/event/relative/other/"`,
    'href="mailto:a@example.org"',
    'href="https://else.example.org/y?z=/w"',
    `src="${here}/files/a.png"`,
    `srcset="${here}/files/a.png 1x, https://host.example.org/b.png 2x"`,
    'alt="/not/this"',
  ];
  const parser = new XMLParser({ ignoreAttributes: false, processEntities: true });
  const rss = parser.parse((await get('/events/feed/')).text).rss.channel.item;
  const atom = parser.parse((await get('/events/feed/atom/')).text).feed.entry;
  const isIt = ({ title }: { title: string }) => title === 'Relative';
  for (const part of whole) {
    expect(rss.find(isIt)['content:encoded']).toContain(part);
    expect(atom.find(isIt).content['#text']).toContain(part);
  }
  expect(rss.find(isIt).description).toContain(`href="${here}/e/"`);
  const file = (await get('/event/relative/?ical=1')).text.replace(/\r\n /g, '');
  expect(file).toContain(`path (${here}/event/june-walk/?a=1&b=2)`);
  expect(file).not.toMatch(/\((?:\/|#|other)/);
});
