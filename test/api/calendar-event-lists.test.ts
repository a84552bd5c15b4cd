import { beforeAll, describe, expect, test } from 'vitest';
import { names, outcome, type Person, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const ids: Record<string, number> = {};

/** A day from today, as `YYYY-MM-DD`. */
function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

beforeAll(async () => {
  ids['hall'] = (await app.create('venues', { venue: 'Hall', geo_lat: 55.68, geo_lng: 12.57 })).id;
  ids['barn'] = (await app.create('venues', { venue: 'Barn', geo_lat: '56.15', geo_lng: '10.20' })).id;
  ids['cellar'] = (await app.create('venues', { venue: 'Cellar' })).id;
  ids['ann'] = (await app.create('organizers', { organizer: 'Ann' })).id;
  ids['bob'] = (await app.create('organizers', { organizer: 'Bob' })).id;
  ids['music'] = (await app.create('categories', { name: 'Music' })).id;
  ids['jazz'] = (await app.create('categories', { name: 'Jazz', parent: ids['music'] })).id;
  ids['empty'] = (await app.create('categories', { name: 'Empty' })).id;
  ids['red'] = (await app.create('tags', { name: 'Red' })).id;
  ids['blue'] = (await app.create('tags', { name: 'Blue' })).id;
  const events: [string, number, object][] = [
    ['Yesterday', -1, {}],
    ['Long ago', -40, {}],
    [
      'Alpha',
      1,
      { venue: ids['hall'], organizer: ids['ann'], categories: [ids['jazz']], tags: ['Red'], featured: true },
    ],
    [
      'Beta',
      2,
      {
        venue: ids['barn'],
        organizer: [ids['ann'], ids['bob']],
        categories: [ids['music']],
        tags: ['Blue'],
        ticketed: true,
      },
    ],
    ['Gamma', 3, { venue: ids['cellar'], description: 'The quick brown fox', excerpt: 'jumps over' }],
    ['Far away', 900, {}],
    ['Hidden', 4, { hide_from_listings: true }],
    ['Draft', 5, { status: 'draft' }],
  ];
  for (const [title, days, fields] of events) {
    const start_date = `${inDays(days)} 10:00:00`;
    const end_date = `${inDays(days)} 11:00:00`;
    ids[title] = (await app.create('events', { title, start_date, end_date, ...fields })).id;
  }
  const part = {
    title: 'Part',
    start_date: `${inDays(6)} 10:00`,
    end_date: `${inDays(6)} 11:00`,
    post_parent: ids['Alpha'],
  };
  ids['Part'] = (await app.create('events', part)).id;
});

describe('GET /events', () => {
  test('lists from yesterday to two years ahead, by start, with totals and links', async () => {
    const { status, headers, body } = await app.call('GET', '/events?per_page=2');
    const twoYears = new Date();
    twoYears.setUTCFullYear(twoYears.getUTCFullYear() + 2);
    const window = `start_date=${inDays(-1)}+00:00:00&end_date=${twoYears.toISOString().slice(0, 10)}+23:59:59&status=publish`;
    expect([status, headers.get('x-tec-total'), headers.get('x-tec-totalpages')]).toEqual([200, '5', '3']);
    expect({ ...body, events: names({ status, headers, body }) }).toEqual({
      events: ['Yesterday', 'Alpha'],
      rest_url: `${app.root}/events/?page=1&per_page=2&${window}`,
      next_rest_url: `${app.root}/events/?per_page=2&${window}&page=2`,
      total: 5,
      total_pages: 3,
    });
    expect(Object.keys(body.events[0])).not.toContain('json_ld');
  });

  test('writes what is always in effect into its links first, then the filters, flags as 1 and 0', async () => {
    const { body } = await app.call('GET', '/events?starts_after=2040-01-01&featured=TRUE&search=x');
    expect(body.rest_url).toBe(
      `${app.root}/events/?page=1&per_page=10&status=publish&search=x&featured=1&starts_after=2040-01-01+23:59:59`,
    );
  });

  test('writes spaces as plus signs in its links, and colons and commas as they are', async () => {
    const { body } = await app.call('GET', `/events?search=${encodeURIComponent('10:30, tea & cake')}`);
    expect(body.rest_url.split('&')).toContain('search=10:30,+tea+%26+cake');
  });

  test('walks the same result by following next_rest_url and previous_rest_url', async () => {
    const walked: string[] = [];
    let next: string | undefined =
      `${app.root}/events?per_page=1&categories=music,jazz&tags=red,blue&strict_dates=1&featured=false`;
    let previous: string | undefined;
    while (next !== undefined) {
      const { body } = await app.call('GET', next.slice(app.root.length));
      walked.push(...body.events.map(({ title }: { title: string }) => title));
      next = body.next_rest_url;
      previous = body.previous_rest_url;
    }
    expect([walked, previous]).toEqual([['Beta'], undefined]);
    const { body } = await app.call('GET', '/events?per_page=2&page=3');
    expect(new URL(body.previous_rest_url).searchParams.get('page')).toBe('2');
    const second = await app.call('GET', '/events?per_page=2&page=2');
    expect(new URL(second.body.previous_rest_url).searchParams.has('page')).toBe(false);
  });

  const cases: readonly (readonly [string, (() => string) | string, readonly string[]])[] = [
    ['start_date alone', () => `start_date=${inDays(2)}`, ['Beta', 'Gamma', 'Part']],
    ['end_date alone', () => `end_date=${inDays(2)}`, ['Yesterday', 'Alpha', 'Beta']],
    ['a window', () => `start_date=${inDays(-50)}&end_date=${inDays(1)}`, ['Long ago', 'Yesterday', 'Alpha']],
    ['start_date beyond two years', () => `start_date=${inDays(800)}`, []],
    ['both beyond two years', () => `start_date=${inDays(800)}&end_date=${inDays(1000)}`, ['Far away']],
    ['start after end', () => `start_date=${inDays(5)}&end_date=${inDays(1)}`, []],
    ['starts_before', () => `starts_before=${inDays(1)}`, ['Long ago', 'Yesterday', 'Alpha']],
    ['starts_after', () => `starts_after=${inDays(2)}`, ['Gamma', 'Part', 'Far away']],
    ['ends_before', () => `ends_before=${inDays(-2)}`, ['Long ago']],
    ['ends_after', () => `ends_after=${inDays(5)}`, ['Part', 'Far away']],
    ['both kinds of dates', () => `starts_after=${inDays(0)}&end_date=${inDays(2)}`, ['Alpha', 'Beta']],
    ['an exact start', () => `strict_dates=true&start_date=${inDays(1)} 10:00:01`, ['Beta', 'Gamma', 'Part']],
    [
      'an exact bound',
      () => `strict_dates=yes&starts_before=${inDays(1)} 10:00:00`,
      ['Long ago', 'Yesterday'],
    ],
    [
      'a time that is lost',
      () => `strict_dates=0&start_date=${inDays(1)} 23:00:00`,
      ['Alpha', 'Beta', 'Gamma', 'Part'],
    ],
    ['search for words', 'search=fox quick', ['Gamma']],
    ['search with a common word', 'search=the fox', ['Gamma']],
    ['search for a phrase', 'search="brown fox"', ['Gamma']],
    ['search for a phrase that is not there', 'search="fox brown"', []],
    ['search without a word', 'search=a -alpha -gamma', ['Yesterday', 'Beta', 'Part']],
    ['search in the excerpt', 'search=JUMPS', ['Gamma']],
    ['a category and those below it', 'categories=music', ['Alpha', 'Beta']],
    ['a category by its name', 'categories=Jazz', ['Alpha']],
    ['an empty category', 'categories=empty', []],
    ['categories by id and slug', () => `categories[]=${ids['jazz']}&categories[]=empty`, ['Alpha']],
    ['several tags', 'tags=red,blue', ['Alpha', 'Beta']],
    ['a tag with an index', () => `tags[0]=${ids['blue']}`, ['Beta']],
    ['a venue', () => `venue=${ids['hall']}`, ['Alpha']],
    ['several venues', () => `venue=${ids['hall']},${ids['barn']}`, ['Alpha', 'Beta']],
    ['an organizer', () => `organizer=${ids['bob']}`, ['Beta']],
    ['several organizers', () => `organizer=${ids['bob']},${ids['ann']}`, ['Alpha', 'Beta']],
    ['featured', 'featured=true', ['Alpha']],
    ['not featured', 'featured=0', ['Yesterday', 'Beta', 'Gamma', 'Part']],
    [
      'ids outside the window',
      () => `include=${ids['Far away']},${ids['Long ago']},99999`,
      ['Long ago', 'Far away'],
    ],
    [
      'ids with a window that does not count',
      () => `include=${ids['Long ago']}&start_date=${inDays(0)}`,
      ['Long ago'],
    ],
    ['a hidden id', () => `include=${ids['Hidden']}`, []],
    ['a parent', () => `post_parent=${ids['Alpha']}`, ['Part']],
    ['tickets', 'ticketed=true', ['Beta']],
    ['no tickets', 'ticketed=false', ['Yesterday', 'Alpha', 'Gamma', 'Part']],
    ['coordinates', 'geoloc=true', ['Alpha', 'Beta']],
    ['no coordinates', 'geoloc=false', ['Yesterday', 'Gamma', 'Part']],
    ['a place', 'geoloc_lat=56.1&geoloc_lng=10.2', ['Beta']],
    [
      'a place and a distance, nearest first',
      'geoloc_lat=56.1&geoloc_lng=10.2&geoloc_distance=200',
      ['Beta', 'Alpha'],
    ],
  ];
  test.each(cases)('filters by %s', async (_what, query, expected) => {
    const reply = await app.call('GET', `/events?${typeof query === 'string' ? query : query()}`);
    expect([reply.status, names(reply)]).toEqual([200, expected]);
  });

  test.each([
    'page=0',
    'page=-1',
    'page=abc',
    'per_page=2.5',
    'per_page=',
    'start_date=',
    'start_date=soon',
    'starts_before=2027-02-30',
    'strict_dates=',
    'search=',
    'categories=music,nowhere',
    'tags=99999',
    'venue=hall',
    'venue=99999',
    'organizer=bob',
    'featured=yes',
    'status=draft',
    'status=any',
    'status=publish,nonsense',
    'include=',
    'include=abc',
    'post_parent=99999',
    'geoloc=maybe',
    'geoloc_lat=55',
    'geoloc_lng=12',
    'geoloc_lat=91&geoloc_lng=1',
    'translation_language=en',
  ])('refuses %s', async (query) => {
    expect(outcome(await app.call('GET', `/events?${query}`))).toEqual([400, 'rest_invalid_param']);
  });

  test('lowers per_page to 50, and answers 404 beyond the last page', async () => {
    const { body } = await app.call('GET', '/events?per_page=500');
    expect(new URL(body.rest_url).searchParams.get('per_page')).toBe('50');
    expect(outcome(await app.call('GET', '/events?page=9'))).toEqual([404, 'event-archive-page-not-found']);
    const empty = await app.call('GET', '/events?search=nothinglikethis');
    expect([empty.status, empty.body.events, empty.body.total, empty.body.total_pages]).toEqual([
      200,
      [],
      0,
      0,
    ]);
  });

  test('shows unpublished events to those who may read them', async () => {
    const draft = {
      title: 'Own draft',
      start_date: `${inDays(7)} 10:00`,
      end_date: `${inDays(7)} 11:00`,
      status: 'draft',
    };
    await app.create('events', draft, 'author');
    const seen = async (as: Person) => {
      const reply = await app.call('GET', '/events?start_date=2020-01-01', { as });
      return [
        names(reply).filter((title) => /draft/i.test(title)),
        new URL(reply.body.rest_url).searchParams.get('status'),
      ];
    };
    expect(await seen('editor')).toEqual([['Draft', 'Own draft'], 'any']);
    expect(await seen('author')).toEqual([['Own draft'], 'any']);
    expect(await seen('otherAuthor')).toEqual([[], 'any']);
    expect(await seen('contributor')).toEqual([[], 'any']);
    expect(await seen('reader')).toEqual([[], 'publish']);
    const next = await app.call('GET', '/events?per_page=1', { as: 'editor' });
    const followed = await app.call('GET', next.body.next_rest_url.slice(app.root.length), { as: 'editor' });
    expect([followed.status, followed.body.total]).toEqual([200, next.body.total]);
    expect(names(await app.call('GET', '/events?status=draft,private', { as: 'author' }))).toEqual([
      'Own draft',
    ]);
  });
});
