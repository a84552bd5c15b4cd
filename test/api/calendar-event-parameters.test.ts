import { beforeAll, describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const times = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' };
const created = { title: 'Open house', ...times };

/** Status, code and, where parameters are bad, their names. */
function refused({ status, body }: { status: number; body: { code?: string; data?: { params?: object } } }) {
  return [status, body.code, ...(body.data?.params === undefined ? [] : [Object.keys(body.data.params)])];
}

describe('parameters of an event that is not there', () => {
  const unknown = '/events/999999';
  const bySlug = '/events/by-slug/nothing';

  test.each([
    ['a bad value before the unknown id', 'PATCH', unknown, 'editor', { title: '' }, ['title']],
    ['a bad value before the unknown slug', 'PUT', bySlug, 'editor', { featured: 'x' }, ['featured']],
    ['a bad value before the right', 'POST', unknown, 'reader', { status: 'x' }, ['status']],
    [
      'an empty password before the unknown id',
      'GET',
      `${unknown}?password=`,
      undefined,
      undefined,
      ['password'],
    ],
    ['an empty password on delete', 'DELETE', `${unknown}?password=`, 'editor', undefined, ['password']],
    ['the unknown slug on delete', 'DELETE', bySlug, 'editor', undefined, ['slug']],
  ] as const)('tell %s', async (_what, method, path, as, body, names) => {
    const reply = await app.call(method, path, { ...(as ? { as } : {}), ...(body ? { body } : {}) });
    expect(refused(reply)).toEqual([400, 'rest_invalid_param', names]);
  });

  test.each([
    ['nobody is asked to sign in first', 'PATCH', unknown, undefined, { title: '' }, [401, 'rest_forbidden']],
    ['a reader has no right', 'PATCH', unknown, 'reader', { title: 'x' }, [403, 'rest_forbidden']],
    ['an editor is told by id', 'PATCH', unknown, 'editor', { title: 'x' }, [404, 'rest-event-not-found']],
    ['an editor is told by slug', 'PATCH', bySlug, 'editor', { title: 'x' }, [404, 'rest-event-not-found']],
    ['a contributor is told', 'DELETE', unknown, 'contributor', undefined, [404, 'rest-event-not-found']],
  ] as const)('are good: %s', async (_what, method, path, as, body, expected) => {
    const reply = await app.call(method, path, { ...(as ? { as } : {}), ...(body ? { body } : {}) });
    expect(refused(reply)).toEqual(expected);
  });

  test.each(['venues', 'organizers'])('are told together with the unknown id of %s', async (collection) => {
    const reply = await app.change(`/${collection}/999999`, { status: 'x' });
    expect(refused(reply)).toEqual([400, 'rest_invalid_param', ['id', 'status']]);
    const nobody = await app.call('PATCH', `/${collection}/by-slug/nothing`, { body: {} });
    expect(refused(nobody)).toEqual([400, 'rest_invalid_param', ['slug']]);
  });
});

describe('a tag', () => {
  test('is no category by its id, and a category is no tag', async () => {
    const { id: tag } = await app.create('tags', { name: 'Only a tag' });
    const { id: category } = await app.create('categories', { name: 'Only a category' });
    for (const [path, name] of [
      [`/events?categories=${tag}`, 'categories'],
      [`/events?tags=${category}`, 'tags'],
      [`/categories?include=${tag}`, 'include'],
      [`/tags?exclude=${category}`, 'exclude'],
      [`/categories?parent=${tag}`, 'parent'],
    ] as const)
      expect(refused(await app.call('GET', path))).toEqual([400, 'rest_invalid_param', [name]]);
    const event = await app.create('events', { ...created, categories: [tag], tags: [category] });
    expect([event.categories, event.tags]).toEqual([[], []]);
  });
});

describe('an empty password', () => {
  test('is refused by id, and says nothing by slug', async () => {
    const { id, slug } = await app.create('events', created);
    const patch = await app.change(`/events/${id}?password=`, {});
    expect(refused(patch)).toEqual([400, 'rest_invalid_param', ['password']]);
    expect((await app.call('GET', `/events/by-slug/${slug}?password=`)).status).toBe(200);
  });
});

describe('values of the wrong kind', () => {
  test('are missing where they are null and required', async () => {
    const body = { title: null, start_date: null, end_date: '2027-01-01', status: 'x' };
    const reply = await app.call('POST', '/events', { as: 'editor', body });
    expect([reply.status, reply.body.code, reply.body.data.params]).toEqual([
      400,
      'rest_missing_callback_param',
      ['title', 'start_date'],
    ]);
  });

  test.each([
    ['title', 5, false],
    ['title', ['a'], false],
    ['title', null, true],
    ['description', true, false],
    ['description', '0', false],
    ['excerpt', '0', false],
    ['description', null, true],
    ['status', 7, false],
    ['start_date', 5, true],
    ['start_date', true, false],
    ['start_date', ['2027-01-01'], false],
    ['end_date', 'soon', false],
    ['timezone', null, true],
    ['featured', 'yes', true],
    ['author', 'somebody', false],
    ['author', null, true],
    ['password', '0', false],
    ['password', null, true],
    ['venue', 'Hall', false],
  ])('%s of %j: wrong type in the details: %s', async (name, value, isType) => {
    const { id } = await app.create('events', created);
    const reply = await app.change(`/events/${id}`, { [name]: value });
    expect(refused(reply)).toEqual([400, 'rest_invalid_param', [name]]);
    expect(isType ? Object.keys(reply.body.data.details) : reply.body.data.details).toEqual(
      isType ? [name] : [],
    );
  });

  test.each([0, '0', '', false, null, []])('%j is no website', async (website) => {
    const event = await app.create('events', { ...created, website });
    expect(event.website).toBe(event.url);
  });
});

describe('links', () => {
  let organizer: number;
  beforeAll(async () => {
    organizer = (await app.create('organizers', { organizer: 'Board' })).id;
  });

  test.each([[[0]], [[null, '']], ['0'], [false], [[]], [{}], [[{}]]])('of %j are none', async (nothing) => {
    const event = await app.create('events', { ...created, venue: nothing, organizer: nothing });
    expect([event.venue, event.organizer]).toEqual([[], []]);
  });

  test('name a new record by an object whose id is empty', async () => {
    const event = await app.create('events', { ...created, venue: { id: '', venue: 'New hall' } });
    expect(event.venue.venue).toBe('New hall');
  });

  test.each([[''], [0], [null], [[]]])('with %j among others are refused', async (nothing) => {
    const body = { ...created, organizer: [organizer, nothing] };
    const reply = await app.call('POST', '/events', { as: 'editor', body });
    expect(refused(reply)).toEqual([400, 'rest_invalid_param', ['organizer']]);
  });
});

describe('terms', () => {
  test('may be called by a number, which is an id only as the last', async () => {
    const year = await app.create('categories', { name: '2026' });
    const other = await app.create('categories', { name: 'Other' });
    const categories = ['2026', String(other.id), '987654', '-1'];
    const event = await app.create('events', { ...created, categories });
    expect(event.categories.map(({ id }: { id: number }) => id)).toEqual([year.id, other.id]);
    expect((await app.call('GET', '/categories')).body.total).toBe(2);
  });
});

describe('commas', () => {
  test('separate terms in a text, and belong to the names of an array', async () => {
    const event = await app.create('events', {
      ...created,
      categories: 'Bread, Cheese',
      tags: ['Salt, Pepper'],
    });
    expect(event.categories.map(({ name }: { name: string }) => name)).toEqual(['Bread', 'Cheese']);
    expect(event.tags.map(({ name, slug }: Record<string, string>) => [name, slug])).toEqual([
      ['Salt, Pepper', 'salt-pepper'],
    ]);
  });
});

describe('list filters', () => {
  test.each([
    'categories=',
    'tags=,',
    'venue=',
    'organizer=',
    'include=0',
    'include=,',
    'include=-1',
    'include=1,x',
    'include=1e3',
    'include=0x1',
    'search=',
    'featured=',
    'status=',
    'status=,',
    'status=publish,draft',
    'page=0.5',
    'page=9999999999999999999',
    'start_date=',
    'end_date=soon',
  ])('refuse %s', async (query) => {
    const reply = await app.call('GET', `/events?${query}`);
    expect(refused(reply)).toEqual([400, 'rest_invalid_param', [query.slice(0, query.indexOf('='))]]);
  });
});

test('ids that are none are called so', async () => {
  const { body } = await app.call('GET', '/events?include=1,x');
  expect(body.data.params).toEqual({ include: 'must be ids' });
});

describe('list parameters', () => {
  test.each([
    ['status=publish,', { status: 'publish' }],
    ['page=1.0&per_page=05', { page: '1', per_page: '5' }],
    ['per_page=51.', { per_page: '50' }],
    ['start_date=2031/3/1&end_date=2031-03-05', { start_date: '2031-03-01 00:00:00' }],
    ['starts_after=first%20day%20of%20January%202031', { starts_after: '2031-01-01 23:59:59' }],
  ])('take %s', async (query, expected) => {
    const { status, body } = await app.call('GET', `/events?${query}`);
    const { searchParams } = new URL(body.rest_url);
    expect(status).toBe(200);
    for (const [name, value] of Object.entries(expected)) expect(searchParams.get(name)).toBe(value);
  });

  test('take words for the present day', async () => {
    const { body } = await app.call('GET', '/events?start_date=tomorrow&end_date=%2B1%20week');
    const bounds = ['start_date', 'end_date'].map((name) => new URL(body.rest_url).searchParams.get(name));
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    expect(bounds).toEqual([`${day(1)} 00:00:00`, `${day(7)} 23:59:59`]);
  });
});

describe('searches', () => {
  const titles = [
    'Round 7 of the chess cup',
    'Round 8 of the chess cup',
    "The mayor's tour",
    'Out of the box',
  ];
  beforeAll(() => Promise.all(titles.map((title) => app.create('events', { ...created, title }))));

  test.each([
    ['single digits count', 'round 7', ['Round 7 of the chess cup']],
    ['single letters do not', 'round x 8', ['Round 8 of the chess cup']],
    ['a plus sign separates', 'round%2B8', ['Round 8 of the chess cup']],
    ['quotation marks around words go', "'mayor' tour", ["The mayor's tour"]],
    ['common words alone are a phrase', 'the of', []],
    [
      'a phrase of common words is found as one',
      'of the',
      ['Round 7 of the chess cup', 'Round 8 of the chess cup', 'Out of the box'],
    ],
    ['ten words are a phrase', 'cup 7 chess round 1 2 3 4 5 6', []],
  ])('%s', async (_what, search, expected) => {
    const { body } = await app.call('GET', `/events?search=${search}`);
    const found = body.events.map(({ title }: { title: string }) => title.replace('&#8217;', "'"));
    expect(found.sort()).toEqual(expected.toSorted());
  });
});

describe('the address of the page', () => {
  test.each([
    ['publish', undefined, true],
    ['private', undefined, true],
    ['draft', undefined, false],
    ['pending', undefined, false],
    ['future', '2090-01-01 00:00:00', false],
    ['trash', undefined, false],
  ])('of an event that is %s', async (status, date, isBySlug) => {
    const body = { ...created, title: `It is ${status}`, status, ...(date === undefined ? {} : { date }) };
    const { id, slug, url, website } = await app.create('events', body);
    const site = 'https://calendar.example.org';
    const expected = isBySlug ? `${site}/event/${slug}/` : `${site}/?post_type=tribe_events&p=${id}`;
    expect([url, website]).toEqual([expected, expected]);
  });
});

describe('the price in linked data', () => {
  test.each([
    ['€12.50', '12.50'],
    ['0', '0'],
    ['0-10', '0 – 10'],
    ['By donation', undefined],
    ['', undefined],
  ])('of %j is %s', async (cost, price) => {
    const { id } = await app.create('events', { ...created, cost });
    const { body } = await app.call('GET', `/events/${id}`);
    expect(body.json_ld.offers?.price).toBe(price);
  });
});
