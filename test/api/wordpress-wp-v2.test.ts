/** What clients of The Events Calendar ask of WordPress's own API beside it: users, terms, and events as posts. */

import { beforeAll, describe, expect, test } from 'vitest';
import { type Person, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const root = () => `${new URL(app.root).origin}/wp-json/wp/v2`;
const dates = { start_date: '2031-05-01 19:00:00', end_date: '2031-05-01 21:00:00' };

async function call(method: string, path: string, as?: Person, body?: object) {
  const response = await fetch(path.startsWith('/?') ? new URL(path, app.root) : root() + path, {
    method,
    headers: {
      ...(as && { Authorization: `Bearer ${app.token(as)}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { status, headers } = response;
  return { status, headers, body: JSON.parse(await response.text()) };
}

describe('users/me', () => {
  test('is who is signed in', async () => {
    const before = await call('GET', '/users/me', 'author');
    expect([before.status, before.body]).toEqual([
      200,
      {
        id: expect.any(Number),
        name: 'Björn Berg',
        url: '',
        description: '',
        link: '',
        slug: expect.stringMatching(/^[\da-f-]{36}$/),
        avatar_urls: {},
        meta: [],
        _links: { self: [{ href: `${root()}/users/me` }] },
      },
    ]);
    expect(before.headers.get('cache-control')).toContain('private');
    expect(before.headers.get('x-tec-api-root')).toBe(root().replace('wp/v2', 'tribe/events/v1/'));
    const event = await app.create('events', { title: 'First', ...dates }, 'author');
    const after = await call('GET', '/users/me?context=edit', 'author');
    expect(String(after.body.id)).toBe(event.author);
    expect(before.body.id).toBe(after.body.id);
    expect([after.body.roles, after.body.capabilities]).toEqual([
      ['author'],
      {
        read: true,
        edit_tribe_events: true,
        publish_tribe_events: true,
        edit_others_tribe_events: false,
        upload_files: true,
      },
    ]);
  });

  test.each([
    ['reader', 'subscriber', [true, false, false, false]],
    ['contributor', 'contributor', [true, true, false, false]],
    ['author', 'author', [true, true, true, false]],
    ['editor', 'editor', [true, true, true, true]],
  ] as const)('says what a %s may do', async (person, role, may) => {
    const { body } = await call('GET', '/users/me?context=edit', person);
    const [read, edit_tribe_events, publish_tribe_events, edit_others_tribe_events] = may;
    expect([body.roles, body.capabilities]).toEqual([
      [role],
      {
        read,
        edit_tribe_events,
        publish_tribe_events,
        edit_others_tribe_events,
        upload_files: publish_tribe_events,
      },
    ]);
  });

  test('has no number for a reader, who is written nowhere', async () => {
    const latest = async () => (await app.call('GET', '/changes')).headers.get('etag');
    const before = await latest();
    expect((await call('GET', '/users/me', 'reader')).body.id).toBe(0);
    expect(await latest()).toBe(before);
  });

  test('is 401 for strangers', async () => {
    const { status, body } = await call('GET', '/users/me');
    expect([status, body.code, body.data]).toEqual([401, 'rest_not_logged_in', { status: 401 }]);
  });
});

describe.each([
  ['tags', 'tags', 'post_tag'],
  ['tribe_events_cat', 'categories', 'tribe_events_cat'],
])('%s', (path, collection, taxonomy) => {
  beforeAll(async () => {
    for (const number of ['000', '001']) await app.create(collection, { name: `${taxonomy} ${number}` });
  });

  test('lists terms that no event has, in the shape of WordPress', async () => {
    const { status, headers, body } = await call('GET', `/${path}?search=${taxonomy}+000`);
    const [{ id }] = body;
    expect([status, body]).toEqual([
      200,
      [
        {
          id: expect.any(Number),
          count: 0,
          description: '',
          name: `${taxonomy} 000`,
          link: expect.stringMatching(/^https:\/\/calendar\.example\.org\/.*-000\/$/),
          slug: expect.stringMatching(/-000$/),
          taxonomy,
          ...(collection === 'categories' ? { parent: 0 } : {}),
          meta: [],
          _links: {
            self: [{ href: `${root()}/${path}/${id}` }],
            collection: [{ href: `${root()}/${path}` }],
          },
        },
      ],
    ]);
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages'), headers.get('link')]).toEqual([
      '1',
      '1',
      null,
    ]);
    expect((await call('GET', `/${path}/${id}`)).body).toEqual(body[0]);
  });

  test('creates a term, whatever is sent empty with it, once', async () => {
    const fields = { name: 'Made & new', description: '', parent: 0, slug: '' };
    const { status, headers, body } = await call('POST', `/${path}`, 'editor', fields);
    expect([status, body.name, body.taxonomy]).toEqual([201, 'Made &amp; new', taxonomy]);
    expect(headers.get('location')).toBe(`${root()}/${path}/${body.id}`);
    const asTexts = { ...fields, name: 'Made of texts', parent: '0', slug: null };
    expect((await call('POST', `/${path}`, 'editor', asTexts)).status).toBe(201);
    const again = await call('POST', `/${path}`, 'editor', fields);
    expect([again.status, again.body.code, again.body.data]).toEqual([
      400,
      'term_exists',
      { status: 400, term_id: body.id },
    ]);
    expect((await call('POST', `/${path}`, undefined, fields)).status).toBe(401);
    expect((await call('POST', `/${path}`, 'reader', fields)).status).toBe(403);
    const allowed = async (as?: 'editor') => (await call('GET', `/${path}`, as)).headers.get('allow');
    expect([await allowed(), await allowed('editor')]).toEqual(['GET', 'GET, POST']);
  });

  test('takes every filter of the calendar that WordPress has too', async () => {
    const make = (fields: object): Promise<{ id: number; slug: string }> =>
      app.create(collection, { description: `of ${taxonomy}`, ...fields });
    const a = await make({ name: `Filter A ${taxonomy}`, slug: `z-${taxonomy}` });
    const b = await make({ name: `Filter B ${taxonomy}`, ...(path === 'tags' ? {} : { parent: a.id }) });
    const unused = await make({ name: `Unused ${taxonomy}` });
    const event = await app.create('events', { title: 'Of B', [collection]: [b.id], ...dates });
    const found = async (query: string) =>
      (await call('GET', `/${path}?${query}`)).body.map((term: { id: number }) => term.id);
    const search = `search=filter+&include=${a.id},${b.id}`;
    expect(await found(search)).toEqual([a.id, b.id]);
    expect(await found(`${search}&order=desc`)).toEqual([b.id, a.id]);
    expect(await found(`${search}&orderby=slug`)).toEqual([b.id, a.id]);
    expect(await found(`search=filter+&exclude=${a.id}`)).toEqual([b.id]);
    expect(await found(`include=${b.id},${unused.id}&hide_empty=true`)).toEqual([b.id]);
    expect(await found(`slug=${a.slug}`)).toEqual([a.id]);
    expect(await found(`post=${event.id}`)).toEqual([b.id]);
    if (path !== 'tags') expect(await found(`parent=${a.id}`)).toEqual([b.id]);
  });

  test('refuses filters and orders that it has not, and is never answered with everything', async () => {
    for (const query of [
      ...['include=999999', 'exclude=999999', 'post=999999', 'orderby=x', 'order=up', 'offset=1', 'slug='],
      ...(path === 'tags' ? [] : ['parent=999999']),
    ]) {
      const { status, body } = await call('GET', `/${path}?${query}`);
      expect([query, status, body.code]).toEqual([query, 400, 'rest_invalid_param']);
    }
    for (const query of ['slug=nothing', 'slug[]=nothing', 'search=nothing+of+the+kind'])
      expect([query, (await call('GET', `/${path}?${query}`)).body]).toEqual([query, []]);
  });

  test('finds several slugs', async () => {
    const made = [];
    for (const name of ['Several one', 'Several two'])
      made.push(await app.create(collection, { name: `${name} ${path}`, slug: `${name}-${path}` }));
    const slugs = made.map(({ slug }) => slug);
    for (const query of [`slug=${slugs.join(',')}`, slugs.map((slug) => `slug[]=${slug}`).join('&')]) {
      const { body } = await call('GET', `/${path}?${query}`);
      expect(body.map(({ slug }: { slug: string }) => slug)).toEqual(slugs);
    }
  });

  test('refuses what is no page, and cuts to _fields', async () => {
    for (const query of ['per_page=0', 'per_page=1x', 'page=0', 'page=x1', 'page=1.5', 'page=1234567890'])
      expect([query, (await call('GET', `/${path}?${query}`)).body.code]).toEqual([
        query,
        'rest_invalid_param',
      ]);
    const both = await call('GET', `/${path}?page=0&per_page=0`);
    expect(both.body.data.params).toEqual({ page: 'must be a whole number above 0' });
    const { body } = await call('GET', `/${path}?per_page=2&_fields=id,name`);
    expect(body).toEqual(Array(2).fill({ id: expect.any(Number), name: expect.any(String) }));
  });
});

describe('pages of terms', () => {
  const names = Array.from({ length: 121 }, (_, number) => `paged ${String(number).padStart(3, '0')}`);
  beforeAll(async () => {
    for (const name of names) await app.create('tags', { name });
  });

  test.each([
    [1, 10, 13],
    [2, 50, 3],
    [1, 55, 3],
    [2, 55, 3],
    [1, 100, 2],
    [2, 101, 2],
    [3, 500, 2],
  ])('page %i of %i per page', async (page, perPage, pages) => {
    const query = `page=${page}&per_page=${perPage}&search=paged`;
    const { status, headers, body } = await call('GET', `/tags?${query}`);
    const size = Math.min(perPage, 100);
    const expected = names.slice((page - 1) * size, page * size);
    expect([status, body.map(({ name }: { name: string }) => name)]).toEqual([200, expected]);
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['121', String(pages)]);
    expect(headers.get('link')?.includes('rel="next"') ?? false).toBe(page < pages);
    expect(headers.get('link')?.includes('rel="prev"') ?? false).toBe(page > 1);
  });
});

test('links between pages do not repeat the path that came in the query', async () => {
  const { status, headers } = await call('GET', '/?rest_route=/wp/v2/tags&search=paged&page=2');
  expect([status, headers.get('link')]).toEqual([
    200,
    `<${root()}/tags?search=paged&page=1>; rel="prev", <${root()}/tags?search=paged&page=3>; rel="next"`,
  ]);
});

test('a page beyond the last leads back to the last one', async () => {
  const { headers } = await call('GET', '/tags?search=paged&page=99');
  const pages = headers.get('x-wp-totalpages');
  expect(headers.get('link')).toBe(`<${root()}/tags?search=paged&page=${pages}>; rel="prev"`);
});

describe('tribe_events', () => {
  test('have an empty first page where nothing is found, and no second one', async () => {
    const first = await call('GET', '/tribe_events?search=nothing+of+the+kind');
    expect([first.status, first.body, first.headers.get('x-wp-totalpages')]).toEqual([200, [], '0']);
    const second = await call('GET', '/tribe_events?search=nothing+of+the+kind&page=2');
    expect([second.status, second.body.code]).toEqual([400, 'rest_post_invalid_page_number']);
  });

  test('are events as posts, those that are over too', async () => {
    const category = await app.create('categories', { name: 'Concerts' });
    const tag = await app.create('tags', { name: 'Loud' });
    const event = await app.create('events', {
      title: 'Over',
      description: 'Long ago.',
      excerpt: 'Ago.',
      image: 'https://www.example.org/a.jpg',
      start_date: '2001-05-01 19:00:00',
      end_date: '2001-05-01 21:00:00',
      categories: [category.id],
      tags: [tag.id],
      date: '2001-04-02 03:04:05',
      date_utc: '2001-04-01 18:04:05',
    });
    const { status, headers, body } = await call('GET', `/tribe_events?search=Over&_embed`);
    const post = {
      id: event.id,
      date: event.date.replace(' ', 'T'),
      date_gmt: event.date_utc.replace(' ', 'T'),
      guid: { rendered: event.url },
      modified: event.modified.replace(' ', 'T'),
      modified_gmt: event.modified_utc.replace(' ', 'T'),
      slug: 'over',
      status: 'publish',
      type: 'tribe_events',
      link: event.url,
      title: { rendered: 'Over' },
      content: { rendered: event.description, protected: false },
      excerpt: { rendered: event.excerpt, protected: false },
      author: Number(event.author),
      featured_media: expect.any(Number),
      comment_status: 'closed',
      ping_status: 'closed',
      template: '',
      meta: {},
      tags: [tag.id],
      tribe_events_cat: [category.id],
      _links: {
        self: [{ href: `${root()}/tribe_events/${event.id}` }],
        collection: [{ href: `${root()}/tribe_events` }],
        author: [{ embeddable: true, href: `${root()}/users/${event.author}` }],
        'wp:featuredmedia': [
          { embeddable: true, href: expect.stringMatching(new RegExp(`^${root()}/media/\\d+$`)) },
        ],
        'wp:term': [
          { taxonomy: 'post_tag', embeddable: true, href: `${root()}/tags?post=${event.id}` },
          {
            taxonomy: 'tribe_events_cat',
            embeddable: true,
            href: `${root()}/tribe_events_cat?post=${event.id}`,
          },
        ],
        curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
      },
    };
    expect([status, body]).toEqual([
      200,
      [
        {
          ...post,
          _embedded: {
            author: [expect.objectContaining({ id: Number(event.author), name: 'calendar.example.org' })],
            'wp:featuredmedia': [
              expect.objectContaining({
                id: expect.any(Number),
                media_type: 'image',
                alt_text: '',
                mime_type: 'image/jpeg',
                source_url: 'https://www.example.org/a.jpg',
                media_details: expect.objectContaining({ file: 'a.jpg' }),
              }),
            ],
            'wp:term': [
              [expect.objectContaining({ id: tag.id, name: 'Loud', taxonomy: 'post_tag' })],
              [expect.objectContaining({ id: category.id, name: 'Concerts', taxonomy: 'tribe_events_cat' })],
            ],
          },
        },
      ],
    ]);
    expect(headers.get('x-wp-total')).toBe('1');
    expect((await call('GET', `/tribe_events/${event.id}`)).body).toEqual(post);
    expect((await call('GET', '/tribe_events?slug=over')).body).toEqual([post]);
    expect((await call('GET', '/tribe_events?slug=nothing')).body).toEqual([]);
    for (const name of ['tribe_events_cat', 'categories'])
      expect((await call('GET', `/tribe_events?${name}=${category.id}`)).body).toEqual([post]);
    expect((await call('GET', `/tribe_events?categories=${category.id}&search=other`)).body).toEqual([]);
    expect((await call('GET', '/?rest_route=/wp/v2/tribe_events&slug=over')).body).toEqual([post]);
  });

  test('are found by the filters of the calendar that WordPress has too, the last first', async () => {
    const tag = await app.create('tags', { name: 'Found by it' });
    const ids: Record<string, number> = {};
    for (const [title, day, status, tags] of [
      ['Filtered B', '02', 'publish', [tag.id]],
      ['Filtered C', '01', 'publish', []],
      ['Filtered A', '03', 'draft', [tag.id]],
    ] as const) {
      const at = { start_date: `2031-05-${day} 19:00:00`, end_date: `2031-05-${day} 21:00:00` };
      ids[title] = (await app.create('events', { title, status, tags, ...at })).id;
    }
    const found = async (query: string) => {
      const { body } = await call('GET', `/tribe_events?${query}`, 'editor');
      return body.map(({ title }: { title: { rendered: string } }) => title.rendered.at(-1));
    };
    expect(await found('search=filtered')).toEqual(['A', 'B', 'C']);
    expect(await found('search=filtered&order=asc')).toEqual(['C', 'B', 'A']);
    expect(await found('search=filtered&orderby=title')).toEqual(['C', 'B', 'A']);
    expect(await found('search=filtered&status=draft')).toEqual(['A']);
    expect(await found(`status=publish,draft&tags=${tag.id}`)).toEqual(['A', 'B']);
    expect(await found(`include=${ids['Filtered C']}`)).toEqual(['C']);
    expect(await found('search=filtered&start_date=2031-05-02&venue=1&featured=true')).toEqual([
      'A',
      'B',
      'C',
    ]);
  });

  test('are found by slugs, together with other filters, hidden ones too', async () => {
    const tag = await app.create('tags', { name: 'Of slugs' });
    const one = await app.create('events', { title: 'Slug one', tags: [tag.id], ...dates });
    const two = await app.create('events', { title: 'Slug two', hide_from_listings: true, ...dates });
    const found = async (query: string) =>
      (await call('GET', `/tribe_events?order=asc&${query}`)).body.map(({ id }: { id: number }) => id);
    expect(await found('slug=slug-one,slug-two,none')).toEqual([one.id, two.id]);
    expect(await found('slug[]=slug-two&slug[]=none')).toEqual([two.id]);
    expect(await found(`slug=slug-one,slug-two&tags=${tag.id}`)).toEqual([one.id]);
    expect(await found(`slug=slug-one,slug-two&include=${two.id}`)).toEqual([two.id]);
    for (const none of ['slug=none', 'slug[]=none', `slug=slug-one&include=${two.id}`])
      expect(await found(none)).toEqual([]);
    for (const query of ['tags=999999', 'tribe_events_cat=none', 'categories=999999', 'order=up']) {
      const { status, body } = await call('GET', `/tribe_events?${query}`);
      expect([query, status, body.code]).toEqual([query, 400, 'rest_invalid_param']);
    }
  });

  test('are sorted by relevance to a search, and by no order that the calendar has not', async () => {
    const make = (title: string, description: string) =>
      app.create('events', { title, description, ...dates }).then(({ id }) => id);
    const inText = await make('Something', 'With a grand opening.');
    const words = await make('Opening that is grand', '');
    const whole = await make('The Grand Opening', '');
    const found = async (query: string) =>
      (await call('GET', `/tribe_events?search=grand+opening&orderby=relevance&${query}`)).body.map(
        ({ id }: { id: number }) => id,
      );
    expect(await found('order=desc')).toEqual([whole, words, inText]);
    expect(await found('per_page=1&page=2')).toEqual([words]);
    const none = await call('GET', '/tribe_events?orderby=relevance');
    expect([none.status, none.body.code]).toEqual([400, 'rest_no_search_term_defined']);
    for (const orderby of ['author', 'x']) {
      const { status, body } = await call('GET', `/tribe_events?orderby=${orderby}`);
      expect([status, body.data.params]).toEqual([400, { orderby: expect.any(String) }]);
    }
  });

  test('take every text and the state of an event, plain or as raw', async () => {
    const event = await app.create('events', { title: 'Every field', ...dates });
    const path = `/tribe_events/${event.id}`;
    const fields = {
      content: { raw: '<p>Its words.</p>' },
      excerpt: 'Few words.',
      slug: 'every',
      status: 'draft',
    };
    const { status, body } = await call('POST', path, 'editor', fields);
    expect([status, body.content.rendered.trim(), body.excerpt.rendered, body.slug, body.status]).toEqual([
      200,
      '<p>Its words.</p>',
      (await app.call('GET', `/events/${event.id}`, { as: 'editor' })).body.excerpt,
      'every',
      'draft',
    ]);
    expect(body.excerpt.rendered).toContain('Few words.');
    const emptied = await call('POST', path, 'editor', { content: { raw: '' } });
    expect([emptied.status, emptied.body.content.rendered]).toEqual([200, '']);
    const image = 'https://www.example.org/b.jpg';
    const shown = await call('POST', path, 'editor', { featured_media: image, start_date: '2040-01-01' });
    expect([shown.status, shown.body.featured_media > 0]).toEqual([200, true]);
    const after = (await app.call('GET', `/events/${event.id}`, { as: 'editor' })).body;
    expect([after.image.url, after.start_date]).toEqual([image, dates.start_date]);
  });

  test('take terms and texts, with the rights of the calendar', async () => {
    const event = await app.create('events', { title: 'Changing', ...dates }, 'author');
    const tag = await app.create('tags', { name: 'Added' });
    const category = await app.create('categories', { name: 'Added too' });
    const terms = { tags: [tag.id], tribe_events_cat: [category.id] };
    const fields = { ...terms, title: { raw: 'Changed' }, featured_media: 0, comment_status: 'open' };
    const { status, body } = await call('POST', `/tribe_events/${event.id}`, 'author', fields);
    expect([status, body.title, body.tags, body.tribe_events_cat, body.featured_media]).toEqual([
      200,
      { rendered: 'Changed' },
      [tag.id],
      [category.id],
      0,
    ]);
    expect((await call('POST', `/tribe_events/${event.id}`, 'otherAuthor', terms)).status).toBe(403);
    expect((await call('POST', `/tribe_events/${event.id}`, undefined, terms)).status).toBe(401);
  });

  test('hide what a password protects, and drafts', async () => {
    const secret = { description: 'Nobody knows', access_password: 'pass word' };
    const { id } = await app.create('events', { title: 'Protected', ...secret, ...dates });
    expect((await call('GET', `/tribe_events/${id}`)).status).toBe(403);
    const { content } = (await call('GET', `/tribe_events/${id}?password=pass+word`)).body;
    expect(content.rendered).toContain('Nobody knows');
    const [body] = (await call('GET', `/tribe_events?include=${id}`)).body;
    expect([body.content, JSON.stringify(body).includes('Nobody')]).toEqual([
      { rendered: '', protected: true },
      false,
    ]);
    const draft = await app.create('events', { title: 'Draft', status: 'draft', ...dates });
    expect((await call('GET', `/tribe_events/${draft.id}`)).status).toBe(403);
    expect((await call('GET', '/tribe_events?slug=draft')).body).toEqual([]);
  });

  test('have no page beyond the last, and none that are not there', async () => {
    const beyond = await call('GET', '/tribe_events?page=99');
    expect([beyond.status, beyond.body.code]).toEqual([400, 'rest_post_invalid_page_number']);
    expect((await call('GET', '/tribe_events/999999')).status).toBe(404);
  });
});

test.each(['/settings', '/users', '/users/x', '/tribe_venue'])('%s is not there', async (path) => {
  for (const method of ['GET', 'POST']) {
    const { status, body } = await call(method, path, 'editor');
    expect([status, body.code]).toEqual([404, 'rest_no_route']);
  }
});

describe('what a reply shows', () => {
  const embedded = {
    event: ['author', 'date', 'excerpt', 'featured_media', 'id', 'link', 'slug', 'title', 'type'],
    term: ['id', 'link', 'name', 'slug', 'taxonomy'],
    author: ['avatar_urls', 'description', 'id', 'link', 'name', 'slug', 'url'],
    media: [
      ...[
        'alt_text',
        'author',
        'caption',
        'date',
        'featured_media',
        'id',
        'link',
        'media_details',
        'media_type',
      ],
      ...['mime_type', 'slug', 'source_url', 'title', 'type'],
    ],
  };
  let event: { id: number; author: string };
  let parent: { id: number };
  let category: { id: number };
  beforeAll(async () => {
    parent = await app.create('categories', { name: 'Shown above' });
    category = await app.create('categories', { name: 'Shown below', parent: parent.id });
    const image = 'https://www.example.org/shown.jpg';
    const terms = { categories: [category.id], tags: ['Shown tag'] };
    event = await app.create('events', { title: 'Shown & told', image, ...terms, ...dates });
  });
  const fieldsOf = (record: object) =>
    Object.keys(record)
      .filter((name) => name !== '_links')
      .sort();

  test('in the context embed is less', async () => {
    const one = await call('GET', `/tribe_events/${event.id}?context=embed`);
    expect(fieldsOf(one.body)).toEqual(embedded.event);
    const [listed] = (await call('GET', `/tribe_events?include=${event.id}&context=embed`)).body;
    expect(listed).toEqual(one.body);
    expect(fieldsOf((await call('GET', `/tribe_events_cat/${category.id}?context=embed`)).body)).toEqual(
      embedded.term,
    );
    expect(fieldsOf((await call('GET', `/media/${one.body.featured_media}?context=embed`)).body)).toEqual(
      embedded.media,
    );
    expect(fieldsOf((await call('GET', `/users/${event.author}?context=embed`)).body)).toEqual(
      embedded.author,
    );
    for (const path of ['/tribe_events', '/tags', '/media', '/posts', `/users/${event.author}`]) {
      const { status, body } = await call('GET', `${path}?context=x`);
      expect([path, status, body.data.params]).toEqual([path, 400, { context: expect.any(String) }]);
    }
  });

  test.each([
    ['_embed', ['author', 'wp:featuredmedia', 'wp:term']],
    ['_embed=1', ['author', 'wp:featuredmedia', 'wp:term']],
    ['_embed=true', ['author', 'wp:featuredmedia', 'wp:term']],
    ['_embed=author,wp:term', ['author', 'wp:term']],
    ['_embed[]=author&_embed[]=wp:featuredmedia', ['author', 'wp:featuredmedia']],
    ['_embed=author&_fields=id,_embedded', ['author']],
  ])('with %s has %j', async (query, relations) => {
    const { body } = await call('GET', `/tribe_events/${event.id}?${query}`);
    expect(Object.keys(body._embedded)).toEqual(relations);
    const [listed] = (await call('GET', `/tribe_events?include=${event.id}&${query}`)).body;
    expect(listed).toEqual(body);
  });

  test('has the records that it links to in the context embed', async () => {
    const { _embedded } = (await call('GET', `/tribe_events/${event.id}?_embed`)).body;
    const [author] = _embedded.author;
    const [media] = _embedded['wp:featuredmedia'];
    const [[tag], [term]] = _embedded['wp:term'];
    expect([author, media, tag, term].map(fieldsOf)).toEqual([
      embedded.author,
      embedded.media,
      embedded.term,
      embedded.term,
    ]);
    expect([tag.name, term.id]).toEqual(['Shown tag', category.id]);
    const { body } = await call('GET', `/tribe_events_cat/${category.id}?_embed`);
    expect([body._embedded.up[0].id, fieldsOf(body._embedded.up[0])]).toEqual([parent.id, embedded.term]);
    expect((await call('GET', `/tribe_events_cat/${parent.id}?_embed`)).body._embedded).toBeUndefined();
    const other = await call('GET', `/tribe_events/${event.id}?_embed=other`);
    expect(other.body._embedded).toBeUndefined();
  });

  test('has nothing that a password hides, and what cannot be shown as its refusal', async () => {
    const hidden = {
      access_password: 'hidden',
      tags: ['Hidden tag'],
      image: 'https://www.example.org/h.jpg',
    };
    const { id } = await app.create('events', { title: 'Hidden', ...hidden, ...dates });
    const [listed] = (await call('GET', `/tribe_events?include=${id}&_embed`)).body;
    expect(Object.keys(listed._embedded)).toEqual(['author']);
    expect(JSON.stringify(listed)).not.toMatch(/hidden tag|h\.jpg/i);
    const opened = (await call('GET', `/tribe_events/${id}?_embed&password=hidden`)).body;
    expect(opened._embedded['wp:featuredmedia']).toEqual([
      { code: 'rest_post_invalid_id', message: expect.any(String), data: { status: 404 } },
    ]);
  });

  test('of an author is the name of the site', async () => {
    const { status, body } = await call('GET', `/users/${event.author}`);
    expect([status, body.name]).toEqual([200, 'calendar.example.org']);
    const none = await call('GET', '/users/999999');
    expect([none.status, none.body.code]).toEqual([404, 'rest_user_invalid_id']);
  });

  test('is cut to parts of fields, and may be in an envelope', async () => {
    const query = `include=${event.id}&_fields=title.rendered,_links.self`;
    const { headers, body } = await call('GET', `/tribe_events?${query}`);
    const self = [{ href: `${root()}/tribe_events/${event.id}` }];
    expect(body).toEqual([{ title: { rendered: 'Shown &#038; told' }, _links: { self } }]);
    const wrapped = await call('GET', `/tribe_events?${query}&_envelope`);
    expect(wrapped.body).toMatchObject({ body, status: 200, headers: { 'X-WP-Total': '1' } });
    expect(headers.get('x-wp-total')).toBe('1');
  });
});

describe('context=edit', () => {
  const people = [undefined, 'reader', 'contributor', 'author', 'otherAuthor', 'editor'] as const;
  const answers = async (path: string) => {
    const replies = await Promise.all(people.map((person) => call('GET', path, person)));
    for (const { status, body } of replies)
      if (status !== 200) expect([status, body.code]).toEqual([status, 'rest_forbidden_context']);
    return replies.map(({ status }) => status);
  };

  test.each([
    ['/tribe_events', [401, 403, 200, 200, 200, 200]],
    ['/media', [401, 403, 200, 200, 200, 200]],
    ['/tribe_events_cat', [401, 403, 403, 200, 200, 200]],
    ['/tags', [401, 403, 403, 403, 403, 200]],
    ['/posts', [401, 403, 200, 200, 200, 200]],
    ['/pages', [401, 403, 403, 403, 403, 200]],
  ])('is for those who may edit any of %s', async (path, statuses) => {
    expect(await answers(`${path}?context=edit`)).toEqual(statuses);
    expect(await answers(`${path}?context=view`)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  test('is for those who may edit the event, the term or the author', async () => {
    const event = await app.create('events', { title: 'Edited', ...dates, status: 'draft' }, 'author');
    const editing = `/tribe_events/${event.id}?context=edit`;
    expect(await answers(editing)).toEqual([401, 403, 403, 200, 403, 200]);
    await app.change(`/events/${event.id}`, { status: 'publish' }, 'author');
    expect(await answers(editing)).toEqual([401, 403, 403, 200, 403, 200]);
    const ofContributor = await app.create('events', { title: 'Own', ...dates }, 'contributor');
    expect(await answers(`/tribe_events/${ofContributor.id}?context=edit`)).toEqual([
      401, 403, 200, 403, 403, 200,
    ]);
    const term = await app.create('categories', { name: 'Edited' });
    expect(await answers(`/tribe_events_cat/${term.id}?context=edit`)).toEqual([
      401, 403, 403, 200, 200, 200,
    ]);
    expect(await answers(`/users/${event.author}?context=edit`)).toEqual([401, 403, 403, 200, 403, 200]);
    const unknown = await Promise.all(
      people.map((person) => call('GET', '/tribe_events/999999999?context=edit', person)),
    );
    expect(unknown.map(({ status }) => status)).toEqual(people.map(() => 404));
  });

  test('opens a protected event to those who may edit it', async () => {
    const fields = { title: 'Closed', description: 'Behind it', ...dates, access_password: 'x' };
    const event = await app.create('events', fields, 'editor');
    const editing = `/tribe_events/${event.id}?context=edit`;
    expect(await answers(editing)).toEqual([401, 403, 403, 403, 403, 200]);
    expect((await call('GET', editing, 'editor')).body.content.rendered).toContain('Behind it');
    expect((await call('GET', `/tribe_events/${event.id}`, 'editor')).body.code).toBe(
      'event-password-protected',
    );
  });
});
