/** Addresses that a site of The Events Calendar had, after the calendar has taken its place: mails, search engines and other sites hang on them. */

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';
import { png } from '../support/pictures.ts';

const app = useCalendarApp({ CALENDAR_SITE_URL: '', CALENDAR_TIME_ZONE: 'Europe/Copenhagen' });
const site = () => new URL(app.root).origin;
const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Asks as a browser does, without following. */
async function open(path: string, headers: Readonly<Record<string, string>> = browser) {
  const reply = await fetch(site() + path, { headers, redirect: 'manual' });
  const location = reply.headers.get('location');
  return {
    status: reply.status,
    to: location?.startsWith(site()) ? location.slice(site().length) : location,
    type: reply.headers.get('content-type')?.split(';', 1)[0],
    text: await reply.text(),
  };
}

const ids: Record<string, number> = {};

beforeAll(async () => {
  const music = await app.create('categories', { name: 'Music' });
  await app.create('categories', { name: 'Jazz', parent: music.id });
  const dates = { start_date: '2031-03-28 19:00', end_date: '2031-03-28 21:00' };
  const events = {
    concert: { title: 'Concert', categories: ['jazz'], tags: ['outdoor'] },
    hidden: { title: 'Hidden', hide_from_listings: true },
    locked: { title: 'Locked', access_password: 'open sesame' },
    draft: { title: 'Draft', status: 'draft' },
  };
  for (const [name, event] of Object.entries(events))
    ids[name] = (await app.create('events', { ...dates, ...event })).id;
  ids['hall'] = (await app.create('venues', { venue: 'Hall' })).id;
  ids['club'] = (await app.create('organizers', { organizer: 'Club' })).id;
});

describe('the address of a list', () => {
  test.each([
    ['/events/', '/calendar'],
    ['/events', '/calendar'],
    ['/events/list/', '/calendar'],
    ['/events/list/page/2/', '/calendar'],
    ['/events/page/3', '/calendar'],
    ['/events/past/', '/calendar?past=true'],
    ['/events/list/?eventDisplay=past', '/calendar?past=true'],
    ['/events/month/', '/calendar?view=month'],
    ['/events/month/2031-03/', '/calendar?view=month&date=2031-03-01'],
    ['/events/2031-03/', '/calendar?view=month&date=2031-03-01'],
    ['/events/month/?tribe-bar-date=2031-03-15', '/calendar?view=month&date=2031-03-15'],
    ['/events/today/', '/calendar?view=week'],
    ['/events/day/2031-03-28', '/calendar?view=week&date=2031-03-28'],
    ['/events/2031-03-28/', '/calendar?view=week&date=2031-03-28'],
    ['/events/week/2031-03-28/', '/calendar?view=week&date=2031-03-28'],
    ['/events/photo/', '/calendar'],
    ['/events/featured/', '/calendar?featured=true'],
    ['/events/month/featured/2031-03/', '/calendar?featured=true&view=month&date=2031-03-01'],
    ['/events/category/jazz/featured/', '/calendar?categories=jazz&featured=true'],
    ['/events/?tribe-bar-search=rock', '/calendar?search=rock'],
    ['/events/category/music/', '/calendar?categories=music'],
    ['/events/category/music/jazz/', '/calendar?categories=jazz'],
    ['/events/category/music/list/', '/calendar?categories=music'],
    ['/events/category/jazz/month/2031-03/', '/calendar?categories=jazz&view=month&date=2031-03-01'],
    ['/events/category/music/page/2/', '/calendar?categories=music'],
    ['/events/tag/outdoor/', '/calendar?tags=outdoor'],
    ['/events/tag/outdoor/2031-03-28/', '/calendar?tags=outdoor&view=week&date=2031-03-28'],
    ['/events/?translation_language=da', '/calendar?translation_language=da'],
    ['/?post_type=tribe_events', '/calendar'],
    ['/?post_type=tribe_events&eventDisplay=month', '/calendar?view=month'],
    ['/?post_type=tribe_events&tribe_events_cat=jazz', '/calendar?categories=jazz'],
  ])('%s leads to %s', async (path, to) => {
    expect(await open(path)).toMatchObject({ status: 302, to });
    expect(await open(to)).toMatchObject({ status: 200, type: 'text/html' });
  });
});

describe('the address of a record by its id', () => {
  test.each([
    ['concert', 'tribe_events', '/event/concert/'],
    ['hidden', 'tribe_events', '/event/hidden/'],
    ['locked', 'tribe_events', '/event/locked/'],
    ['hall', 'tribe_venue', '/venue/hall/'],
    ['club', 'tribe_organizer', '/organizer/club/'],
  ])('leads to the page of %s for good', async (name, type, to) => {
    const id = ids[name];
    for (const query of [`post_type=${type}&p=${id}`, `p=${id}`, `p=${id}&post_type=${type}`])
      expect(await open(`/?${query}`)).toMatchObject({ status: 301, to });
    expect(await open(`/?${type}=${to.split('/')[2]}`)).toMatchObject({ status: 301, to });
  });

  test('keeps what else the query says', async () => {
    expect(await open(`/?post_type=tribe_events&p=${ids['concert']}&translation_language=da`)).toMatchObject({
      status: 301,
      to: '/event/concert/?translation_language=da',
    });
  });

  test('leads nowhere for what is not public, not there, or of another kind', async () => {
    const queries = [
      `post_type=tribe_events&p=${ids['draft']}`,
      `p=${ids['draft']}`,
      'post_type=tribe_events&p=999999',
      `post_type=tribe_venue&p=${ids['concert']}`,
      `post_type=page&p=${ids['concert']}`,
    ];
    for (const query of queries)
      expect(await open(`/?${query}`), query).toMatchObject({ status: 404, type: 'text/html' });
  });
});

describe('the address of a page before its slug was changed', () => {
  const dates = { start_date: '2031-05-01 19:00', end_date: '2031-05-01 21:00' };

  test('leads to its page for good, through each of its slugs', async () => {
    const { id, slug: first } = await app.create('events', { title: 'Fête Æ', ...dates });
    for (const slug of ['日本', 'second', 'third']) await app.change(`/events/${id}`, { slug });
    for (const slug of [first, '日本', '%E6%97%A5%E6%9C%AC', 'second', 'SECOND'])
      for (const [end, query] of [
        ['', ''],
        ['/', '?translation_language=da'],
      ])
        expect(await open(`/event/${slug}${end}${query}`), slug).toMatchObject({
          status: 301,
          to: `/event/third/${query}`,
        });
    expect(await open('/?tribe_events=second')).toMatchObject({ status: 301, to: '/event/third/' });
    await app.change(`/events/${id}`, { status: 'draft' });
    expect((await open('/event/second/')).status).toBe(404);
    await app.call('DELETE', `/events/${id}`, { as: 'editor' });
    expect((await open('/event/second/')).status).toBe(410);
  });

  test('leads calendars there, too, and is that of another record once it has the slug', async () => {
    const { id } = await app.create('events', { title: 'Moving', slug: 'moving', ...dates });
    await app.change(`/events/${id}`, { slug: 'moved' });
    const program = { Accept: '*/*' };
    expect(await open('/event/moving/?ical=1', program)).toMatchObject({
      status: 301,
      to: '/event/moved/?ical=1',
    });
    const other = await app.create('events', { title: 'Other', slug: 'moving', ...dates });
    expect((await open('/event/moving/')).text).toContain('Other');
    await app.change(`/events/${other.id}`, { slug: 'elsewhere' });
    expect((await open('/event/moving/')).status).toBe(301);
    await app.change(`/events/${id}`, { slug: 'moving' });
    expect((await open('/event/moving/')).text).toContain('Moving');
    expect(await open('/event/moved/')).toMatchObject({ status: 301, to: '/event/moving/' });
  });

  test('of a draft was never one', async () => {
    const { id } = await app.create('events', { title: 'Plan', slug: 'plan', status: 'draft', ...dates });
    await app.change(`/events/${id}`, { slug: 'planned', status: 'publish' });
    expect((await open('/event/plan/')).status).toBe(404);
  });
});

describe('the page of a picture', () => {
  test('leads to its file while it is public', async () => {
    const { body, status } = await fetch(`${site()}/wp-json/wp/v2/media`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${app.token('editor')}`,
        'Content-Type': 'image/png',
        'Content-Disposition': 'attachment; filename="a.png"',
      },
      body: new Uint8Array(png(20, 10)),
    }).then(async (reply) => ({ status: reply.status, body: await reply.json() }));
    expect(status).toBe(201);
    expect((await open(`/?attachment_id=${body.id}`)).status).toBe(404);
    const day = { start_date: '2031-05-09', end_date: '2031-05-09' };
    await app.create('events', { title: 'With a picture', ...day, image: body.id });
    const { status: found, to } = await open(`/?attachment_id=${body.id}`);
    expect([found, to]).toEqual([301, expect.stringMatching(/\/pictures\/\d+\/[0-9a-f]{16}\/a\.png$/)]);
    expect((await fetch(site() + to)).status).toBe(200);
  });

  test('stands below that of the record it was uploaded to, else at the root, and leads to its file', async () => {
    const upload = async (file: string, post?: number): Promise<number> => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(png(20, 10))], { type: 'image/png' }), file);
      if (post !== undefined) form.set('post', String(post));
      const reply = await fetch(`${site()}/wp-json/wp/v2/media`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${app.token('editor')}` },
        body: form,
      });
      return (await reply.json()).id;
    };
    const day = { start_date: '2031-05-09', end_date: '2031-05-09' };
    const { id: event } = await app.create('events', { title: 'Ball', slug: 'ball', ...day });
    const [poster, alone] = [await upload('Poster.png', event), await upload('alone.png')];
    // While nothing shows them, and while what does is a draft, they are nobody's.
    for (const path of ['/event/ball/poster/', '/alone/']) expect((await open(path)).status, path).toBe(404);
    await app.change(`/events/${event}`, { image: poster });
    const { id: other } = await app.create('events', {
      title: 'Other',
      image: alone,
      status: 'draft',
      ...day,
    });
    expect((await open('/alone/')).status).toBe(404);
    await app.change(`/events/${other}`, { status: 'publish' });
    const fileOf = (file: string) =>
      expect.stringMatching(new RegExp(`/pictures/\\d+/[0-9a-f]{16}/${file}$`));
    expect(await open('/event/ball/poster/')).toMatchObject({ status: 301, to: fileOf('Poster.png') });
    expect(await open('/alone')).toMatchObject({ status: 301, to: fileOf('alone.png') });
    for (const path of ['/poster/', '/event/concert/poster/', '/event/ball/alone/', '/alone/feed/'])
      expect((await open(path)).status, path).toBe(404);
    // The page of its event has another address by now.
    await app.change(`/events/${event}`, { slug: 'dance' });
    expect(await open('/event/ball/poster/')).toMatchObject({ status: 301, to: '/event/dance/poster/' });
    expect(await open('/event/dance/poster/')).toMatchObject({ status: 301, to: fileOf('Poster.png') });
  });
});

describe('a slug in the query', () => {
  test('may have any letters', async () => {
    const dates = { start_date: '2031-05-01 19:00', end_date: '2031-05-01 21:00' };
    const { slug } = await app.create('events', { title: '日本', slug: '日本', ...dates });
    await app.create('events', { title: 'Ærø', slug: 'ærø', ...dates });
    for (const text of ['日本', encodeURIComponent('日本'), slug])
      expect(await open(`/?tribe_events=${text}`), text).toMatchObject({
        status: 301,
        to: `/event/${slug}/`,
      });
    expect(await open('/?tribe_events=%C3%A6r%C3%B8')).toMatchObject({ status: 301, to: '/event/aero/' });
    for (const text of ['n%C3%B8', '%ff', '%0d%0aX:1', 'a/b', '%00'])
      expect((await open(`/?tribe_events=${text}`)).status, text).toBe(404);
  });
});

describe('a browser', () => {
  test.each([
    '/events/category/nothing-of-this-name/x/y/z/',
    '/events/2031-13-45/',
    '/events/2031-02-30/',
    '/events/no/such/view/',
    '/events/?ical=1&tribe-bar-date=never',
    '/events/category/nothing/?ical=1',
    '/event/no-such-event/',
    '/event/concert/2031-03-28/',
    '/event/no-such-event/?ical=1',
    '/venue/no-such-venue/',
    '/feed/no-such-format/',
    '/events/feed/no-such-format/',
    '/wp-content/uploads/2026/03/none.jpg',
    '/wp-content/uploads/%ff/none.jpg',
    '/wp-content/uploads/',
    '/wp-content/themes/x/style.css',
    '/wp-login.php',
    '/category/news/',
  ])('has a page at %s, and no JSON', async (path) => {
    const { status, type, to } = await open(path);
    if (status === 302) expect(await open(to ?? '')).toMatchObject({ status: 404, type: 'text/html' });
    else expect([status, type]).toEqual([404, 'text/html']);
  });

  const words = ['events', 'event', 'category', 'tag', 'list', 'month', 'page', '2', '2031-03', '2031-03-28'];
  const more = ['today', 'feed', 'atom', 'concert', 'music', 'wp-content', 'uploads', 'a.jpg', '%20', 'x'];
  const first = fc.constantFrom('events', 'event', 'feed', 'wp-content/uploads', 'tag', 'venue');
  const segments = fc.array(fc.constantFrom(...words, ...more), { maxLength: 5 });
  const query = fc.constantFrom(
    '',
    '?p=1',
    '?post_type=tribe_events&p=x',
    '?eventDisplay=past',
    '?tribe-bar-date=x',
  );

  test('has a page, a feed or a way to one at 400 old addresses', async () => {
    const kinds = ['text/html', 'text/calendar', 'application/rss+xml', 'application/atom+xml'];
    await fc.assert(
      fc.asyncProperty(first, segments, query, async (start, rest, search) => {
        const { status, type, to } = await open(`/${[start, ...rest].join('/')}/${search}`);
        expect([200, 301, 302, 404]).toContain(status);
        if (to === null || to === undefined) expect(kinds).toContain(type);
        else expect((await open(to)).type).toBe('text/html');
      }),
      { numRuns: 400 },
    );
  });
});

describe('a text with pictures of ours', () => {
  test('shows them where the calendar is now, whatever host it was written with', async () => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(png(300, 200))]), 'inner.png');
    form.set('sizes[thumbnail]', new Blob([new Uint8Array(png(150, 150))]), 'small.png');
    const upload = await fetch(`${site()}/wp-json/wp/v2/media`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.token('editor')}` },
      body: form,
    });
    const { media_details } = await upload.json();
    const { full, thumbnail } = media_details.sizes;
    const path = (url: string) => new URL(url).pathname.replace(/^.*(?=\/pictures\/)/, '');
    const old = (url: string) => `http://localhost/wp-json/tribe/events/v1${path(url)}`;
    const other = 'https://other.example.org/pictures/1/0123456789abcdef/a.png';
    const written = [
      `<a href="${old(full.source_url)}?ver=2"><img src="//old.example.org${path(thumbnail.source_url)}"`,
      ` srcset="${old(thumbnail.source_url)} 150w, ${old(full.source_url)} 300w" alt="A /pictures/1/ b"></a>`,
      `<img src="${other}" alt="">`,
    ].join('');
    const dates = { start_date: '2031-04-01 19:00', end_date: '2031-04-01 21:00' };
    const event = await app.create('events', {
      ...dates,
      title: 'Inner',
      description: written,
      excerpt: written,
    });
    for (const root of [app.root, `${site()}/wp-json/tribe/events/v1`]) {
      const { description, excerpt } = await (await fetch(`${root}/events/${event.id}`)).json();
      const now = (url: string) => root + path(url);
      for (const text of [description, excerpt]) {
        expect(text).toContain(`href="${now(full.source_url)}?ver=2"`);
        expect(text).toContain(`src="${now(thumbnail.source_url)}"`);
        expect(text).toContain(`srcset="${now(thumbnail.source_url)} 150w, ${now(full.source_url)} 300w"`);
        expect(text).toContain(`src="${other}"`);
        expect(text).toContain('alt="A /pictures/1/ b"');
        expect(text).not.toMatch(/localhost\/|old\.example/);
      }
    }
    const file = await (await fetch(`${site()}/event/inner/?ical=1`)).text();
    expect(file.replace(/\r\n /g, '')).toContain(`${site()}/wp-json/tribe/events/v1${path(full.source_url)}`);
  });
});

test('a reference to a record in a text leads to its page, also after its slug has changed', async () => {
  const dates = { start_date: '2031-04-02 19:00', end_date: '2031-04-02 21:00' };
  const to = await app.create('events', { ...dates, title: 'Referred to' });
  const description = `<p><a href="/?post_type=tribe_events&p=${to.id}#top">there</a></p>`;
  const from = await app.create('events', { ...dates, title: 'Refers', description });
  const [, link = ''] = /href="([^"]*)"/.exec(from.description) ?? [];
  expect(link).toBe(`${site()}/?post_type=tribe_events&amp;p=${to.id}#top`);
  const path = link.slice(site().length).replace('&amp;', '&').replace('#top', '');
  expect(await open(path)).toMatchObject({ status: 301, to: '/event/referred-to/' });
  await app.change(`/events/${to.id}`, { slug: 'renamed' });
  expect(await open(path)).toMatchObject({ status: 301, to: '/event/renamed/' });
  const feed = await (await fetch(`${site()}/event/refers/?ical=1`)).text();
  expect(feed.replace(/\r\n /g, '')).toContain(`(${site()}/?post_type=tribe_events&p=${to.id}#top)`);
});
