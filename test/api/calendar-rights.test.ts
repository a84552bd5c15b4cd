/**
 * The readers of each part of a record, in each of its representations: alone, by slug, in lists, in others, as linked data, in the feed,
 * in replies to writes.
 */

import { beforeAll, describe, expect, test } from 'vitest';
import { names, outcome, type Person, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };
const later = '2090-01-01 00:00:00';

const callers = ['nobody', 'reader', 'contributor', 'otherAuthor', 'author', 'editor'] as const;
type Asker = (typeof callers)[number];
const as = (caller: Asker): { as?: Person } => (caller === 'nobody' ? {} : { as: caller });

const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;
const kinds = [
  { kind: 'event', collection: 'events', fields: (name: string) => ({ title: name, ...times }) },
  { kind: 'venue', collection: 'venues', fields: (name: string) => ({ venue: name }) },
  { kind: 'organizer', collection: 'organizers', fields: (name: string) => ({ organizer: name }) },
] as const;
const everyStatus = kinds.flatMap((kind) => statuses.map((status) => ({ ...kind, status })));

/** Creates a record of a status; one that is published later has a date. */
function inStatus(collection: string, fields: object, status: string, owner: Person = 'author') {
  const date = status === 'future' ? { date: later } : {};
  return app.create(collection, { ...fields, status, ...date }, owner);
}

describe.each(everyStatus)(
  'one of /$collection whose status is $status',
  ({ kind, collection, fields, status }) => {
    const name = `Record that is ${status}`;
    const search = `search=record+${status}&per_page=50`;
    const isTrashedEvent = kind === 'event' && status === 'trash';
    const readers: readonly Asker[] =
      status === 'publish'
        ? callers
        : isTrashedEvent
          ? []
          : status === 'trash'
            ? ['editor']
            : ['author', 'editor'];
    const refusal = [403, isTrashedEvent ? 'event-no-longer-available' : `${kind}-not-accessible`];

    test(`is read by ${readers.join(', ') || 'no one'}, by id and by slug`, async () => {
      const { id, slug } = await inStatus(collection, fields(name), status);
      for (const path of [`/${collection}/${id}`, `/${collection}/by-slug/${slug}`])
        for (const caller of callers)
          expect([caller, outcome(await app.call('GET', path, as(caller)))]).toEqual([
            caller,
            readers.includes(caller) ? [200, undefined] : refusal,
          ]);
    });

    test('is listed for those who may read it, from the trash for those who may edit it', async () => {
      const { id } = await inStatus(collection, fields(name), status);
      const listers = status === 'trash' ? ['author', 'editor'] : readers;
      for (const caller of callers) {
        const reply = await app.call('GET', `/${collection}?status=${status}&${search}`, as(caller));
        const mayAsk = status === 'publish' || !['nobody', 'reader'].includes(caller);
        if (!mayAsk) expect([caller, outcome(reply)]).toEqual([caller, [400, 'rest_invalid_param']]);
        else
          expect([caller, reply.body[collection].some((item: { id: number }) => item.id === id)]).toEqual([
            caller,
            listers.includes(caller),
          ]);
      }
    });

    test('is listed without a status for those who may read it, and never from the trash', async () => {
      const { id } = await inStatus(collection, fields(name), status);
      for (const caller of callers) {
        const { body } = await app.call('GET', `/${collection}?${search}`, as(caller));
        expect([caller, body[collection].some((item: { id: number }) => item.id === id)]).toEqual([
          caller,
          status !== 'trash' && readers.includes(caller),
        ]);
      }
    });

    test('is changed by its author and by editors', async () => {
      const { id } = await inStatus(collection, fields(name), status);
      for (const caller of callers)
        expect([
          caller,
          outcome(await app.call('PATCH', `/${collection}/${id}`, { ...as(caller), body: {} })),
        ]).toEqual([
          caller,
          caller === 'nobody'
            ? [401, 'rest_forbidden']
            : ['author', 'editor'].includes(caller)
              ? [200, undefined]
              : [403, 'rest_forbidden'],
        ]);
    });

    test('is changed by a contributor whose it is until its publication is decided', async () => {
      const { id } = await inStatus(collection, fields(name), 'draft', 'contributor');
      const date = status === 'future' ? { date: later } : {};
      await app.change(`/${collection}/${id}`, { status, ...date });
      const isDecided = status === 'publish' || status === 'future';
      for (const method of ['POST', 'PUT', 'PATCH'])
        expect(
          outcome(await app.call(method, `/${collection}/${id}`, { as: 'contributor', body: {} })),
        ).toEqual(isDecided ? [403, 'rest_forbidden'] : [200, undefined]);
      const deleted = outcome(await app.call('DELETE', `/${collection}/${id}`, { as: 'contributor' }));
      const gone = [410, `${kind}-is-in-trash`];
      expect(deleted).toEqual(
        isDecided ? [403, 'rest_forbidden'] : status === 'trash' ? gone : [200, undefined],
      );
    });
  },
);

describe.each(kinds)(
  'an author without a role, of a draft in /$collection',
  ({ kind, collection, fields }) => {
    test('has the rights of anybody', async () => {
      const { id } = await app.create(collection, { ...fields('Left behind'), status: 'draft' }, 'author');
      const as = 'withoutRole';
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect([method, outcome(await app.call(method, `/${collection}/${id}`, { as }))]).toEqual([
          method,
          [403, method === 'GET' ? `${kind}-not-accessible` : 'rest_forbidden'],
        ]);
      const { body } = await app.call('GET', `/${collection}?search=left+behind`, { as });
      expect(body[collection]).toEqual([]);
      const { changes } = (await app.call('GET', '/changes?per_page=1000', { as })).body;
      expect(changes).toContainEqual({ kind, id, version: expect.any(Number), removed: true });
    });
  },
);

describe('GET /events?status=draft', () => {
  test('shows contributors their own drafts', async () => {
    await app.create('events', { title: 'Contributed', ...times, status: 'draft' }, 'contributor');
    const reply = await app.call('GET', '/events?status=draft&search=contributed', { as: 'contributor' });
    expect([reply.status, names(reply)]).toEqual([200, ['Contributed']]);
    const other = await app.call('GET', '/events?status=draft&search=contributed', { as: 'author' });
    expect([other.status, names(other)]).toEqual([200, []]);
  });
});

describe.each(['future', 'draft', 'pending', 'private'] as const)(
  'a venue and an organizer that are %s',
  (status) => {
    let id = 0;
    let slug = '';
    const secret = `Secret ${status}`;
    beforeAll(async () => {
      const place = { address: `${secret} Road`, city: `${secret} Town`, geo_lat: 1.25, geo_lng: 2.5 };
      const venue = await inStatus('venues', { venue: `${secret} hall`, ...place }, status);
      const organizer = await inStatus(
        'organizers',
        { organizer: `${secret} board`, email: 'a@b.example' },
        status,
      );
      const open = await app.create('organizers', { organizer: `Open ${status}` });
      const fields = {
        title: `Party ${status}`,
        ...times,
        venue: venue.id,
        organizer: [organizer.id, open.id],
      };
      ({ id, slug } = await app.create('events', fields));
    });

    const places: readonly (readonly [string, () => string])[] = [
      ['the event', () => `/events/${id}`],
      ['the event by its slug', () => `/events/by-slug/${slug}`],
      ['its linked data alone', () => `/events/${id}?_fields=json_ld`],
      ['lists', () => `/events?search=${slug.replaceAll('-', '+')}`],
      ['the feed', () => `/events.ics?search=${slug.replaceAll('-', '+')}`],
    ];
    test.each(places)('are shown in %s to those alone who may read them', async (_where, path) => {
      for (const caller of callers) {
        const { status: readStatus, body } = await app.call('GET', path(), as(caller));
        const isShown = JSON.stringify(body).includes(secret);
        expect([caller, readStatus, isShown]).toEqual([caller, 200, ['author', 'editor'].includes(caller)]);
      }
    });

    test('leave no trace in the linked data, where the first organizer that may be read stands', async () => {
      const of = async (caller: Asker) => (await app.call('GET', `/events/${id}`, as(caller))).body;
      const hidden = await of('nobody');
      expect([hidden.venue, hidden.organizer.length, Object.hasOwn(hidden.json_ld, 'location')]).toEqual([
        [],
        1,
        false,
      ]);
      expect(hidden.json_ld.organizer.name).toBe(`Open ${status}`);
      const shown = await of('editor');
      expect([shown.json_ld.location.name, shown.json_ld.organizer.name]).toEqual([
        `${secret} hall`,
        `${secret} board`,
      ]);
      expect([shown.venue.json_ld, shown.organizer[0].json_ld]).toEqual([
        shown.json_ld.location,
        shown.json_ld.organizer,
      ]);
    });

    test('leave no LOCATION and no GEO in the feed', async () => {
      const lines = async (caller: Asker) =>
        (await app.call('GET', places[4]?.[1]() ?? '', as(caller))).body.match(/^(?:LOCATION|GEO)/gm);
      expect([await lines('nobody'), await lines('editor')]).toEqual([null, ['LOCATION', 'GEO']]);
    });

    test('are not shown in replies to the writes of others', async () => {
      const { author } = await app.create('events', { title: 'Own', ...times }, 'otherAuthor');
      const event = await app.create('events', {
        title: 'Given',
        ...times,
        author: Number(author),
        venue: { venue: `${secret} room`, status, date: '2099-01-01' },
        organizer: [{ organizer: `${secret} group`, status, date: '2099-01-01' }],
      });
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const reply = await app.call(method, `/events/${event.id}`, {
          as: 'otherAuthor',
          ...(method !== 'DELETE' && { body: {} }),
        });
        expect([method, reply.status, JSON.stringify(reply.body).includes(secret)]).toEqual([
          method,
          200,
          false,
        ]);
      }
    });
  },
);

describe('an event with a password', () => {
  const fields = {
    title: 'Locked',
    ...times,
    description: 'long hidden text',
    excerpt: 'short hidden text',
    cost: '5 €',
    website: 'https://hidden.example.org/',
    image: 'https://images.example.org/hidden.png',
    all_day: true,
    show_map: true,
    show_map_link: true,
    sticky: true,
    featured: true,
    status: 'publish',
    categories: ['Hidden category'],
    tags: ['Hidden tag'],
    venue: { venue: 'Hidden hall' },
    organizer: [{ organizer: 'Hidden board' }],
    registration_url: 'https://hidden.example.org/tickets',
    event_status: 'moved',
    event_status_reason: 'Hidden reason',
  };
  const blank = {
    description: '',
    excerpt: '',
    image: false,
    all_day: null,
    cost: '',
    cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
    website: '',
    show_map: null,
    show_map_link: null,
    hide_from_listings: null,
    sticky: null,
    featured: null,
    categories: [],
    tags: [],
    venue: [],
    organizer: [],
    custom_fields: [],
    registration_url: undefined,
    event_status_reason: undefined,
  };
  const visibleFields = [
    'id',
    'global_id',
    'global_id_lineage',
    'author',
    'status',
    'date',
    'date_utc',
    'modified',
    'modified_utc',
    'url',
    'rest_url',
    'title',
    'slug',
    'start_date',
    'start_date_details',
    'end_date',
    'end_date_details',
    'utc_start_date',
    'utc_start_date_details',
    'utc_end_date',
    'utc_end_date_details',
    'timezone',
    'timezone_abbr',
    'event_status',
  ];
  const password = 'sesame';
  let id = 0;
  let whole: Record<string, unknown> = {};
  beforeAll(async () => {
    whole = await app.create('events', { ...fields, access_password: password }, 'author');
    id = Number(whole['id']);
  });

  const entry = async (query: string, caller: Asker = 'nobody') =>
    (await app.call('GET', `/events?include=${id}${query}`, as(caller))).body.events[0];

  test('has a value in every field, each either hidden or visible', () => {
    const isEmpty = (key: string) => ['', 'false', 'null'].includes(String(whole[key]));
    // A hidden event is in no list, and no event has custom fields.
    expect(Object.keys(whole).filter(isEmpty)).toEqual(['hide_from_listings', 'custom_fields']);
    expect(Object.keys(whole).filter((key) => !(key in blank))).toEqual(visibleFields);
  });

  test.each(callers)('has exactly its protected keys blanked in lists of %s', async (caller) => {
    expect(JSON.stringify(await entry('', caller))).toBe(JSON.stringify({ ...whole, ...blank }));
    expect(await entry('&password=wrong', caller)).toEqual({ ...whole, ...blank });
    expect(await entry('&password=', caller)).toEqual({ ...whole, ...blank });
  });

  test.each(callers)('is whole in lists of %s with the password', async (caller) => {
    expect(JSON.stringify(await entry(`&password=${password}`, caller))).toBe(JSON.stringify(whole));
  });

  test('is whole in the replies to its writes, without the password', async () => {
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const reply = await app.call(method, `/events/${id}`, {
        as: 'author',
        body: { access_password: password },
      });
      const { modified: _, modified_utc: __, ...written } = reply.body;
      const { modified: ___, modified_utc: ____, ...before } = whole;
      expect([method, reply.status, written]).toEqual([method, 200, before]);
    }
    const other = await app.create('events', { ...fields, access_password: 'x' });
    const { body } = await app.call('DELETE', `/events/${other.id}`, { as: 'editor' });
    expect([body.status, body.description, body.sticky]).toEqual(['trash', '<p>long hidden text</p>', true]);
    expect(JSON.stringify(body)).not.toContain('password');
  });

  test('is no more than its title, times and address in the feed', async () => {
    const feed = async (query: string) => {
      const { body } = await app.call('GET', `/events.ics?include=${id}${query}`);
      return body.replaceAll('\r\n ', '').match(/^[A-Z-]+(?=[;:])/gm) ?? [];
    };
    const closed = await feed('');
    const more = ['DESCRIPTION', 'CATEGORIES', 'LOCATION'];
    expect(closed.filter((line: string) => more.includes(line))).toEqual([]);
    expect(closed).toEqual(expect.arrayContaining(['SUMMARY', 'DTSTART', 'DTEND', 'UID', 'URL']));
    expect(await feed('&password=wrong')).toEqual(closed);
    expect(await feed(`&password=${password}`)).toEqual(expect.arrayContaining([...more]));
  });

  test.each([
    ['', 403],
    ['?password=', 403],
    ['?password=wrong', 403],
    ['?password=Sesame', 403],
    ['?password=sesame+', 403],
    ['?password[]=sesame', 403],
    ['?password[0]=sesame', 403],
    ['?password=wrong&password=sesame', 200],
    ['?password=sesame', 200],
  ])('is read by its slug with %j: %d', async (query, status) => {
    const { slug } = whole;
    expect((await app.call('GET', `/events/by-slug/${slug}${query}`)).status).toBe(status);
  });

  test('is not found by what it hides', async () => {
    for (const query of ['search=hidden', 'search=long', 'search=short'])
      expect((await app.call('GET', `/events?${query}&include=${id}`)).body.total).toBe(0);
    expect((await app.call('GET', `/events?search=locked&include=${id}`)).body.total).toBe(1);
    const other = await app.create('events', { title: 'Barred', ...times, access_password: password });
    const danish = { title: 'Spærret', description: 'skjult', excerpt: 'hemmelig' };
    await app.change(`/events/${other.id}?translation_language=da`, danish);
    const found = async (search: string) =>
      (await app.call('GET', `/events?search=${search}&translation_language=da`)).body.total;
    expect([await found('skjult'), await found('hemmelig'), await found('spærret')]).toEqual([0, 0, 1]);
  });
});
