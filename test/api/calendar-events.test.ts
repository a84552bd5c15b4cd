import { beforeAll, describe, expect, test } from 'vitest';
import { names, outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const site = 'https://calendar.example.org';
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };

describe('POST /events', () => {
  test('answers 201 with the whole record, its keys in order', async () => {
    const venue = await app.create('venues', { venue: 'Hall A', city: 'Copenhagen' });
    const organizer = await app.create('organizers', { organizer: 'Ann', email: 'ann@example.org' });
    const category = await app.create('categories', { name: 'Rock & Roll' });
    const reply = await app.call('POST', '/events', {
      as: 'editor',
      body: {
        title: ' Tom & Jerry ',
        start_date: '2040-01-10 09:00',
        end_date: '2040-01-10T11:00:05',
        timezone: 'Europe/Paris',
        date: '2026-01-02 03:04:05',
        description: 'First\n\nSecond\nline',
        cost: '10-20',
        venue: venue.id,
        organizer: [organizer.id],
        categories: ['rock-roll'],
        featured: '1',
        website: 'https://example.org/?a=1&b=2',
      },
    });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBeNull();
    const { id, modified, ...rest } = reply.body;
    expect(JSON.stringify(rest)).toBe(
      JSON.stringify({
        global_id: `calendar.example.org?id=${id}`,
        global_id_lineage: [`calendar.example.org?id=${id}`],
        author: '1',
        status: 'publish',
        date: '2026-01-02 03:04:05',
        date_utc: '2026-01-02 03:04:05',
        modified_utc: '2026-01-02 03:04:05',
        url: `${site}/event/tom-jerry/`,
        rest_url: `${app.root}/events/${id}`,
        title: 'Tom &#038; Jerry',
        description: '<p>First</p>\n<p>Second<br />\nline</p>',
        excerpt: '',
        slug: 'tom-jerry',
        image: false,
        all_day: false,
        start_date: '2040-01-10 09:00:00',
        start_date_details: {
          year: '2040',
          month: '01',
          day: '10',
          hour: '09',
          minutes: '00',
          seconds: '00',
        },
        end_date: '2040-01-10 11:00:05',
        end_date_details: { year: '2040', month: '01', day: '10', hour: '11', minutes: '00', seconds: '05' },
        utc_start_date: '2040-01-10 08:00:00',
        utc_start_date_details: {
          year: '2040',
          month: '01',
          day: '10',
          hour: '08',
          minutes: '00',
          seconds: '00',
        },
        utc_end_date: '2040-01-10 10:00:05',
        utc_end_date_details: {
          year: '2040',
          month: '01',
          day: '10',
          hour: '10',
          minutes: '00',
          seconds: '05',
        },
        timezone: 'Europe/Paris',
        timezone_abbr: 'CET',
        cost: '$10 – $20',
        cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: ['10', '20'] },
        website: 'https://example.org/?a=1&b=2',
        show_map: false,
        show_map_link: false,
        hide_from_listings: false,
        sticky: false,
        featured: true,
        categories: [
          {
            name: 'Rock &amp; Roll',
            slug: 'rock-roll',
            term_group: 0,
            term_taxonomy_id: category.id,
            taxonomy: 'tribe_events_cat',
            description: '',
            parent: 0,
            count: 1,
            filter: 'raw',
            id: category.id,
            urls: { self: `${app.root}/categories/${category.id}`, collection: `${app.root}/categories` },
          },
        ],
        tags: [],
        venue,
        organizer: [organizer],
        custom_fields: [],
      }),
    );
    expect(modified).toBe('2026-01-02 03:04:05');
  });

  test.each([
    ['nobody', undefined, {}, [401, 'rest_forbidden']],
    ['a reader', 'reader', { title: 'x', ...times }, [403, 'rest_forbidden']],
    ['an editor with nothing', 'editor', {}, [400, 'rest_missing_callback_param']],
  ] as const)('refuses %s', async (_who, as, body, expected) => {
    expect(outcome(await app.call('POST', '/events', { ...(as ? { as } : {}), body }))).toEqual(expected);
  });

  test('names all bad values together, wrong types in the details', async () => {
    const body = { title: '', start_date: 5, end_date: 'soon', featured: 'yes', venue: 99, timezone: 'Mars' };
    const reply = await app.call('POST', '/events', { as: 'editor', body });
    expect(Object.keys(reply.body.data.params)).toEqual([
      'title',
      'start_date',
      'end_date',
      'timezone',
      'featured',
      'venue',
    ]);
    expect(Object.keys(reply.body.data.details)).toEqual(['start_date', 'featured']);
    expect(reply.body.data.details.featured).toMatchObject({
      code: 'rest_invalid_type',
      data: { param: 'featured' },
    });
  });

  test.each([
    ['title', '0'],
    ['title', 7],
    ['title', ['a']],
    ['slug', ''],
    ['status', 'Publish'],
    ['status', 'nonsense'],
    ['start_date', '2027-02-30'],
    ['start_date', '2027-13-01'],
    ['start_date', ''],
    ['website', 'example.com'],
    ['website', 'javascript:alert(1)'],
    ['website', 'https://bücher.example/'],
    ['image', 240],
    ['image', ''],
    ['image', '999'],
    ['author', 999],
    ['venue', 'Hall'],
    ['venue', { city: 'x' }],
    ['venue', { venue: 'x', zip: 5 }],
    ['organizer', 99],
    ['categories', [{ id: 1 }]],
    ['all_day', 'on'],
    ['all_day', null],
    ['post_parent', 99],
    ['translation_language', 'de'],
  ])('refuses %s of %j', async (name, value) => {
    const reply = await app.call('POST', '/events', {
      as: 'editor',
      body: { title: 'x', ...times, [name]: value },
    });
    expect([reply.status, reply.body.code, Object.keys(reply.body.data.params)]).toEqual([
      400,
      'rest_invalid_param',
      [name],
    ]);
  });

  test('makes slugs unique, and takes the words that mean something else at once', async () => {
    const slugs = [];
    for (const title of ['Same Title', 'Same  title!', 'Same title', 'feed', '!!!'])
      slugs.push((await app.create('events', { title, ...times })).slug);
    const last = slugs.pop();
    expect(slugs).toEqual(['same-title', 'same-title-2', 'same-title-3', 'feed-2']);
    expect(last).toMatch(/^\d+$/);
  });

  test('repairs an end before the start, widens all-day events, and reads offsets', async () => {
    const created = await app.create('events', {
      title: 'a',
      start_date: '2027-06-01 10:00',
      end_date: '2027-05-01',
    });
    expect([created.end_date, created.utc_end_date]).toEqual(['2027-06-01 10:00:00', '2027-06-01 10:00:00']);
    const whole = await app.create('events', {
      title: 'b',
      ...times,
      all_day: true,
      timezone: 'America/New_York',
    });
    expect([whole.start_date, whole.end_date, whole.utc_end_date]).toEqual([
      '2027-06-01 00:00:00',
      '2027-06-01 23:59:59',
      '2027-06-02 03:59:59',
    ]);
    const backwards = { start_date: '2027-06-02 10:00', end_date: '2027-06-01', all_day: true };
    const repaired = await app.create('events', { title: 'd', ...backwards });
    expect([repaired.start_date, repaired.end_date]).toEqual(['2027-06-02 00:00:00', '2027-06-02 00:00:00']);
    const offset = await app.create('events', {
      title: 'c',
      start_date: '2027-06-01T10:00:00+05:00',
      end_date: '1811844000',
      timezone: 'Europe/Paris',
    });
    expect([offset.start_date, offset.utc_start_date, offset.end_date]).toEqual([
      '2027-06-01 07:00:00',
      '2027-06-01 05:00:00',
      '2027-06-01 12:00:00',
    ]);
  });

  test('moves a start in the gap of the clocks one hour on', async () => {
    const event = await app.create('events', {
      title: 'gap',
      start_date: '2027-03-28 02:30:00',
      end_date: '2027-03-28 04:00:00',
      timezone: 'Europe/Copenhagen',
    });
    expect([event.start_date, event.utc_start_date]).toEqual(['2027-03-28 03:30:00', '2027-03-28 01:30:00']);
  });

  test('lowers what contributors publish to pending, and gives draft without a status', async () => {
    const statuses = [];
    for (const status of [undefined, 'publish', 'future', 'private', 'draft'])
      statuses.push((await app.create('events', { title: 'low', ...times, status }, 'contributor')).status);
    expect(statuses).toEqual(['draft', 'pending', 'pending', 'private', 'draft']);
  });

  test('holds what is to be published later as future, and publishes a future that is past', async () => {
    const later = await app.create('events', { title: 'later', ...times, date: '2090-01-01 00:00:00' });
    const past = await app.create('events', { title: 'past', ...times, status: 'future' });
    expect([later.status, past.status]).toEqual(['future', 'publish']);
  });
});

describe('linking', () => {
  test('takes a venue as id, text, object, array, or fields of a new one', async () => {
    const { id } = await app.create('venues', { venue: 'Linked' });
    const other = await app.create('venues', { venue: 'Other' });
    for (const venue of [id, String(id), { id }, [id], [{ id }], [String(id)]]) {
      const event = await app.create('events', { title: 'v', ...times, venue });
      expect(event.venue.venue).toBe('Linked');
    }
    const two = await app.create('events', { title: 'v', ...times, venue: `${other.id},${id}` });
    expect(two.venue.map(({ venue }: { venue: string }) => venue)).toEqual(['Other', 'Linked']);
    const made = await app.create('events', {
      title: 'v',
      ...times,
      venue: { venue: 'New', city: '<b>Here</b>' },
    });
    expect([made.venue.venue, made.venue.city]).toEqual(['New', 'Here']);
    for (const venue of ['', [], null, 0])
      expect((await app.create('events', { title: 'v', ...times, venue })).venue).toEqual([]);
  });

  test('takes organizers in the order given, without duplicates, new ones among them', async () => {
    const a = await app.create('organizers', { organizer: 'A' });
    const b = await app.create('organizers', { organizer: 'B' });
    const linked = async (organizer: unknown) =>
      (await app.create('events', { title: 'o', ...times, organizer })).organizer.map(
        (item: { organizer: string }) => item.organizer,
      );
    expect(await linked([b.id, { id: a.id }, String(b.id), { organizer: 'C' }])).toEqual(['B', 'A', 'C']);
    expect(await linked(`${a.id},${b.id}`)).toEqual(['A', 'B']);
    expect(await linked({ organizer: 'D' })).toEqual(['D']);
    expect(await linked(a.id)).toEqual(['A']);
    expect(await linked([])).toEqual([]);
  });

  test('takes terms by id, name or slug; creates unknown names and skips unknown ids', async () => {
    const category = await app.create('categories', { name: 'Known One' });
    const tag = await app.create('tags', { name: 'Known Tag' });
    const event = await app.create('events', {
      title: 't',
      ...times,
      categories: [category.id, 'Brand New', 98765, tag.id],
      tags: 'known-tag,Known Tag,fresh',
    });
    const found = ['categories', 'tags'].map((kind) => event[kind].map(({ name }: { name: string }) => name));
    expect(found).toEqual([
      ['Brand New', 'Known One'],
      ['fresh', 'Known Tag'],
    ]);
  });

  test('refers to an image by its address and never fetches it; the same address is the same image', async () => {
    const image = 'https://images.example.org/pic.png';
    const first = await app.create('events', { title: 'i', ...times, image });
    const second = await app.create('events', { title: 'i', ...times, image });
    const third = await app.create('events', { title: 'i', ...times, image: String(first.image.id) });
    expect(first.image).toEqual({ url: image, id: first.image.id, extension: 'png' });
    expect([second.image, third.image]).toEqual([first.image, first.image]);
    const refused = await app.call('POST', '/events', {
      as: 'contributor',
      body: { title: 'i', ...times, image },
    });
    expect([outcome(refused), Object.keys(refused.body.data.params)]).toEqual([
      [400, 'rest_invalid_param'],
      ['image'],
    ]);
  });
});

describe('POST, PUT and PATCH /events/{id}', () => {
  const all = {
    title: 'Whole',
    ...times,
    timezone: 'Europe/Paris',
    description: 'text',
    excerpt: 'short',
    cost: '5',
    website: 'https://example.org/',
    show_map: true,
    show_map_link: true,
    hide_from_listings: true,
    sticky: true,
    featured: true,
    categories: ['Kept'],
    tags: ['kept'],
    venue: { venue: 'Kept' },
    organizer: [{ organizer: 'Kept' }],
    image: 'https://images.example.org/stored.png',
    status: 'draft',
    date: '2026-02-03 04:05:06',
    post_parent: 0,
    ticketed: true,
    currency_code: 'DKK',
  };

  test('the currency of a cost is a code, which stays until it is emptied', async () => {
    const { id, cost_details } = await app.create('events', { ...all, currency_code: ' dkk ' });
    expect(cost_details.currency_code).toBe('DKK');
    expect((await app.change(`/events/${id}`, { cost: '7' })).body.cost_details.currency_code).toBe('DKK');
    const { body } = await app.call('GET', `/events/${id}`, { as: 'editor' });
    expect(body.json_ld.offers.priceCurrency).toBe('DKK');
    for (const currency_code of ['kr', 'EURO', 5, ['EUR']]) {
      const refused = await app.change(`/events/${id}`, { currency_code });
      expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, ['currency_code']]);
    }
    expect((await app.change(`/events/${id}`, { currency_code: '' })).body.cost_details.currency_code).toBe(
      '',
    );
  });

  test.each(['POST', 'PUT', 'PATCH'])('%s keeps every field that is not sent', async (method) => {
    const before = await app.create('events', all);
    const reply = await app.call(method, `/events/${before.id}`, { as: 'editor', body: {} });
    const { modified, modified_utc, ...stored } = reply.body;
    const { modified: _, modified_utc: __, ...sent } = before;
    expect([reply.status, stored]).toEqual([200, sent]);
    expect(modified).toBe(modified_utc);
  });

  test('changes one date alone, and computes UTC anew for another zone', async () => {
    const { id } = await app.create('events', all);
    const end = await app.change(`/events/${id}`, { end_date: '2027-06-02 09:00' });
    expect([end.body.start_date, end.body.end_date]).toEqual(['2027-06-01 10:00:00', '2027-06-02 09:00:00']);
    const zone = await app.change(`/events/${id}`, { timezone: 'America/New_York' });
    expect([zone.body.start_date, zone.body.utc_start_date]).toEqual([
      '2027-06-01 10:00:00',
      '2027-06-01 14:00:00',
    ]);
  });

  test('takes the record from the path, whatever id or slug is sent beside it', async () => {
    const { id, slug } = await app.create('events', { title: 'In the path', ...times });
    const other = await app.create('events', { title: 'Beside it', ...times });
    const byId = await app.change(`/events/${id}?id=${other.id}`, { id: other.id, title: 'Changed' });
    expect([byId.body.id, byId.body.title, byId.body.slug]).toEqual([id, 'Changed', slug]);
    const bySlug = await app.change(`/events/by-slug/${slug}`, { slug: other.slug });
    expect([bySlug.body.id, bySlug.body.slug]).toEqual([id, `${other.slug}-2`]);
  });

  test('puts into the trash by status and restores by any other', async () => {
    const { id } = await app.create('events', { title: 'To and fro', ...times });
    const trashed = await app.change(`/events/${id}`, { status: 'trash' });
    expect([trashed.body.status, trashed.body.slug]).toEqual(['trash', 'to-and-fro__trashed']);
    const again = await app.create('events', { title: 'To and fro', ...times });
    const restored = await app.change(`/events/${id}`, { status: 'publish' });
    expect([again.slug, restored.body.slug]).toEqual(['to-and-fro', 'to-and-fro-2']);
  });
});

describe('GET /events/{id}', () => {
  test('carries linked data for search engines', async () => {
    const event = await app.create('events', {
      title: 'Linked data',
      start_date: '2041-01-01 10:00:00',
      end_date: '2041-01-01 11:00:00',
      timezone: 'Europe/Paris',
      date: '2026-11-20 08:00:00',
      description: 'Some <b>bold</b> text',
      cost: '10-20',
      venue: { venue: 'Hall', address: 'Road 1', city: 'Town', country: 'Denmark', phone: '123' },
      organizer: [{ organizer: 'First', email: 'a@b.c' }, { organizer: 'Second' }],
    });
    const { status, body } = await app.call('GET', `/events/${event.id}`);
    const location = {
      '@type': 'Place',
      name: 'Hall',
      description: '',
      url: '',
      address: {
        '@type': 'PostalAddress',
        streetAddress: 'Road 1',
        addressLocality: 'Town',
        addressCountry: 'Denmark',
      },
      telephone: '123',
      sameAs: '',
    };
    expect(status).toBe(200);
    expect(body.json_ld).toEqual({
      '@context': 'http://schema.org',
      '@type': 'Event',
      name: 'Linked data',
      description: 'Some bold text',
      url: event.url,
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      eventStatus: 'https://schema.org/EventScheduled',
      startDate: '2041-01-01T10:00:00+01:00',
      endDate: '2041-01-01T11:00:00+01:00',
      location,
      organizer: {
        '@type': 'Person',
        name: 'First',
        description: '',
        url: '',
        telephone: '',
        email: '&#97;&#64;&#98;&#46;&#99;',
        sameAs: '',
      },
      offers: {
        '@type': 'Offer',
        price: '10 – 20',
        priceCurrency: 'USD',
        url: event.url,
        category: 'primary',
        availability: 'inStock',
        validFrom: '2026-11-20T00:00:00+00:00',
      },
      performer: 'Organization',
    });
    expect(body.venue.json_ld).toEqual(location);
    const { json_ld: _, venue: __, organizer: ___, ...plain } = body;
    const { venue: _v, organizer: _o, ...created } = event;
    expect(plain).toEqual(created);
  });

  test.each([
    ['an unknown id', '/events/99999', [404, 'rest-event-not-found']],
    ['an unknown slug', '/events/by-slug/nowhere', [400, 'rest_invalid_param']],
    ['an id that is no number', '/events/abc', [404, 'rest_no_route']],
  ])('refuses %s', async (_what, path, expected) => {
    expect(outcome(await app.call('GET', path))).toEqual(expected);
  });

  test('refuses the id of another record', async () => {
    const { id } = await app.create('venues', { venue: 'No event' });
    const organizer = await app.create('organizers', {
      organizer: 'No event',
      image: 'https://example.org/no-event.png',
    });
    for (const other of [id, organizer.id, organizer.image.id])
      expect(outcome(await app.call('GET', `/events/${other}`))).toEqual([400, 'rest-invalid-event-id']);
  });

  test.each([
    ['2027-03-28 01:30:00', 'CET'],
    ['2027-03-28 03:30:00', 'CEST'],
    ['2027-10-31 02:30:00', 'CEST'],
    ['2027-10-31 03:30:00', 'CET'],
  ])('has the abbreviation of its zone at its start: at %s %s', async (start_date, abbreviation) => {
    const { timezone_abbr } = await app.create('events', {
      title: 'Clocks',
      timezone: 'Europe/Copenhagen',
      start_date,
      end_date: '2027-12-01',
    });
    expect(timezone_abbr).toBe(abbreviation);
  });

  test('never says that it was changed in the future', async () => {
    const { id } = await app.create('events', { title: 'Later', date: '2090-01-01', ...times });
    const { headers } = await app.call('GET', `/events/${id}`, { as: 'editor' });
    expect(Date.parse(headers.get('last-modified') ?? '')).toBeLessThanOrEqual(Date.now());
  });
});

describe('DELETE /events/{id}', () => {
  test('moves to the trash, once', async () => {
    const { id } = await app.create('events', { title: 'Goes', ...times });
    const gone = await app.call('DELETE', `/events/${id}?force=true`, { as: 'editor' });
    expect([gone.status, gone.body.status, gone.body.slug, gone.body.url]).toEqual([
      200,
      'trash',
      'goes__trashed',
      `${site}/?post_type=tribe_events&p=${id}`,
    ]);
    expect(outcome(await app.call('DELETE', `/events/${id}`, { as: 'editor' }))).toEqual([
      410,
      'event-is-in-trash',
    ]);
    expect(outcome(await app.call('GET', `/events/${id}`, { as: 'editor' }))).toEqual([
      403,
      'event-no-longer-available',
    ]);
    expect(names(await app.call('GET', '/events?status=trash&search=goes', { as: 'editor' }))).toEqual([
      'Goes',
    ]);
    expect(names(await app.call('GET', '/events?search=goes', { as: 'editor' }))).toEqual([]);
  });

  test('by slug works, and an unknown slug is 400', async () => {
    const { slug } = await app.create('events', { title: 'Goes by slug', ...times });
    expect((await app.call('DELETE', `/events/by-slug/${slug}`, { as: 'editor' })).status).toBe(200);
    expect(outcome(await app.call('DELETE', '/events/by-slug/nowhere', { as: 'editor' }))).toEqual([
      400,
      'rest_invalid_param',
    ]);
  });
});

describe('translations', () => {
  test('stand beside the default texts and fall back field by field', async () => {
    const { id } = await app.create('events', { title: 'Open day', description: 'Come in', ...times });
    await app.change(`/events/${id}?translation_language=da`, { title: 'Åbent hus' });
    const texts = async (query: string) => {
      const { body } = await app.call('GET', `/events/${id}${query}`);
      return [body.title, body.description, body.json_ld.name];
    };
    expect(await texts('')).toEqual(['Open day', '<p>Come in</p>', 'Open day']);
    expect(await texts('?translation_language=da')).toEqual(['Åbent hus', '<p>Come in</p>', 'Åbent hus']);
    expect(await texts('?translation_language=sv')).toEqual(['Open day', '<p>Come in</p>', 'Open day']);
    expect(names(await app.call('GET', '/events?search=åbent&translation_language=da'))).toEqual([
      'Åbent hus',
    ]);
    expect(names(await app.call('GET', '/events?search=åbent'))).toEqual([]);
  });
});

describe('event passwords', () => {
  let id = 0;
  beforeAll(async () => {
    const fields = {
      title: 'Secret',
      ...times,
      description: 'hidden words',
      cost: '5',
      access_password: 'sesame',
      venue: { venue: 'Cave' },
    };
    ({ id } = await app.create('events', fields));
  });

  test.each([
    ['without', '', undefined, [403, 'event-password-protected']],
    ['with a wrong one', '?password=x', undefined, [403, 'event-password-protected']],
    ['with an empty one', '?password=', undefined, [400, 'rest_invalid_param']],
    ['without, as editor', '', 'editor', [403, 'event-password-protected']],
    ['with context=edit, as author', '?context=edit', 'author', [403, 'event-password-protected']],
    ['with the right one', '?password=sesame', undefined, [200, undefined]],
    ['with context=edit, as editor', '?context=edit', 'editor', [200, undefined]],
  ] as const)('read %s', async (_how, query, as, expected) => {
    expect(outcome(await app.call('GET', `/events/${id}${query}`, as ? { as } : {}))).toEqual(expected);
  });
});
