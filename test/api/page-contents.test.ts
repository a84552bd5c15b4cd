/** What the pages have in each language: their facts and links, whatever their wording. */

import { beforeAll, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp({
  CALENDAR_SITE_URL: '',
  SIGN_IN_HINTS: 'alice@example.org bob@example.org',
  SERVICE_API_BASE_URL: '/api',
});
const site = () => new URL(app.root).origin;

const origin = /(?:https?%3A%2F%2F|\b(?:https?|webcal):\/\/)(?:localhost|127\.0\.0\.1)(?::|%3A)\d+/g;
const plain = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll(origin, '');
const all = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found = '']) =>
    plain(found.replaceAll(/<[^>]*>/g, ''))
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );

/** Reads a page: its headers, what programs read of its head, and the facts and links of its main part, without their wording. */
async function read(path: string, language = 'en') {
  const headers = { Accept: 'text/html', 'Accept-Language': language };
  const reply = await fetch(site() + path, { headers, redirect: 'manual' });
  const text = await reply.text();
  const [head = '', body = ''] = text.split('<main');
  const [main = ''] = body.split('</main>');
  return {
    headers: reply.headers,
    head: Object.fromEntries(
      [...head.matchAll(/<(?:meta|link) (?:name|property|rel)="([^"]*)" .*?(?:content|href)="([^"]*)"/g)].map(
        ([, name, value = '']) => [name, plain(value)],
      ),
    ),
    data: JSON.parse(/ld\+json">(.*?)<\/script>/s.exec(head)?.[1] ?? 'null'),
    languages: all(head, /lang="(\w+)" aria-current="true"/g),
    main,
    shown: {
      status: reply.status,
      language: /<html lang="(\w+)"/.exec(text)?.[1],
      heading: all(main, /<h1[^>]*>(.*?)<\/h1>/g)[0],
      when: all(main, /<time [^>]*>(.*?)<\/time>/g)[0],
      facts: all(main, /<dd>(.*?)(?:<a href="https:\/\/www.openstreetmap.*?)?<\/dd>/gs),
      links: all(main, /href="([^"]*)"/g),
    },
  };
}

const api = '/api/tribe/events/v1';
const countries = { en: 'Denmark', da: 'Danmark', sv: 'Danmark' } as const;
const map = 'https://www.openstreetmap.org/';
/** The links that add an event to another calendar: a file, and forms of other services that are filled in. */
const added = (
  file: string,
  title: string,
  [start, end]: readonly [string, string],
  place: string,
  path: string,
) => {
  const dates = `${start}/${end}`.replaceAll(/[-:]/g, '');
  const google = new URLSearchParams({ text: title, dates, location: place, details: path });
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: start,
    enddt: end,
    allday: String(!start.includes('T')),
    location: place,
    body: path,
  });
  const compose = 'calendar/0/action/compose';
  return [
    file,
    `https://calendar.google.com/calendar/render?action=TEMPLATE&${google}`,
    `https://outlook.live.com/${compose}?${outlook}`,
    `https://outlook.office.com/${compose}?${outlook}`,
  ];
};

beforeAll(async () => {
  const venue = {
    venue: 'Hall & <i>Yard</i>',
    address: 'Street 1',
    city: 'Aarhus',
    zip: '8000',
    country: 'Denmark',
    phone: '+45 12-34',
    website: 'https://hall.example.org',
    description: '<p>Where <b>it</b> is.</p>',
    geo_lat: 56.15,
    geo_lng: 10.2,
    show_map: true,
    show_map_link: true,
    date: '2026-01-01',
  };
  const organizer = {
    organizer: 'The "Club"',
    email: 'club@example.org',
    phone: '56 78',
    website: 'https://a.example.org',
    description: 'Who makes it.',
    date: '2026-01-01',
  };
  const hall = await app.create('venues', venue);
  const club = await app.create('organizers', organizer);
  const event = await app.create('events', {
    title: 'Concert & <em>more</em>',
    slug: 'concert',
    date: '2026-01-01',
    description: 'Words.\n\nMore words.',
    excerpt: 'Few.',
    start_date: '2090-06-01 19:00',
    end_date: '2090-06-01 21:30',
    timezone: 'Europe/Copenhagen',
    cost: '100kr',
    website: 'https://concert.example.org',
    image: 'https://www.example.org/a.jpg',
    venue: hall.id,
    organizer: [club.id],
    categories: ['Rock & Roll'],
    tags: ['Loud'],
  });
  await app.change(`/events/${event.id}?translation_language=sv`, { title: 'Konsert', description: 'Ord.' });
  const place = { venue: 'Yard', address: 'Lane 2', city: 'Odense', stateprovince: 'Funen' };
  const shown = { show_map: true, show_map_link: true };
  const yard = await app.create('venues', { ...place, ...shown, date: '2026-01-02' });
  const days = {
    start_date: '2090-07-30',
    end_date: '2090-07-31',
    all_day: true,
    timezone: 'Europe/Stockholm',
  };
  await app.create('events', {
    title: 'Open days',
    slug: 'open-days',
    date: '2026-01-01',
    cost: '0',
    ...days,
    venue: yard.id,
  });
  const nextMonth = {
    start_date: '+1 month',
    end_date: '+1 month',
    venue: yard.id,
    categories: ['Rock & Roll'],
  };
  await app.create('events', { title: 'Soon & certain', slug: 'soon', ...nextMonth });
  const secret = { description: 'Hidden.', access_password: 'secret', ...days };
  await app.create('events', { title: 'Secret', slug: 'secret', ...secret });
  const lastMonth = { start_date: '-1 month', end_date: '-1 month' };
  await app.create('events', { title: 'Over', slug: 'over', ...lastMonth });
});

const when = {
  en: 'Thursday 1 June 2090, 19:00–21:30 (CEST)',
  da: 'torsdag den 1. juni 2090, 19.00–21.30 (CEST)',
  sv: 'torsdag 1 juni 2090, 19:00–21:30 (CEST)',
};

test.each([
  ['en', '', 'en', 'Concert & more'],
  ['da', '?translation_language=da', 'en', 'Concert & more'],
  ['sv', '', 'sv', 'Konsert'],
] as const)(
  'an event in %s has its facts, and links that keep the language of the address',
  async (...row) => {
    const [language, query, accepted, title] = row;
    const feedQuery = language === 'en' ? '' : `?translation_language=${language}`;
    const { main, languages, shown } = await read(`/event/concert/${query}`, accepted);
    expect(shown).toEqual({
      status: 200,
      language,
      heading: title,
      when: when[language],
      facts: [
        `Hall & YardStreet 1, 8000 Aarhus, ${countries[language]}`,
        '100kr',
        'The “Club”',
        'Loud',
        'concert.example.org',
      ],
      links: [
        `/calendar?categories=rock-roll&translation_language=${language}`,
        `/venue/hall-yard/${query}`,
        `${map}?mlat=56.15&mlon=10.2#map=17/56.15/10.2`,
        `/organizer/the-club/${query}`,
        `/calendar?tags=loud&translation_language=${language}`,
        'https://concert.example.org',
        ...added(
          `${api}/events/3.ics${feedQuery}`,
          title,
          ['2090-06-01T17:00:00Z', '2090-06-01T19:30:00Z'],
          `Street 1, 8000 Aarhus, ${countries[language]}`,
          '/event/concert/',
        ),
        // Related, before and after.
        ...['soon', 'soon', 'open-days'].map((slug) => `/event/${slug}/${query}`),
      ],
    });
    expect(languages).toEqual([language]);
    expect(main).toContain('<time datetime="2090-06-01T17:00:00Z">');
    expect(main).toContain('<img src="https://www.example.org/a.jpg" alt');
    expect(main).toContain(language === 'sv' ? '<p>Ord.</p>' : '<p>Words.</p>\n<p>More words.</p>');
  },
);

test('an event is known to browsers, previews and search engines', async () => {
  const { headers, head, data } = await read('/event/concert/');
  const names = ['referrer-policy', 'cache-control', 'vary', 'x-robots-tag'];
  expect(names.map((name) => headers.get(name))).toEqual([
    'strict-origin-when-cross-origin',
    'public, max-age=0, s-maxage=30',
    'Accept, Accept-Language, Authorization, Origin',
    'all',
  ]);
  expect(head).toMatchObject({
    description: 'Few.',
    'https://api.w.org/': '/wp-json/',
    canonical: '/event/concert/',
    alternate: `${api}/events/3.ics`,
    'og:type': 'article',
    'og:title': 'Concert & more',
    'og:description': 'Few.',
    'og:url': '/event/concert/',
    'og:locale': 'en_GB',
    'og:image': 'https://www.example.org/a.jpg',
    'twitter:card': 'summary_large_image',
  });
  expect(data).toMatchObject({
    '@type': 'Event',
    startDate: '2090-06-01T19:00:00+02:00',
    endDate: '2090-06-01T21:30:00+02:00',
    location: { '@type': 'Place', name: 'Hall &#038; <i>Yard</i>' },
    offers: { price: '100' },
  });
  const days = await read('/event/open-days/', 'sv');
  expect([days.head['og:locale'], days.head['twitter:card'], days.head['og:image']]).toEqual([
    'sv_SE',
    'summary',
    undefined,
  ]);
});

test.each([
  ['en', 'Sunday 30 July 2090 – Monday 31 July 2090', 'Free'],
  ['da', 'søndag den 30. juli 2090 – mandag den 31. juli 2090', 'Gratis'],
  ['sv', 'söndag 30 juli 2090 – måndag 31 juli 2090', 'Gratis'],
])('an event of whole days in %s has no times', async (language, days, cost) => {
  const { shown, main } = await read('/event/open-days/', language);
  const feedQuery = language === 'en' ? '' : `?translation_language=${language}`;
  expect(shown).toEqual({
    status: 200,
    language,
    heading: 'Open days',
    when: days,
    facts: ['YardLane 2, Odense, Funen', cost],
    links: [
      '/venue/yard/',
      `${map}search?query=Lane+2%2C+Odense%2C+Funen`,
      ...added(
        `${api}/events/6.ics${feedQuery}`,
        'Open days',
        ['2090-07-30', '2090-08-01'],
        'Lane 2, Odense, Funen',
        '/event/open-days/',
      ),
      '/event/concert/',
      '/event/secret/',
    ],
  });
  expect(main).toContain('<time datetime="2090-07-29T22:00:00Z">');
});

test.each(['en', 'da', 'sv'])(
  'a protected event and a missing page have only a heading in %s',
  async (language) => {
    const headings = new Set<string | undefined>();
    for (const [path, status] of [
      ['/event/secret/', 403],
      ['/venue/nobody/', 404],
      ['/organizer/nobody/', 404],
    ] as const) {
      const { headers, data, head, shown } = await read(path, language);
      headings.add(shown.heading);
      expect(shown).toEqual({
        status,
        language,
        heading: expect.stringMatching(/./),
        facts: [],
        links: ['/calendar'],
      });
      expect([headers.get('x-robots-tag'), data, head['canonical']]).toEqual(['noindex', null, undefined]);
    }
    expect(headings.size).toBe(2);
  },
);

test('a venue and an organizer have their contacts, events and feed', async () => {
  const hall = await read('/venue/hall-yard/');
  expect(hall.shown).toEqual({
    status: 200,
    language: 'en',
    heading: 'Hall & Yard',
    when: expect.stringContaining('2090'),
    facts: ['Street 1, 8000 Aarhus, Denmark', 'hall.example.org', '+45 12-34'],
    links: [
      `${map}?mlat=56.15&mlon=10.2#map=17/56.15/10.2`,
      'https://hall.example.org',
      'tel:+451234',
      `${api}/events.ics?venue=1`,
      '/event/concert/',
    ],
  });
  expect(hall.main).toContain('<p>Where <b>it</b> is.</p>');
  expect([hall.head['canonical'], hall.head['og:type'], hall.data['@type']]).toEqual([
    '/venue/hall-yard/',
    'website',
    'Place',
  ]);
  expect((await read('/venue/yard/?translation_language=da')).shown).toEqual({
    status: 200,
    language: 'da',
    heading: 'Yard',
    when: expect.stringMatching(/\d/),
    facts: ['Lane 2, Odense, Funen'],
    links: [
      `${map}search?query=Lane+2%2C+Odense%2C+Funen`,
      `${api}/events.ics?venue=5`,
      ...['soon', 'open-days'].map((slug) => `/event/${slug}/?translation_language=da`),
    ],
  });
  const club = await read('/organizer/the-club/', 'sv');
  expect(club.shown).toEqual({
    status: 200,
    language: 'sv',
    heading: 'The “Club”',
    when: expect.stringContaining('2090'),
    facts: ['a.example.org', '56 78', 'club@example.org'],
    links: [
      'https://a.example.org',
      'tel:5678',
      'mailto:club@example.org',
      `${api}/events.ics?organizer=2`,
      '/event/concert/',
    ],
  });
  expect(club.data).toMatchObject({ '@type': 'Person', telephone: '56 78' });
});

test.each([
  [
    '?search=soon&categories=rock-roll&venue=',
    'soon',
    ['rock-roll'],
    ['/event/soon/'],
    'search=soon&categories=rock-roll',
  ],
  [
    '?tags=loud&search=%22nothing%22&translation_language=da',
    '"nothing"',
    ['loud'],
    [],
    'search=%22nothing%22&tags=loud&translation_language=da',
  ],
  [
    '?translation_language=sv',
    '',
    [],
    ['soon', 'concert', 'open-days', 'secret'].map((slug) => `/event/${slug}/?translation_language=sv`),
    'translation_language=sv',
  ],
  ['?past=true', '', [], ['/event/over/'], ''],
  ['?view=month&date=2090-06-15', '', [], ['/event/concert/'], ''],
  ['?view=week&date=2090-07-30', '', [], ['/event/open-days/', '/event/secret/'], ''],
] as const)(
  'the calendar at %s has its filters, events and feed',
  async (query, search, selected, events, feed) => {
    const { main, shown } = await read(`/calendar${query}`);
    expect(shown.links.filter((link) => link.startsWith('/event/'))).toEqual(events);
    expect(shown.links.at(-1)).toBe(`${api}/events.ics${feed && `?${feed}`}`);
    expect(all(main, /type="search" name="search"[^>]* value(?:="([^"]*)")?/g)).toEqual([search]);
    expect(all(main, /<option selected value="([^"]+)"/g)).toEqual(selected);
    expect(all(main, /<option (?:selected )?value="([^"]+)"/g)).toEqual(['rock-roll', '1', '5', '2', 'loud']);
  },
);

test('the start page leads everywhere, to a person and to a program', async () => {
  const { headers, shown, main } = await read('/');
  const users = ['alice', 'bob'].map((name) => `/records?login_hint=${name}%40example.org`);
  expect(shown).toMatchObject({ status: 200, language: 'en' });
  expect(shown.links).toEqual([
    ...users,
    '/api/swagger',
    '/api/openapi.json',
    '/records',
    '/api/swagger/records.json',
    api,
    '/calendar',
    '/api/swagger/calendar.json',
    `${api}/events.ics`,
    '/api/health',
    `${api}/events.ics`,
    '/api/health',
  ]);
  expect(all(main, /<pre class="copied">(.*?)<\/pre>/g)).toEqual([
    `${api}/events.ics`,
    `curl "${api}/events?per_page=3"`,
    `curl "${api}/events?search=music&start_date=2026-01-01"`,
    'curl -H "Authorization: Bearer $TOKEN" "/api/v8.0/authorized"',
    'curl -H "Authorization: Bearer $TOKEN" "/api/v8.0/journalized-cases?limit=5&sort=title"',
  ]);
  expect(headers.get('vary')).toContain('Accept');
  const json = await fetch(`${site()}/`, { headers: { Accept: 'application/json' } });
  expect(JSON.parse((await json.text()).replaceAll(origin, '')).links).toEqual({
    health: '/api/health',
    explorer: '/api/swagger',
    openapi: '/api/openapi.json',
    records: '/api/v8.0',
    recordsPage: '/records',
    recordsOpenapi: '/api/swagger/records.json',
    calendar: api,
    calendarPage: '/calendar',
    calendarOpenapi: '/api/swagger/calendar.json',
    feed: `${api}/events.ics`,
  });
});

test.each(['/records', '/api/swagger/oauth2-redirect.html'])(
  '%s says who lets people sign in',
  async (path) => {
    const { shown, main } = await read(path);
    expect([shown.status, shown.links]).toEqual([200, []]);
    expect(main).toMatch(/ data-authority="http:\/\/127[^"]+\/v2\.0" data-client="[^"]+"/);
  },
);

test.each([
  ['/records', 'en', 'en', 'Cases and documents'],
  ['/records', 'da', 'da', 'Sager og dokumenter'],
  ['/records?translation_language=sv', 'da', 'sv', 'Ärenden och dokument'],
  ['/records', 'fr', 'en', 'Cases and documents'],
])('%s is for who prefers %s in %s', async (path, preferred, language, heading) => {
  expect((await read(path, preferred)).shown).toMatchObject({ language, heading });
});

test.each(['/records', '/api/swagger', '/api/swagger/oauth2-redirect.html'])(
  'the script of %s may call the identity provider alone',
  async (path) => {
    const { headers } = await read(path);
    const policy = (headers.get('content-security-policy') ?? '').split('; ');
    expect(policy.map((part) => part.replace(/127\.0\.0\.1:\d+/, 'identity'))).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self' http://identity",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]),
    );
  },
);

test('events lead to each other by time, those that start together too, and none leads to a hidden one', async () => {
  const slugs = ['first', 'second', 'third', 'fourth'];
  for (const [index, hour] of [10, 12, 12, 14].entries()) {
    const dates = { start_date: `2095-01-01 ${hour}:00`, end_date: '2095-01-01 20:00' };
    await app.create('events', { title: 'Row', slug: slugs[index], ...dates });
  }
  const beside = { start_date: '2095-01-01 12:00', end_date: '2095-01-01 20:00', hide_from_listings: true };
  await app.create('events', { title: 'Row', slug: 'beside', ...beside });
  const neighbourOf = async (slug: string, rel: 'prev' | 'next') => {
    const { main } = await read(`/event/${slug}/`);
    const link = new RegExp(`rel="${rel}"[^>]* href="/event/([\\w-]+)/`).exec(main.replaceAll(origin, ''));
    return link?.[1] ?? '';
  };
  const walk = async (first: string, rel: 'prev' | 'next') => {
    const seen: string[] = [];
    for (let slug = first; slugs.includes(slug) && seen.length < slugs.length; ) {
      seen.push(slug);
      slug = await neighbourOf(slug, rel);
    }
    return seen;
  };
  expect(await walk('first', 'next')).toEqual(slugs);
  expect(await walk('fourth', 'prev')).toEqual(slugs.toReversed());
  expect([await neighbourOf('beside', 'prev'), await neighbourOf('beside', 'next')]).toEqual([
    'first',
    'fourth',
  ]);
});

test('a crowd of three hundred who open three pages at once is refused nothing, and reads what is there', async () => {
  const paths = ['/calendar', '/calendar?view=month&date=2090-06-15', '/event/concert/'];
  const statuses = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const reply = await fetch(`${site()}${paths[index % 3]}`, { headers: { Accept: 'text/html' } });
      return [reply.status, (await reply.text()).includes('</html>')];
    }),
  );
  expect(new Set(statuses.map(String))).toEqual(new Set(['200,true']));
});

test('a page that many share shows a change as soon as it is made', async () => {
  const isShown = async (title: string) => {
    const reply = await fetch(`${site()}/event/concert/`, { headers: { Accept: 'text/html' } });
    return (await reply.text()).includes(title);
  };
  expect(await isShown('Changed for all')).toBe(false);
  const { body } = await app.call('GET', '/events/by-slug/concert');
  await app.change(`/events/${body.id}`, { excerpt: 'Changed for all' });
  await expect.poll(() => isShown('Changed for all')).toBe(true);
});
