import { beforeAll, describe, expect, test } from 'vitest';
import { names, outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const site = 'https://calendar.example.org';
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };

describe('/categories', () => {
  test('creates a term with its address, and shows it alike everywhere', async () => {
    const top = await app.create('categories', { name: 'Music' });
    const reply = await app.call('POST', '/categories', {
      as: 'author',
      body: {
        name: 'Rock & <b>Roll</b>',
        parent: top.id,
        description: 'Loud <i>music</i><script>x</script>',
      },
    });
    const { id } = reply.body;
    const self = `${app.root}/categories/${id}`;
    expect([reply.status, reply.headers.get('location')]).toEqual([201, self]);
    const whole = {
      id,
      count: 0,
      description: 'Loud <i>music</i>x',
      name: 'Rock &amp; Roll',
      slug: 'rock-roll',
      taxonomy: 'tribe_events_cat',
      parent: top.id,
      meta: [],
      url: `${site}/events/category/music/rock-roll/`,
      urls: { self, collection: `${app.root}/categories`, up: `${app.root}/categories/${top.id}` },
    };
    expect(JSON.stringify(reply.body)).toBe(JSON.stringify(whole));
    expect((await app.call('GET', `/categories/${id}`)).body).toEqual(whole);
    expect((await app.call('GET', `/categories?hide_empty=0&include=${id}`)).body.categories).toEqual([
      whole,
    ]);
  });

  test('refuses a name that is taken under the same parent, and tells whose it is', async () => {
    const first = await app.create('categories', { name: 'Sport' });
    const again = await app.call('POST', '/categories', { as: 'editor', body: { name: 'sport' } });
    expect(again.body).toEqual({
      code: 'term_exists',
      message: again.body.message,
      data: { status: 400, term_id: first.id },
      additional_data: [first.id, first.id],
    });
    const below = await app.create('categories', { name: 'Sport', parent: first.id });
    const slug = await app.create('categories', { name: 'Other', slug: 'sport' });
    expect([below.slug, slug.slug]).toEqual(['sport-sport', 'sport-2']);
  });

  test('moves children to the parent of a category that is deleted, and events lose it', async () => {
    const a = await app.create('categories', { name: 'A' });
    const b = await app.create('categories', { name: 'B', parent: a.id });
    const c = await app.create('categories', { name: 'C', parent: b.id });
    const event = await app.create('events', { title: 'x', ...times, categories: [b.id, c.id] });
    const deleted = await app.call('DELETE', `/categories/${b.id}`, { as: 'editor' });
    expect([deleted.status, deleted.body.count, deleted.body.parent]).toEqual([200, 1, a.id]);
    for (const method of ['GET', 'DELETE', 'PUT'])
      expect(outcome(await app.call(method, `/categories/${b.id}`, { as: 'editor' }))).toEqual([
        400,
        'rest_invalid_param',
      ]);
    expect((await app.call('GET', `/categories/${c.id}`)).body).toMatchObject({
      parent: a.id,
      url: `${site}/events/category/a/c/`,
    });
    const { body } = await app.call('GET', `/events/${event.id}`);
    expect(body.categories.map(({ name }: { name: string }) => name)).toEqual(['C']);
    await app.call('DELETE', `/categories/${a.id}`, { as: 'editor' });
    expect((await app.call('GET', `/categories/${c.id}`)).body.parent).toBe(0);
    expect((await app.create('categories', { name: 'B' })).slug).toBe('b');
  });

  test('updates what is sent; renaming keeps the slug; no category is below itself', async () => {
    const a = await app.create('categories', { name: 'Up', description: 'text' });
    const b = await app.create('categories', { name: 'Down', parent: a.id });
    const renamed = await app.change(`/categories/${a.id}`, { name: 'Upper' });
    expect(renamed.body).toMatchObject({ name: 'Upper', slug: 'up', description: 'text' });
    for (const parent of [a.id, b.id])
      expect(outcome(await app.change(`/categories/${a.id}`, { parent }))).toEqual([
        400,
        'rest_invalid_param',
      ]);
    expect((await app.change(`/categories/${b.id}`, { parent: 0 })).body.parent).toBe(0);
    for (const body of [{ slug: 'up' }, { slug: 'up', parent: 0 }])
      expect(outcome(await app.change(`/categories/${b.id}`, body))).toEqual([400, 'duplicate_term_slug']);
  });

  test.each([
    ['nobody', undefined, { name: 'x' }, [401, 'rest_forbidden']],
    ['a contributor', 'contributor', { name: 'x' }, [403, 'rest_forbidden']],
    ['no name', 'editor', {}, [400, 'rest_missing_callback_param']],
    ['an empty name', 'editor', { name: '' }, [400, 'rest_invalid_param']],
    ['a name of blanks', 'editor', { name: '  ' }, [400, 'empty_term_name']],
    ['an unknown parent', 'editor', { name: 'x', parent: 99999 }, [400, 'rest_invalid_param']],
    ['parent 0', 'editor', { name: 'x', parent: 0 }, [400, 'rest_invalid_param']],
    ['an empty description', 'editor', { name: 'x', description: '' }, [400, 'rest_invalid_param']],
  ] as const)('refuses a create of %s', async (_what, as, body, expected) => {
    expect(outcome(await app.call('POST', '/categories', { ...(as ? { as } : {}), body }))).toEqual(expected);
  });

  test('has a colour in either length, until that is emptied', async () => {
    const { id, color } = await app.create('categories', { name: 'Coloured', color: '#AbC' });
    const change = async (body: object) => (await app.change(`/categories/${id}`, body)).body.color;
    expect([color, await change({ name: 'Renamed' }), await change({ color: ' 0B57A4' })]).toEqual([
      '#aabbcc',
      '#aabbcc',
      '#0b57a4',
    ]);
    expect(outcome(await app.change(`/categories/${id}`, { color: '#abcd' }))).toEqual([
      400,
      'rest_invalid_param',
    ]);
    expect(await change({ color: '' })).toBeUndefined();
  });

  test('has no by-slug paths', async () => {
    expect(outcome(await app.call('GET', '/categories/by-slug/music'))).toEqual([404, 'rest_no_route']);
  });
});

describe('/tags', () => {
  test('have no parent, and a name of their own', async () => {
    const tag = await app.create('tags', { name: 'Blue', parent: 5 });
    expect(tag).toEqual({
      id: tag.id,
      count: 0,
      description: '',
      name: 'Blue',
      slug: 'blue',
      taxonomy: 'post_tag',
      meta: [],
      url: `${site}/tag/blue/`,
      urls: { self: `${app.root}/tags/${tag.id}`, collection: `${app.root}/tags` },
    });
    expect(outcome(await app.call('POST', '/tags', { as: 'editor', body: { name: 'blue' } }))).toEqual([
      400,
      'term_exists',
    ]);
    expect(outcome(await app.call('POST', '/tags', { as: 'author', body: { name: 'Green' } }))).toEqual([
      403,
      'rest_forbidden',
    ]);
    expect(outcome(await app.call('GET', `/categories/${tag.id}`))).toEqual([400, 'rest_invalid_param']);
  });

  test('are translated, in events too', async () => {
    const { id } = await app.create('tags', { name: 'Free', description: 'No cost' });
    const event = await app.create('events', { title: 'x', ...times, tags: [id] });
    await app.change(`/tags/${id}?translation_language=da`, { name: 'Gratis' });
    const { body } = await app.call('GET', `/tags/${id}?translation_language=da`);
    expect([body.name, body.description, body.slug]).toEqual(['Gratis', 'No cost', 'free']);
    const zoo = await app.create('tags', { name: 'Zoo' });
    await app.change(`/tags/${zoo.id}?translation_language=da`, { name: 'Abe' });
    await app.change(`/events/${event.id}`, { tags: [id, zoo.id] });
    const inside = async (query: string) =>
      (await app.call('GET', `/events/${event.id}${query}`)).body.tags.map((tag: typeof zoo) => tag.name);
    expect([await inside(''), await inside('?translation_language=da')]).toEqual([
      ['Free', 'Zoo'],
      ['Abe', 'Gratis'],
    ]);
    expect(names(await app.call('GET', '/tags?search=gratis&translation_language=da'))).toEqual(['Gratis']);
    expect(names(await app.call('GET', '/tags?search=gratis'))).toEqual([]);
  });
});

describe('lists of terms', () => {
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    for (const [name, fields] of [
      ['Zulu', {}],
      ['Yankee', { description: 'aaa' }],
      ['Xray', { slug: 'first' }],
      ['Whiskey', {}],
    ] as const)
      ids[name] = (await app.create('tags', { name, ...fields })).id;
    for (const tags of [['Zulu'], ['Zulu', 'Yankee'], ['Xray', 'Zulu']])
      ids['event'] = (await app.create('events', { title: 'x', ...times, tags })).id;
    await app.create('events', { title: 'x', ...times, tags: ['Whiskey'], status: 'draft' });
  });

  test.each([
    [
      'unused ones too',
      (): string => `include=${tagsOfThisPart()}&hide_empty=false`,
      ['Whiskey', 'Xray', 'Yankee', 'Zulu'],
    ],
    [
      'used ones, in any case of asc',
      (): string => `include=${tagsOfThisPart()}&order=ASC`,
      ['Xray', 'Yankee', 'Zulu'],
    ],
    ['of a slug', (): string => 'slug=First', ['Xray']],
    ['of an event', (): string => `post=${ids['event']}`, ['Xray', 'Zulu']],
    ['of an event by its alias', (): string => `post=1&event=${ids['event']}`, ['Xray', 'Zulu']],
    ['with a text', (): string => 'search=ULU', ['Zulu']],
  ] as const)('%s', async (_what, query, expected) => {
    const reply = await app.call('GET', `/tags?${query()}`);
    expect([reply.status, names(reply)]).toEqual([200, expected]);
  });

  /** The tags of this part, so that those of other tests do not count. */
  function tagsOfThisPart(): string {
    return ['Zulu', 'Yankee', 'Xray', 'Whiskey'].map((name) => ids[name]).join(',');
  }

  test('pages on for ever, with links back', async () => {
    const { status, body } = await app.call('GET', '/tags?page=9&per_page=2&hide_empty=0');
    expect([status, body.tags, body.rest_url, body.next_rest_url]).toEqual([
      200,
      [],
      `${app.root}/tags/`,
      undefined,
    ]);
    expect(body.previous_rest_url).toBe(`${app.root}/tags/?per_page=2&hide_empty=0&page=8`);
  });

  test.each(['order=', 'include=99999', 'exclude=nowhere', 'hide_empty=maybe', 'post=99999', 'search='])(
    'refuse %s',
    async (query) => {
      expect(outcome(await app.call('GET', `/tags?${query}`))).toEqual([400, 'rest_invalid_param']);
    },
  );

  test.each<[string, object]>([
    ['a draft', { status: 'draft' }],
    ['private', { status: 'private' }],
    ['in the trash', { status: 'trash' }],
    ['behind a password', { access_password: 'sesame' }],
  ])('say nothing of an event that is %s to who may not see or open it', async (_state, fields) => {
    const { id } = await app.create('events', { title: 'Hidden', ...times, tags: ['Hidden'], ...fields });
    const asked = async (path: string, as?: 'editor') =>
      (await app.call('GET', path, { ...(as && { as }) })).status;
    for (const path of ['tags?post', 'categories?event', 'venues?event', 'organizers?event'])
      expect([await asked(`/${path}=${id}`), await asked(`/${path}=${id}`, 'editor')]).toEqual([400, 200]);
  });

  test('show the categories of a parent, the top for 0', async () => {
    const top = await app.create('categories', { name: 'Top of all' });
    await app.create('categories', { name: 'Below', parent: top.id });
    const found = async (query: string) => names(await app.call('GET', `/categories?hide_empty=0&${query}`));
    expect(await found(`parent=${top.id}`)).toEqual(['Below']);
    expect(await found('parent=0&search=top-of')).toEqual(['Top of all']);
    expect(outcome(await app.call('GET', '/categories?parent=99999'))).toEqual([400, 'rest_invalid_param']);
  });
});
