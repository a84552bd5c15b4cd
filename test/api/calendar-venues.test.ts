import { describe, expect, test } from 'vitest';
import { names, outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const site = 'https://calendar.example.org';
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const times = { start_date: `${tomorrow} 10:00:00`, end_date: `${tomorrow} 12:00:00` };

/** Venues and organizers differ in their name's key and their contact fields, and are alike in the rest. */
const kinds = [
  { kind: 'venue', collection: 'venues', shown: { show_map: true, show_map_link: true } },
  { kind: 'organizer', collection: 'organizers', shown: {} },
] as const;

describe.each(kinds)('/$collection', ({ kind, collection, shown }) => {
  test('creates a bare record whose empty keys are absent', async () => {
    const reply = await app.call('POST', `/${collection}`, {
      as: 'editor',
      body: { [kind]: 'Bare & simple', date: '2026-01-02' },
    });
    const { id, slug } = reply.body;
    expect(reply.status).toBe(201);
    expect(JSON.stringify(reply.body)).toBe(
      JSON.stringify({
        id,
        author: '1',
        status: 'publish',
        date: '2026-01-02 00:00:00',
        date_utc: '2026-01-02 00:00:00',
        modified: '2026-01-02 00:00:00',
        modified_utc: '2026-01-02 00:00:00',
        url: `${site}/${kind}/bare-simple/`,
        [kind]: 'Bare &#038; simple',
        slug,
        ...shown,
        global_id: `calendar.example.org?id=${id}`,
        global_id_lineage: [`calendar.example.org?id=${id}`],
      }),
    );
  });

  test('creates a new record when the name is taken, and leaves the other one untouched', async () => {
    const first = await app.create(collection, { [kind]: 'Twice', phone: '1' });
    const second = await app.create(collection, { [kind]: 'twice', phone: '2' });
    expect([second.slug, second.id === first.id]).toEqual(['twice-2', false]);
    expect((await app.call('GET', `/${collection}/${first.id}`)).body.phone).toBe('1');
  });

  test('updates what is sent, by id and by slug; an empty text clears, null is refused', async () => {
    const { id, slug } = await app.create(collection, {
      [kind]: 'Changing',
      phone: '1',
      website: 'https://example.org/',
      description: 'text',
      image: 'https://images.example.org/a.jpg',
    });
    const byId = await app.call('PUT', `/${collection}/${id}`, { as: 'editor', body: { phone: '2' } });
    expect(byId.body).toMatchObject({
      phone: '2',
      website: 'https://example.org/',
      description: '<p>text</p>',
      image: { extension: 'jpg' },
    });
    const bySlug = await app.call('PATCH', `/${collection}/by-slug/${slug}`, {
      as: 'editor',
      body: { phone: '', description: '', image: '' },
    });
    expect([
      bySlug.status,
      Object.keys(bySlug.body).filter((key) => ['phone', 'description', 'image'].includes(key)),
    ]).toEqual([200, []]);
    const refused = await app.call('PATCH', `/${collection}/${id}`, {
      as: 'editor',
      body: { website: null },
    });
    expect(outcome(refused)).toEqual([400, 'rest_invalid_param']);
  });

  test('unlinks from its events for good when it goes to the trash, and nothing else', async () => {
    const gone = await app.create(collection, { [kind]: 'Gone' });
    const stays = await app.create(collection, { [kind]: 'Stays' });
    const event = await app.create('events', { title: 'Linked', ...times, [kind]: [gone.id, stays.id] });
    const linked = async () => {
      const { body } = await app.call('GET', `/events/${event.id}`);
      return [body[kind]].flat().map((item: Record<string, string>) => item[kind]);
    };
    expect(await linked()).toEqual(['Gone', 'Stays']);
    const trashed = await app.call('DELETE', `/${collection}/${gone.id}`, { as: 'editor' });
    expect([trashed.status, trashed.body.status, trashed.body.url]).toEqual([
      200,
      'trash',
      `${site}/?post_type=tribe_${kind}&p=${gone.id}`,
    ]);
    expect(outcome(await app.call('DELETE', `/${collection}/${gone.id}`, { as: 'editor' }))).toEqual([
      410,
      `${kind}-is-in-trash`,
    ]);
    await app.call('PATCH', `/${collection}/${gone.id}`, { as: 'editor', body: { status: 'publish' } });
    expect(await linked()).toEqual(['Stays']);
    await app.call('PATCH', `/events/${event.id}`, { as: 'editor', body: { [kind]: [gone.id] } });
    expect(await linked()).toEqual(['Gone']);
  });

  test('lists newest publications first, and filters', async () => {
    const old = await app.create(collection, {
      [kind]: 'Old zebra',
      date: '2001-01-01',
      website: 'https://striped.example.org/',
      phone: '+45 (123) 4',
    });
    await app.create(collection, {
      [kind]: 'New zebra',
      date: '2002-01-01',
      description: 'in the Åland zoo',
    });
    await app.create(collection, { [kind]: 'Draft zebra', status: 'draft' });
    const event = await app.create('events', { title: 'Zebras', ...times, [kind]: old.id });
    const found = async (query: string) => names(await app.call('GET', `/${collection}?${query}`));
    expect(await found('search=zebra')).toEqual(['New zebra', 'Old zebra']);
    expect(await found('search=zebra&has_events=yes')).toEqual(['Old zebra']);
    expect(await found('search=zebra&has_events=false')).toEqual(['New zebra']);
    expect(await found('search=zebra&only_with_upcoming=1')).toEqual(['Old zebra']);
    expect(await found(`event=${event.id}`)).toEqual(['Old zebra']);
    expect(await found('search=123')).toEqual(['Old zebra']);
    expect(await found('search=striped.example')).toEqual(kind === 'venue' ? [] : ['Old zebra']);
    expect(await found('search=zoo åland')).toEqual(['New zebra']);
    expect(await found('search=zebra zoo')).toEqual([]);
    const none = await app.call('GET', `/${collection}?search=unicorn`);
    expect([none.body[collection], none.body.total]).toEqual([[], 0]);
  });

  test.each(['search=', 'event=99999', 'status=draft', 'page=0'])(
    'refuses the list with %s',
    async (query) => {
      expect(outcome(await app.call('GET', `/${collection}?${query}`))).toEqual([400, 'rest_invalid_param']);
    },
  );

  test('answers 404 beyond the last page, with filters in its links', async () => {
    expect(outcome(await app.call('GET', `/${collection}?page=99`))).toEqual([
      404,
      `${kind}-archive-page-not-found`,
    ]);
    const { body } = await app.call('GET', `/${collection}?per_page=1&search=z&only_with_upcoming=0`);
    expect(body.rest_url).toBe(
      `${app.root}/${collection}/?page=1&per_page=1&status=publish&search=z&only_with_upcoming=0`,
    );
  });

  test.each(['GET', 'PUT', 'DELETE'])('%s of an unknown id or slug is 400 for everybody', async (method) => {
    for (const path of ['99999', 'by-slug/nowhere']) {
      for (const as of [undefined, 'editor'] as const)
        expect(outcome(await app.call(method, `/${collection}/${path}`, as ? { as } : {}))).toEqual([
          400,
          'rest_invalid_param',
        ]);
    }
  });

  test('hides what is not published, in lists, alone and inside events', async () => {
    const { id } = await app.create(collection, { [kind]: 'Not yet', status: 'draft' });
    const event = await app.create('events', { title: 'With a draft', ...times, [kind]: id });
    expect(outcome(await app.call('GET', `/${collection}/${id}`))).toEqual([403, `${kind}-not-accessible`]);
    expect((await app.call('GET', `/${collection}/${id}`, { as: 'editor' })).status).toBe(200);
    expect((await app.call('GET', `/events/${event.id}`)).body[kind]).toEqual([]);
    expect(names(await app.call('GET', `/${collection}?search=yet`))).toEqual([]);
  });

  test('translates its name', async () => {
    const { id } = await app.create(collection, { [kind]: 'House' });
    await app.call('PATCH', `/${collection}/${id}?translation_language=sv`, {
      as: 'editor',
      body: { [kind]: 'Huset' },
    });
    const read = async (query: string) => (await app.call('GET', `/${collection}/${id}${query}`)).body[kind];
    expect([
      await read(''),
      await read('?translation_language=sv'),
      await read('?translation_language=da'),
    ]).toEqual(['House', 'Huset', 'House']);
  });
});

describe('venues', () => {
  test('show every field, in order, and a state or province', async () => {
    const fields = {
      venue: 'Whole',
      description: 'About',
      address: '5 & 6 <b>Road</b>',
      city: 'Town',
      country: 'Denmark',
      province: 'Fyn',
      state: 'NY',
      zip: '5000',
      phone: '12',
      website: 'https://example.org/?a=1&b=2',
      geo_lat: '55.5',
      geo_lng: 0,
      show_map: 'no',
      show_map_link: false,
    };
    const { id, slug } = await app.create('venues', fields);
    const { body } = await app.call('GET', `/venues/by-slug/${slug}`);
    const { json_ld, ...rest } = body;
    expect(Object.keys(body)).toEqual([
      ...[
        ...['id', 'author', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'url', 'venue'],
        ...['description', 'slug'],
      ],
      ...[
        ...['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website'],
        ...['stateprovince', 'geo_lat', 'geo_lng'],
      ],
      ...['json_ld', 'show_map', 'show_map_link', 'global_id', 'global_id_lineage'],
    ]);
    expect(rest).toMatchObject({
      id,
      address: '5 & 6 Road',
      stateprovince: 'Fyn',
      geo_lat: 55.5,
      geo_lng: 0,
      show_map: false,
      show_map_link: false,
    });
    expect(json_ld).toMatchObject({
      '@type': 'Place',
      address: { addressRegion: 'Fyn', postalCode: '5000' },
      sameAs: fields.website,
    });
    const american = await app.create('venues', {
      venue: 'US',
      country: 'United States',
      state: 'NY',
      province: 'x',
    });
    expect(american.stateprovince).toBe('NY');
  });

  test.each([
    ['zip', 5000],
    ['website', 'example.com'],
    ['geo_lat', 91],
    ['geo_lng', 'east'],
    ['venue', ''],
  ])('refuse %s of %j', async (name, value) => {
    const reply = await app.call('POST', '/venues', { as: 'editor', body: { venue: 'x', [name]: value } });
    expect([reply.status, Object.keys(reply.body.data.params)]).toEqual([400, [name]]);
  });
});
