import { describe, expect, test } from 'vitest';
import { names, outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const site = 'https://calendar.example.org';

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
    const bySlug = await app.change(`/${collection}/by-slug/${slug}`, {
      phone: '',
      description: '',
      image: '',
    });
    expect([
      bySlug.status,
      Object.keys(bySlug.body).filter((key) => ['phone', 'description', 'image'].includes(key)),
    ]).toEqual([200, []]);
    const refused = await app.change(`/${collection}/${id}`, { website: null });
    expect(outcome(refused)).toEqual([400, 'rest_invalid_param']);
  });

  test('goes to the trash, once', async () => {
    const gone = await app.create(collection, { [kind]: 'Gone' });
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
  });

  test('is found by words in any order, with accents and marks as written', async () => {
    await app.create(collection, { [kind]: 'Zebra', phone: '+45 (123) 4', description: 'in the Åland zoo' });
    const found = async (query: string) => names(await app.call('GET', `/${collection}?search=${query}`));
    expect([await found('123'), await found('zoo åland'), await found('zebra zoo')]).toEqual([
      ['Zebra'],
      ['Zebra'],
      [],
    ]);
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

  test('translates its name', async () => {
    const { id } = await app.create(collection, { [kind]: 'House' });
    await app.change(`/${collection}/${id}?translation_language=sv`, { [kind]: 'Huset' });
    const read = async (query: string) => (await app.call('GET', `/${collection}/${id}${query}`)).body[kind];
    expect([
      await read(''),
      await read('?translation_language=sv'),
      await read('?translation_language=da'),
    ]).toEqual(['House', 'Huset', 'House']);
    const found = async (query: string) => names(await app.call('GET', `/${collection}?search=${query}`));
    expect([await found('huset'), await found('huset&translation_language=sv')]).toEqual([[], ['Huset']]);
    expect(await found('house&translation_language=sv')).toEqual([]);
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
      'id',
      'author',
      'status',
      'date',
      'date_utc',
      'modified',
      'modified_utc',
      'url',
      'venue',
      'description',
      'slug',
      'address',
      'city',
      'country',
      'province',
      'state',
      'zip',
      'phone',
      'website',
      'stateprovince',
      'geo_lat',
      'geo_lng',
      'json_ld',
      'show_map',
      'show_map_link',
      'global_id',
      'global_id_lineage',
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
  });
});
