/** How a write treats the values that it is sent: zero and empty, several new records at once, the trash and back. */

import { beforeAll, describe, expect, test } from 'vitest';
import { names, outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };

const change = (path: string, body: object, query = '') => app.change(path + query, body);

const contacts = [
  { kind: 'venue', collection: 'venues' },
  { kind: 'organizer', collection: 'organizers' },
] as const;

describe.each(contacts)('a $kind that is in the trash', ({ kind, collection }) => {
  let gone = 0;
  let open = 0;
  beforeAll(async () => {
    gone = (await app.create(collection, { [kind]: 'Gone' })).id;
    open = (await app.create(collection, { [kind]: 'Open' })).id;
    await app.call('DELETE', `/${collection}/${gone}`, { as: 'editor' });
  });

  test('cannot be linked in any form, on create and on update', async () => {
    const { id } = await app.create('events', { title: 'Linking', ...times, [kind]: open });
    for (const link of [
      gone,
      String(gone),
      { id: gone },
      [gone],
      [{ id: gone }],
      [open, gone],
      `${open},${gone}`,
    ])
      for (const [method, path] of [
        ['POST', '/events'],
        ['PATCH', `/events/${id}`],
      ] as const) {
        const body = { title: 'Linking', ...times, [kind]: link };
        const reply = await app.call(method, path, { as: 'editor', body });
        expect([outcome(reply), Object.keys(reply.body.data.params)]).toEqual([
          [400, 'rest_invalid_param'],
          [kind],
        ]);
      }
    const { body } = await app.call('GET', `/events/${id}`);
    expect([body[kind]].flat().map((item: { id: number }) => item.id)).toEqual([open]);
  });
});

describe.each(contacts)('a $kind that comes back from the trash', ({ kind, collection }) => {
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    ids['back'] = (await app.create(collection, { [kind]: 'Came back', geo_lat: 1, geo_lng: 1 })).id;
    ids['other'] = (await app.create(collection, { [kind]: 'Always there' })).id;
    const fields = { title: 'Lost link', ...times, description: 'Lost', [kind]: [ids['back'], ids['other']] };
    ids['event'] = (await app.create('events', fields)).id;
    await app.call('DELETE', `/${collection}/${ids['back']}`, { as: 'editor' });
    await change(`/${collection}/${ids['back']}`, { status: 'publish' });
  });

  test('is no longer linked, in no list and no representation', async () => {
    const found = async (query: string) => names(await app.call('GET', query));
    expect(await found(`/events?${kind}=${ids['back']}`)).toEqual([]);
    expect(await found(`/events?${kind}=${ids['other']}`)).toEqual(['Lost link']);
    expect(await found(`/events?${kind}=${ids['back']},${ids['other']}`)).toEqual(['Lost link']);
    expect(await found(`/${collection}?event=${ids['event']}`)).toEqual(['Always there']);
    expect(await found(`/${collection}?search=came+back&has_events=1`)).toEqual([]);
    expect(await found(`/${collection}?search=came+back&only_with_upcoming=1`)).toEqual([]);
    for (const path of [`/events/${ids['event']}`, `/events.ics?include=${ids['event']}`])
      expect(JSON.stringify((await app.call('GET', path)).body)).not.toContain('Came back');
    if (kind === 'venue') expect(await found(`/events?geoloc=true&include=${ids['event']}`)).toEqual([]);
  });

  test('is linked again only by a write, and stays so', async () => {
    const path = `/events/${ids['event']}`;
    const linked = async () => {
      const { body } = await app.call('GET', path);
      return [body[kind]].flat().map((item: { id: number }) => item.id);
    };
    await change(path, { description: 'Something else' });
    expect(await linked()).toEqual([ids['other']]);
    await change(path, { [kind]: [ids['back'], ids['other']] });
    await change(path, { description: 'Something else again' });
    expect(await linked()).toEqual([ids['back'], ids['other']]);
    expect(names(await app.call('GET', `/events?${kind}=${ids['back']}`))).toEqual(['Lost link']);
    await change(`/${collection}/${ids['back']}`, { status: 'draft' });
    await change(`/${collection}/${ids['back']}`, { status: 'publish' });
    expect(await linked()).toEqual([ids['back'], ids['other']]);
    for (const status of ['trash', 'private', 'publish'])
      await change(`/${collection}/${ids['back']}`, { status });
    expect(await linked()).toEqual([ids['other']]);
    expect(names(await app.call('GET', `/events?${kind}=${ids['back']}`))).toEqual([]);
    await change(path, { [kind]: [ids['other'], ids['back']] });
    expect(await linked()).toEqual([ids['other'], ids['back']]);
    expect(names(await app.call('GET', `/events?${kind}=${ids['back']}`))).toEqual(['Lost link']);
  });
});

describe('slugs of records that go to the trash and come back', () => {
  test.each([
    ['events', { title: 'Trash twice', ...times }],
    ['venues', { venue: 'Trash twice' }],
    ['organizers', { organizer: 'Trash twice' }],
  ])('of /%s are unique there too, and free again afterwards', async (collection, fields) => {
    const a = await app.create(collection, fields);
    const b = await app.create(collection, fields);
    const slugs = async (status: string) => {
      const found = [];
      for (const { id } of [a, b]) found.push((await change(`/${collection}/${id}`, { status })).body.slug);
      return found;
    };
    expect([a.slug, b.slug]).toEqual(['trash-twice', 'trash-twice-2']);
    expect(await slugs('trash')).toEqual(['trash-twice__trashed', 'trash-twice-2__trashed']);
    const c = await app.create(collection, fields);
    expect(c.slug).toBe('trash-twice');
    await app.call('DELETE', `/${collection}/${c.id}`, { as: 'editor' });
    expect(
      (await app.call('GET', `/${collection}/by-slug/trash-twice__trashed-2`, { as: 'editor' })).status,
    ).not.toBe(400);
    expect((await change(`/${collection}/${a.id}`, { website: '' })).body.slug).toBe('trash-twice__trashed');
    expect(await slugs('publish')).toEqual(['trash-twice', 'trash-twice-2']);
  });
});

describe('several new records in one write', () => {
  const names = ({ organizer, venue }: { organizer?: string; venue?: string }) => organizer ?? venue;

  test.each(contacts)('each have a slug of their own: $kind', async ({ kind }) => {
    const made = [{ [kind]: 'Same name' }, { [kind]: 'same  NAME' }, { [kind]: 'Same name' }];
    const event = await app.create('events', { title: 'Many', ...times, [kind]: made });
    expect(event[kind].map(({ slug }: { slug: string }) => slug)).toEqual([
      'same-name',
      'same-name-2',
      'same-name-3',
    ]);
    expect(new Set(event[kind].map(({ id }: { id: number }) => id)).size).toBe(3);
    for (const { slug, id } of event[kind])
      expect((await app.call('GET', `/${kind}s/by-slug/${slug}`)).body.id).toBe(id);
    expect(event[kind].map(names)).toEqual(['Same name', 'same  NAME', 'Same name']);
  });

  test('share an image of one address, and have one each of two', async () => {
    const first = 'https://images.example.org/1.png';
    const second = 'https://images.example.org/2.png';
    const event = await app.create('events', {
      title: 'Pictured',
      ...times,
      image: first,
      venue: { venue: 'Pictured', image: first },
      organizer: [
        { organizer: 'A', image: second },
        { organizer: 'B', image: first },
        { organizer: 'C', image: second },
      ],
    });
    const [a, b, c] = event.organizer;
    expect(event.venue.image).toEqual(event.image);
    expect([b.image, c.image]).toEqual([event.image, a.image]);
    expect([event.image.url, a.image.url, a.image.id === event.image.id]).toEqual([first, second, false]);
  });

  test.each(['categories', 'tags'])('share a term of one name or slug: %s', async (of) => {
    const asked = ['Fresh term', 'fresh  TERM', 'fresh-term', 'Another term'];
    const event = await app.create('events', { title: 'Termed', ...times, [of]: asked });
    expect(event[of].map(({ slug }: { slug: string }) => slug)).toEqual(['another-term', 'fresh-term']);
    const { body } = await app.call('GET', `/${of}?search=fresh`);
    expect([body.total, body[of][0].count]).toEqual([1, 1]);
  });

  test('make one author of a user who writes for the first time', async () => {
    const fields = { title: 'First write', ...times, venue: { venue: 'V' }, organizer: [{ organizer: 'O' }] };
    const event = await app.create('events', fields, 'otherAuthor');
    expect([event.venue.author, event.organizer[0].author]).toEqual([event.author, event.author]);
    expect((await app.create('events', fields, 'otherAuthor')).author).toBe(event.author);
  });
});

describe('zero on update', () => {
  test.each([0, '0', '0.0', -0])('sets coordinates to the equator and Greenwich: %j', async (zero) => {
    const { id } = await app.create('venues', { venue: 'Island', geo_lat: 55.5, geo_lng: 12.5 });
    const { body } = await change(`/venues/${id}`, { geo_lat: zero, geo_lng: zero });
    expect([body.geo_lat, body.geo_lng]).toEqual([0, 0]);
    expect((await change(`/venues/${id}`, { city: 'x' })).body).toMatchObject({ geo_lat: 0, geo_lng: 0 });
  });

  test('and the ends of the scale are coordinates', async () => {
    const { id } = await app.create('venues', { venue: 'Ends', geo_lat: 90, geo_lng: 180 });
    const { body } = await change(`/venues/${id}`, { geo_lat: -90, geo_lng: -180 });
    expect([body.geo_lat, body.geo_lng]).toEqual([-90, -180]);
    for (const [name, value] of [
      ['geo_lat', 90.001],
      ['geo_lat', -90.001],
      ['geo_lng', 180.001],
      ['geo_lng', -180.001],
    ])
      expect(outcome(await change(`/venues/${id}`, { [String(name)]: value }))).toEqual([
        400,
        'rest_invalid_param',
      ]);
  });

  test.each(['', ' ', null, 'north', [1], true, 'NaN', 'Infinity'])(
    'coordinates are not %j',
    async (value) => {
      const { id } = await app.create('venues', { venue: 'Placed', geo_lat: 1, geo_lng: 2 });
      for (const name of ['geo_lat', 'geo_lng']) {
        const { status, body } = await change(`/venues/${id}`, { [name]: value });
        expect([status, Object.keys(body.data.params)]).toEqual([400, [name]]);
      }
    },
  );

  test.each([0, '0'])('makes a cost free: %j', async (cost) => {
    const { id } = await app.create('events', { title: 'Costs', ...times, cost: 5 });
    expect((await change(`/events/${id}`, { cost })).body.cost).toBe('Free');
    expect((await app.create('events', { title: 'Costs', ...times, cost })).cost).toBe('Free');
  });

  test('takes a flag, a parent event and a map away', async () => {
    const parent = await app.create('events', { title: 'Parent', ...times });
    const flags = {
      sticky: true,
      featured: true,
      show_map: true,
      show_map_link: true,
      hide_from_listings: true,
    };
    const { id } = await app.create('events', { title: 'Flags', ...times, ...flags, post_parent: parent.id });
    const zeros = Object.fromEntries(Object.keys(flags).map((name) => [name, 0]));
    const { body } = await change(`/events/${id}`, { ...zeros, post_parent: 0 });
    expect(body).toMatchObject(Object.fromEntries(Object.keys(flags).map((name) => [name, false])));
    expect((await app.call('GET', `/events?post_parent=${parent.id}`)).body.total).toBe(0);
    const venue = await app.create('venues', { venue: 'Mapped' });
    expect((await change(`/venues/${venue.id}`, { show_map: 0, show_map_link: '0' })).body).toMatchObject({
      show_map: false,
      show_map_link: false,
    });
  });
});

describe('empty on update', () => {
  const venueTexts = [
    'address',
    'city',
    'country',
    'province',
    'state',
    'zip',
    'phone',
    'website',
    'stateprovince',
  ];
  const organizerTexts = ['phone', 'website', 'email'];
  test.each([
    ['venues', 'venue', [...venueTexts, 'description']],
    ['organizers', 'organizer', [...organizerTexts, 'description']],
  ] as const)('clears each text of /%s, and nothing else', async (collection, kind, texts) => {
    const all = Object.fromEntries(
      texts.map((name) => [name, name === 'website' ? 'https://example.org/' : `x ${name}`]),
    );
    const withoutTimes = ({ modified: _, modified_utc: __, ...rest }: Record<string, unknown>) => rest;
    const before = withoutTimes(await app.create(collection, { [kind]: 'Full', ...all }));
    const path = `/${collection}/${before['id']}`;
    for (const name of texts) {
      const cleared = withoutTimes((await change(path, { [name]: '' })).body);
      const { [name]: _, ...others } = before;
      const shown = name === 'stateprovince' ? { stateprovince: 'x province' } : {};
      expect(cleared).toEqual({ ...others, ...shown });
      expect(withoutTimes((await change(path, { [name]: all[name] })).body)).toEqual(before);
    }
  });

  test.each(['title', 'description', 'excerpt'])(
    'lets the default %s of an event show through again',
    async (name) => {
      const fields = { title: 'Default title', description: 'Default text', excerpt: 'Default short' };
      const { id } = await app.create('events', { ...fields, ...times });
      const path = `/events/${id}`;
      const danish = '?translation_language=da';
      const read = async () => (await app.call('GET', path + danish)).body;
      const original = (await read())[name];
      await change(path, { [name]: 'Dansk' }, danish);
      expect((await read())[name]).toContain('Dansk');
      if (name === 'title') return;
      const cleared = await change(path, { [name]: '' }, danish);
      expect([cleared.body[name], (await read())[name]]).toEqual([original, original]);
      expect((await app.call('GET', path)).body[name]).toBe(original);
    },
  );

  test.each([
    ['venues', { venue: 'Default' }],
    ['organizers', { organizer: 'Default' }],
    ['tags', { name: 'Default' }],
    ['categories', { name: 'Default' }],
  ])('lets the default description of one of /%s show through again', async (collection, fields) => {
    const { id } = await app.create(collection, { ...fields, description: 'Default text' });
    const path = `/${collection}/${id}`;
    const read = async () => (await app.call('GET', `${path}?translation_language=sv`)).body.description;
    const original = await read();
    await change(path, { description: 'Svensk' }, '?translation_language=sv');
    expect(await read()).toContain('Svensk');
    await change(path, { description: '' }, '?translation_language=sv');
    expect(await read()).toBe(original);
  });

  test.each(['', ' '])(
    'and %j for a time zone are that of the site, on create and update',
    async (timezone) => {
      const created = await app.create('events', { title: 'Zoned', ...times, timezone });
      expect([created.timezone, created.utc_start_date]).toEqual(['UTC', times.start_date]);
      const { id } = await app.create('events', { title: 'Zoned', ...times, timezone: 'Asia/Tokyo' });
      const { body } = await change(`/events/${id}`, { timezone });
      expect([body.timezone, body.start_date, body.utc_start_date]).toEqual([
        'UTC',
        times.start_date,
        times.start_date,
      ]);
    },
  );

  test('takes links, terms, cost, image and password away, one at a time', async () => {
    const all = {
      title: 'Emptied',
      ...times,
      categories: ['E'],
      tags: ['E'],
      cost: '5',
      access_password: 'sesame',
      description: 'E',
      excerpt: 'E',
      featured: true,
      sticky: true,
      status: 'publish',
      venue: { venue: 'E' },
      organizer: [{ organizer: 'E' }],
      website: 'https://example.org/',
      image: 'https://images.example.org/e.png',
    };
    const nothings: [string, unknown, unknown][] = [
      ['venue', '', []],
      ['organizer', [], []],
      ['categories', '', []],
      ['tags', [], []],
      ['cost', '', ''],
      ['website', '', 'https://calendar.example.org/event/emptied/'],
      ['image', false, false],
      ['description', '', ''],
      ['excerpt', '', ''],
      ['featured', false, false],
    ];
    const before = await app.create('events', all);
    const path = `/events/${before.id}`;
    let expected = before;
    for (const [name, nothing, shown] of nothings) {
      const { body } = await change(path, { [name]: nothing });
      expected = { ...expected, [name]: shown, modified: body.modified, modified_utc: body.modified_utc };
      if (name === 'cost')
        expected = {
          ...expected,
          cost_details: { ...before.cost_details, currency_symbol: '', currency_position: '', values: [] },
        };
      expect(body).toEqual(expected);
    }
    expect((await app.call('GET', path)).status).toBe(403);
    await change(path, { access_password: '' });
    expect((await app.call('GET', path)).status).toBe(200);
  });
});

describe('an event in the hour that clocks show twice', () => {
  const second = {
    title: 'Second pass',
    timezone: 'Europe/Copenhagen',
    start_date: '2027-10-31T01:30:00Z',
    end_date: '2027-10-31T01:45:00Z',
  };
  const of = ({ start_date, utc_start_date, end_date, utc_end_date }: Record<string, string>) =>
    [start_date, utc_start_date, end_date, utc_end_date].map((text) => text?.slice(11, 16));
  const expected = ['02:30', '01:30', '02:45', '01:45'];

  test.each([
    ['the same time zone', { timezone: 'Europe/Copenhagen' }, expected],
    ['another field', { title: 'x' }, expected],
    ['its own flag', { all_day: false }, expected],
    ['another end', { end_date: '2027-10-31T01:50:00Z' }, ['02:30', '01:30', '02:50', '01:50']],
    [
      'another time zone of the same offset',
      { timezone: 'Europe/Paris' },
      ['02:30', '00:30', '02:45', '00:45'],
    ],
  ])('is written with %s', async (_what, body, dates) => {
    const event = await app.create('events', second);
    expect(of(event)).toEqual(expected);
    expect(of((await change(`/events/${event.id}`, body)).body)).toEqual(dates);
  });
});
