/** The pages, whole, as they are stored in `pages/`: after a change on purpose, `npm test -- pages-whole -u` writes them again. */

import { beforeAll, describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp({
  ...{ CALENDAR_SITE_URL: '', SIGN_IN_HINTS: 'alice@example.org bob@example.org' },
  SERVICE_API_BASE_URL: '/api',
});
const site = () => new URL(app.root).origin;

const headerNames = [
  'content-type',
  'content-security-policy',
  'referrer-policy',
  'cache-control',
  'vary',
  'x-robots-tag',
  'location',
];

/** A reply as it is stored: a line for each header and element, without what differs from run to run. */
async function stored(path: string, accept: Readonly<Record<string, string>> = {}): Promise<string> {
  const headers = { Accept: 'text/html', 'Accept-Language': 'en', ...accept };
  const reply = await fetch(site() + path, { headers, redirect: 'manual' });
  const text = await reply.text();
  const lines = [
    `${reply.status}`,
    ...headerNames.flatMap((name) => {
      const value = reply.headers.get(name);
      return value === null ? [] : [`${name}: ${value}`];
    }),
    '',
    text.replaceAll(/(?<!^)<(?!\/)/g, '\n<'),
    '',
  ];
  return lines
    .join('\n')
    .replaceAll(/(localhost|127\.0\.0\.1)(:|%3A)\d+/g, '$1:0')
    .replaceAll(/(?<=\n<br\/>)[^\n]+/g, 'when')
    .replaceAll(/\?v=[\da-f]+/g, '?v=0');
}

beforeAll(async () => {
  const venue = {
    ...{ venue: 'Hall & <i>Yard</i>', address: 'Street 1', city: 'Aarhus', zip: '8000', country: 'Denmark' },
    ...{ phone: '+45 12-34', website: 'https://hall.example.org', description: '<p>Where <b>it</b> is.</p>' },
    ...{ geo_lat: 56.15, geo_lng: 10.2, show_map: true, show_map_link: true, date: '2026-01-01' },
  };
  const organizer = {
    ...{
      organizer: 'The "Club"',
      email: 'club@example.org',
      phone: '56 78',
      website: 'https://a.example.org',
    },
    ...{ description: 'Who makes it.', date: '2026-01-01' },
  };
  const hall = await app.create('venues', venue);
  const club = await app.create('organizers', organizer);
  const event = await app.create('events', {
    ...{ title: 'Concert & <em>more</em>', slug: 'concert', date: '2026-01-01' },
    ...{ description: 'Words.\n\nMore words.', excerpt: 'Few.' },
    ...{ start_date: '2090-06-01 19:00', end_date: '2090-06-01 21:30', timezone: 'Europe/Copenhagen' },
    ...{ cost: '100kr', website: 'https://concert.example.org', image: 'https://www.example.org/a.jpg' },
    ...{ venue: hall.id, organizer: [club.id], categories: ['Rock & Roll'], tags: ['Loud'] },
  });
  await app.call('PATCH', `/events/${event.id}?translation_language=sv`, {
    as: 'editor',
    body: { title: 'Konsert', description: 'Ord.' },
  });
  const place = { venue: 'Yard', address: 'Lane 2', city: 'Odense', show_map: true, show_map_link: true };
  const yard = await app.create('venues', { ...place, date: '2026-01-02' });
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
});

describe('a page is as it is stored', () => {
  test.each<[name: string, path: string, accept?: Readonly<Record<string, string>>]>([
    ['start.txt', '/'],
    ['start-as-json.txt', '/', { Accept: 'application/json' }],
    ['records.txt', '/records'],
    ['explorer.txt', '/api/swagger'],
    ['signed-in.txt', '/api/swagger/oauth2-redirect.html'],
    ['event.txt', '/event/concert/'],
    ['event-da.txt', '/event/concert/?translation_language=da'],
    ['event-sv.txt', '/event/concert/', { 'Accept-Language': 'sv' }],
    ['event-of-days.txt', '/event/open-days/?translation_language=en'],
    ['event-of-days-da.txt', '/event/open-days/', { 'Accept-Language': 'da' }],
    ['event-of-days-sv.txt', '/event/open-days/?translation_language=sv'],
    ['event-protected.txt', '/event/secret/'],
    ['event-protected-da.txt', '/event/secret/?translation_language=da'],
    ['event-protected-sv.txt', '/event/secret/?translation_language=sv'],
    ['venue.txt', '/venue/hall-yard/'],
    ['venue-da.txt', '/venue/yard/?translation_language=da'],
    ['organizer-sv.txt', '/organizer/the-club/?translation_language=sv'],
    ['calendar.txt', '/calendar?search=soon&categories=rock-roll&venue='],
    ['calendar-da.txt', '/calendar?tags=loud&search=%22nothing%22&translation_language=da'],
    ['calendar-sv.txt', '/calendar', { 'Accept-Language': 'sv' }],
    ['not-found.txt', '/venue/nobody/'],
    ['not-found-da.txt', '/venue/nobody/?translation_language=da'],
    ['not-found-sv.txt', '/organizer/nobody/', { 'Accept-Language': 'sv' }],
    ['category.txt', '/events/category/music/jazz/'],
  ])('%s', async (name, path, accept) => {
    await expect(await stored(path, accept)).toMatchFileSnapshot(`pages/${name}`);
  });
});
