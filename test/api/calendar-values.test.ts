import { describe, expect, test } from 'vitest';
import { names, outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };

describe('values that are refused', () => {
  test.each([
    ['events', { title: null, ...times }, ['title']],
    ['venues', { venue: null, city: 'x' }, ['venue']],
    ['organizers', { organizer: null }, ['organizer']],
    ['categories', { name: null }, ['name']],
  ])('POST /%s of %j misses what is null', async (collection, body, params) => {
    const reply = await app.call('POST', `/${collection}`, { as: 'editor', body });
    expect([outcome(reply), reply.body.data]).toEqual([
      [400, 'rest_missing_callback_param'],
      { status: 400, params },
    ]);
  });

  test.each([
    ['zip', 5000, false],
    ['description', 5, false],
    ['author', 'x', false],
    ['status', 'nothing', false],
    ['zip', null, true],
    ['image', null, true],
    ['date', 1_800_000_000, true],
    ['show_map', ['1'], true],
  ])('a venue with %s of %j; whether that tells the type apart: %s', async (name, value, isType) => {
    const { body } = await app.call('POST', '/venues', { as: 'editor', body: { venue: 'x', [name]: value } });
    const { params, details } = body.data;
    const message = expect.any(String);
    const detail = { code: 'rest_invalid_type', message, data: { param: name } };
    expect([params, details]).toEqual([{ [name]: message }, isType ? { [name]: detail } : []]);
  });

  test.each([
    '/tags?search=0',
    '/tags?order=0',
    '/tags?orderby=',
    '/tags?slug=',
    '/tags?include=',
    '/tags?exclude=,',
    '/categories?include[]=',
    '/venues?search=0',
    '/venues?status=',
    '/venues?status[]=publish&status[]=draft',
    '/venues?page=1.5',
    '/venues?per_page=1e',
  ])('GET %s', async (path) => {
    expect(outcome(await app.call('GET', path))).toEqual([400, 'rest_invalid_param']);
  });

  test.each([
    ['/categories', { name: '0' }],
    ['/tags', { name: 'x', slug: '0' }],
    ['/tags', { name: ['x'] }],
  ])('POST %s of %j', async (path, body) => {
    expect(outcome(await app.call('POST', path, { as: 'editor', body }))).toEqual([
      400,
      'rest_invalid_param',
    ]);
  });
});

describe('an unknown id', () => {
  test.each(['categories', 'tags', 'venues', 'organizers'])(
    'of %s is told together with bad fields',
    async (of) => {
      const body = { name: '', slug: 5, venue: '', organizer: '' };
      const reply = await app.call('PATCH', `/${of}/99999`, { body });
      const fields = { venues: ['venue'], organizers: ['organizer'] }[of] ?? ['name', 'slug'];
      expect([reply.status, Object.keys(reply.body.data.params)]).toEqual([400, ['id', ...fields]]);
    },
  );
});

describe('values that are taken', () => {
  test('statuses of a list in all the forms of lists', async () => {
    for (const status of ['draft', 'private', 'publish'])
      await app.create('organizers', { organizer: `Status ${status}`, status });
    const found = async (query: string) =>
      names(await app.call('GET', `/organizers?search=status&${query}`, { as: 'editor' })).toSorted();
    const two = ['Status draft', 'Status private'];
    expect(await found('status=draft,+private')).toEqual(two);
    expect(await found('status[]=draft&status[]=private')).toEqual(two);
    expect(names(await app.call('GET', '/organizers?search=status&status[]=publish'))).toEqual([
      'Status publish',
    ]);
  });

  test('whole numbers in any spelling', async () => {
    const { body } = await app.call('GET', '/venues?page=1.0&per_page=%2B7');
    expect(body.rest_url).toBe(`${app.root}/venues/?page=1&per_page=7&status=publish`);
  });

  test('any text for whether a venue shows a map', async () => {
    const shown = async (show_map: unknown) =>
      (await app.create('venues', { venue: 'Mapped', show_map })).show_map;
    expect(await Promise.all(['YES', 'on', true, 1, 'perhaps', '', 0].map(shown))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('what makes the slug of a term for its id, where it lists nothing', async () => {
    await app.create('tags', { name: 'Åben Scene' });
    const { status, body } = await app.call('GET', '/tags?hide_empty=0&include=%C3%85ben+Scene');
    expect([status, body.tags]).toEqual([200, []]);
  });

  test('contact texts and names of terms on one line', async () => {
    const venue = await app.create('venues', { venue: 'Lines', address: ' 5  Road,\r\n\tTown <b>A</b> ' });
    const tag = await app.create('tags', { name: 'Two\n  words' });
    expect([venue.address, tag.name, tag.slug]).toEqual(['5 Road, Town A', 'Two words', 'two-words']);
  });

  test('a body without a media type as a form', async () => {
    const body = new Blob(['name=Untyped&description=from+a+form']);
    const response = await fetch(`${app.root}/tags`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.token('editor')}` },
      body,
    });
    expect([response.status, await response.json()]).toEqual([
      201,
      expect.objectContaining({ name: 'Untyped', description: 'from a form' }),
    ]);
  });

  test('texts with half of a character, which stands as a replacement character', async () => {
    expect((await app.create('venues', { venue: 'Cut \ud83d' })).venue).toBe('Cut \ufffd');
  });

  test('no method that there is not in the place of POST', async () => {
    const reply = await app.call('POST', '/tags?_method=delet', { as: 'editor', body: { name: 'Not made' } });
    expect([outcome(reply), names(await app.call('GET', '/tags?hide_empty=0&search=not-made'))]).toEqual([
      [404, 'rest_no_route'],
      [],
    ]);
  });
});

describe('slugs and names', () => {
  test('and descriptions show typographic characters', async () => {
    const { venue, slug, description } = await app.create('venues', {
      venue: 'Jazz - "Blue" & more...',
      description: 'It\'s <b>"here"</b> -- now & then',
    });
    expect([venue, slug, description]).toEqual([
      'Jazz &#8211; &#8220;Blue&#8221; &#038; more&#8230;',
      'jazz-blue-more',
      '<p>It&#8217;s <b>&#8220;here&#8221;</b> &#8212; now &#038; then</p>',
    ]);
  });

  test('reserve the words of feeds for events, venues and organizers only', async () => {
    const venue = await app.create('venues', { venue: 'Atom' });
    const category = await app.create('categories', { name: 'Feed' });
    expect([venue.slug, category.slug]).toEqual(['atom-2', 'feed']);
  });

  test('set terms of one name apart by slugs of their own', async () => {
    const first = await app.create('tags', { name: 'Fair' });
    const second = await app.create('tags', { name: 'fair', slug: 'fun-fair' });
    const third = await app.call('POST', '/tags', { as: 'editor', body: { name: 'Fair', slug: 'fun-fair' } });
    expect([second.slug, outcome(third), third.body.data.term_id]).toEqual([
      'fun-fair',
      [400, 'term_exists'],
      first.id,
    ]);
  });

  test('put as many parents behind a taken slug as it takes, and then a number that no term has', async () => {
    const art = await app.create('categories', { name: 'Art' });
    const music = await app.create('categories', { name: 'Music', parent: art.id });
    await app.create('categories', { name: 'Free', slug: 'free' });
    await app.create('categories', { name: 'Other', slug: 'free-music' });
    const below = await app.create('categories', { name: 'Free', parent: music.id });
    await app.create('tags', { name: 'Any', slug: 'free-2' });
    const beside = await app.create('categories', { name: 'Not it', slug: 'free' });
    expect([below.slug, beside.slug]).toEqual(['free-music-art', 'free-3']);
  });

  test('are made unique when a category takes a new parent and a taken slug at once', async () => {
    const up = await app.create('categories', { name: 'Up' });
    await app.create('categories', { name: 'Taken' });
    const moved = await app.create('categories', { name: 'Moved' });
    const body = { slug: 'taken', parent: up.id };
    const reply = await app.change(`/categories/${moved.id}`, body);
    expect([reply.status, reply.body.slug]).toEqual([200, 'taken-up']);
  });
});

describe('lists of categories', () => {
  test('show an empty one that holds a category with events, and all of an event', async () => {
    const top = await app.create('categories', { name: 'Holder' });
    const middle = await app.create('categories', { name: 'Holder 2', parent: top.id });
    const used = await app.create('categories', { name: 'Holder 3', parent: middle.id });
    const unused = await app.create('categories', { name: 'Holder 4', parent: used.id });
    await app.create('events', { title: 'x', ...times, categories: [used.id] });
    const draft = await app.create('events', {
      title: 'x',
      ...times,
      status: 'draft',
      categories: [unused.id],
    });
    const found = async (query: string) => {
      const reply = await app.call('GET', `/categories?${query}`, { as: 'editor' });
      return [reply.body.total, names(reply)];
    };
    expect(await found('search=holder')).toEqual([3, ['Holder', 'Holder 2', 'Holder 3']]);
    expect(await found(`parent=${top.id}`)).toEqual([1, ['Holder 2']]);
    expect(await found(`event=${draft.id}`)).toEqual([1, ['Holder 4']]);
    expect(await found('search=holder&orderby=ID&order=desc')).toEqual([
      3,
      ['Holder 3', 'Holder 2', 'Holder'],
    ]);
  });
});
