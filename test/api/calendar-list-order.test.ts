/** The order of lists, the limits of their filters, and what their links repeat. Records are made in another order than the one expected. */

import { beforeAll, describe, expect, test } from 'vitest';
import { names, outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();

/** A day from today, as `YYYY-MM-DD`. */
function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
const at = (days: number, time = '10:00:00') => ({
  start_date: `${inDays(days)} ${time}`,
  end_date: `${inDays(days)} 23:00:00`,
});
const found = async (path: string) => {
  const reply = await app.call('GET', path);
  return [reply.status, names(reply)];
};

describe('the order', () => {
  test('of events is by start, then publication, then id, whatever they were made in', async () => {
    const made: [string, object][] = [
      ['Third: start, later publication', { ...at(1), date: '2026-02-01' }],
      ['Last: later start, early publication', { ...at(1, '10:00:01'), date: '2020-01-01' }],
      ['Second: start, publication, id', { ...at(1), date: '2026-01-02' }],
      ['First: earlier publication', { ...at(1), date: '2026-01-01', sticky: false }],
      ['Between: same publication, later id', { ...at(1), date: '2026-01-02', featured: true, sticky: true }],
      ['Zero: earlier start', { ...at(1, '09:59:59'), date: '2026-03-01' }],
    ];
    for (const [title, fields] of made) await app.create('events', { title, excerpt: 'ordered', ...fields });
    const expected = ['Zero', 'First', 'Second', 'Between', 'Third', 'Last'];
    const order = async (query: string) => {
      const reply = await app.call('GET', `/events?search=ordered&${query}`);
      return names(reply).map((title) => title.split(':')[0]);
    };
    expect(await order('')).toEqual(expected);
    expect([...(await order('per_page=3')), ...(await order('per_page=3&page=2'))]).toEqual(expected);
    const feed = (await app.call('GET', '/events.ics?search=ordered')).body.match(/(?<=^SUMMARY:)\w+/gm);
    expect(feed).toEqual(expected);
  });

  test('of events is that of the present starts after one event passes its neighbour', async () => {
    const made = [];
    for (const [index, title] of ['A', 'B', 'C', 'D'].entries())
      made.push(await app.create('events', { title, excerpt: 'passing', ...at(3, `1${index}:00:00`) }));
    const [, b, c] = made;
    const order = async () => names(await app.call('GET', '/events?search=passing'));
    const move = (id: number, days: number, time: string) => app.change(`/events/${id}`, at(days, time));
    const seen = [await order()];
    for (const [id, days, time] of [
      [b.id, 3, '12:30:00'],
      [b.id, 3, '11:30:00'],
      [c.id, 3, '09:00:00'],
      [c.id, 4, '09:00:00'],
    ]) {
      await move(id, days, time);
      seen.push(await order());
    }
    expect(seen.map((titles) => titles.join(''))).toEqual(['ABCD', 'ACBD', 'ABCD', 'CABD', 'ABDC']);
  });

  test('of events is that of instants, not of what clocks show', async () => {
    const zoned = (title: string, hour: string, timezone: string) =>
      app.create('events', { title, excerpt: 'zoned', ...at(2, `${hour}:00:00`), timezone });
    await zoned('Second', '10', 'UTC');
    await zoned('Third', '07', 'America/New_York');
    await zoned('First', '11', 'Asia/Tokyo');
    expect(await found('/events?search=zoned')).toEqual([200, ['First', 'Second', 'Third']]);
  });

  test.each([
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ])('of /%s is by publication, newest first, then id, newest first', async (collection, kind) => {
    const made = [
      ['B', '2026-02-01'],
      ['C', '2026-01-31'],
      ['A', '2026-03-01'],
      ['Later id', '2026-02-01'],
      ['Oldest', '2001-01-01'],
    ];
    for (const [name, date] of made)
      await app.create(collection, { [kind]: name, description: 'ordered', date });
    expect(await found(`/${collection}?search=ordered`)).toEqual([
      200,
      ['A', 'Later id', 'B', 'C', 'Oldest'],
    ]);
    expect(await found(`/${collection}?search=ordered&per_page=2&page=2`)).toEqual([200, ['B', 'C']]);
  });

  describe('of terms', () => {
    const collections = ['categories', 'tags'];
    const counts: Record<string, number> = { Delta: 1, alpha: 2, Charlie: 0, Bravo: 1 };
    const fields: Record<string, object> = {
      Delta: { slug: 'z3', description: 'second' },
      alpha: { slug: 'z4', description: 'Third' },
      Charlie: { slug: 'z1', description: 'first' },
      Bravo: { slug: 'z2', description: 'second' },
    };
    const ids: Record<string, number> = {};
    beforeAll(async () => {
      for (const collection of collections)
        for (const [name, count] of Object.entries(counts)) {
          const { id } = await app.create(collection, { name, ...fields[name] });
          ids[`${collection} ${name}`] = id;
          for (let made = 0; made < count; made += 1)
            await app.create('events', { title: 'x', ...at(3), [collection]: [id] });
        }
    });
    const idsOf = (collection: string, ...of: string[]) =>
      of.map((name) => ids[`${collection} ${name}`]).join(',');

    const orders: [string, string[]][] = [
      ['name', ['alpha', 'Bravo', 'Charlie', 'Delta']],
      ['slug', ['Charlie', 'Bravo', 'Delta', 'alpha']],
      ['id', ['Delta', 'alpha', 'Charlie', 'Bravo']],
      ['count', ['Charlie', 'Bravo', 'Delta', 'alpha']],
      ['include', ['Charlie', 'Delta', 'alpha', 'Bravo']],
      ['term_group', ['alpha', 'Bravo', 'Charlie', 'Delta']],
      ['description', ['Charlie', 'Bravo', 'Delta', 'alpha']],
      ['anything', ['alpha', 'Bravo', 'Charlie', 'Delta']],
    ];
    test.each(
      collections.flatMap((collection) =>
        orders.map(([by, expected]) => [collection, by, expected] as const),
      ),
    )('/%s by %s, ascending and descending', async (collection, by, expected) => {
      const include = idsOf(collection, 'Charlie', 'Delta', 'alpha', 'Bravo');
      const query = `/${collection}?hide_empty=0&include=${include}&orderby=${by}`;
      expect(await found(query)).toEqual([200, expected]);
      expect(await found(`${query}&order=desc`)).toEqual([200, expected.toReversed()]);
      expect(await found(`${query.replace(`=${by}`, `=${by.toUpperCase()}`)}&order=other`)).toEqual([
        200,
        expected.toReversed(),
      ]);
    });

    test.each(collections)('/%s without those excluded, unless they are included', async (collection) => {
      const query = `/${collection}?hide_empty=0&search=z&exclude=${idsOf(collection, 'alpha', 'Delta')}`;
      expect(await found(query)).toEqual([200, ['Bravo', 'Charlie']]);
      expect(await found(`${query}&include=${idsOf(collection, 'Delta')}`)).toEqual([200, ['Delta']]);
    });
  });

  test('around a place is the nearest first, and by start at one distance', async () => {
    const made: [string, object, number][] = [
      ['Near, late', { geo_lat: -30, geo_lng: 20.01 }, 5],
      ['Far', { geo_lat: -30, geo_lng: 20.1 }, 4],
      ['Near, early', { geo_lat: -30, geo_lng: 20.01 }, 4],
      ['Here', { geo_lat: -30, geo_lng: 20 }, 6],
    ];
    for (const [title, place, days] of made)
      await app.create('events', { title, ...at(days), venue: { venue: title, ...place } });
    const venue = [
      { venue: 'Near', geo_lat: -30, geo_lng: 20.02 },
      { venue: 'Far', ...made[1]?.[1] },
    ];
    await app.create('events', { title: 'At two venues', ...at(4), venue });
    const expected = ['Here', 'Near, early', 'Near, late', 'At two venues', 'Far'];
    const around = '/events?geoloc_lat=-30&geoloc_lng=20';
    expect(await found(around)).toEqual([200, expected]);
    expect((await app.call('GET', around)).body.total).toBe(5);
    for (const page of [1, 2, 3])
      expect(await found(`${around}&per_page=2&page=${page}`)).toEqual([
        200,
        expected.slice(2 * page - 2, 2 * page),
      ]);
  });
});

describe('the limits of filters', () => {
  test('a distance of 0 finds what is there, and the usual one is 25 kilometres', async () => {
    const place = (title: string, geo_lat: number) =>
      app.create('events', { title, ...at(7), venue: { venue: title, geo_lat, geo_lng: 0 } });
    // A degree of latitude is 111.195 km on the sphere that distances are measured on.
    await place('Beyond', 10 + 25.05 / 111.195);
    await place('Within', 10 + 24.95 / 111.195);
    await place('There', 10);
    const around = (more: string) => found(`/events?geoloc_lat=10&geoloc_lng=0${more}`);
    expect(await around('&geoloc_distance=0')).toEqual([200, ['There']]);
    expect(await around('')).toEqual([200, ['There', 'Within']]);
    expect(await around('&geoloc_distance=25')).toEqual([200, ['There', 'Within']]);
    expect(await around('&geoloc_distance=25.1')).toEqual([200, ['There', 'Within', 'Beyond']]);
  });

  test.each([
    ['geoloc_distance', '20100', '20100.1', '&geoloc_lat=89&geoloc_lng=0'],
    ['geoloc_distance', '0', '-0.1', '&geoloc_lat=89&geoloc_lng=0'],
    ['geoloc_lat', '90', '90.1', '&geoloc_lng=0'],
    ['geoloc_lat', '-90', '-90.1', '&geoloc_lng=0'],
    ['geoloc_lng', '180', '180.1', '&geoloc_lat=0'],
    ['geoloc_lng', '-180', '-180.1', '&geoloc_lat=0'],
    ['page', '1', '0', ''],
    ['per_page', '1', '0', ''],
  ])('%s takes %s, and not %s', async (name, accepted, refused, more) => {
    expect((await app.call('GET', `/events?${name}=${accepted}${more}`)).status).toBe(200);
    expect(outcome(await app.call('GET', `/events?${name}=${refused}${more}`))).toEqual([
      400,
      'rest_invalid_param',
    ]);
  });

  test.each([
    'geoloc_lat=&geoloc_lng=',
    'geoloc_lat=&geoloc_lng=1',
    'geoloc_lat=+&geoloc_lng=+',
    'geoloc_lat=0&geoloc_lng=0&geoloc_distance=',
  ])('an empty coordinate or distance is none: %s', async (query) => {
    expect(outcome(await app.call('GET', `/events?${query}`))).toEqual([400, 'rest_invalid_param']);
  });

  test('the place 0, 0 is one, and half of a place is none', async () => {
    await app.create('events', {
      title: 'Null island',
      ...at(8),
      venue: { venue: 'N', geo_lat: 0, geo_lng: 0 },
    });
    for (const [title, place] of [
      ['Latitude of an island', { geo_lat: 0 }],
      ['Longitude of an island', { geo_lng: 0 }],
    ] as const)
      await app.create('events', { title, ...at(8), venue: { venue: 'Half', ...place } });
    expect(await found('/events?geoloc_lat=0&geoloc_lng=0')).toEqual([200, ['Null island']]);
    expect(await found('/events?geoloc=true&search=island')).toEqual([200, ['Null island']]);
  });

  test('nine words are searched for in any order, ten as a phrase', async () => {
    const words = [
      'alder',
      'birch',
      'cedar',
      'dogwood',
      'elder',
      'fir',
      'gorse',
      'hazel',
      'juniper',
      'larch',
    ];
    await app.create('events', { title: 'Arboretum', ...at(9), description: words.join(' ') });
    const search = (list: readonly string[]) => found(`/events?search=${list.join('+')}`);
    expect(await search(words.slice(0, 9).toReversed())).toEqual([200, ['Arboretum']]);
    expect(await search(words.toReversed())).toEqual([200, []]);
    expect(await search(words)).toEqual([200, ['Arboretum']]);
    const excluded = [...words.slice(0, 8), '-oak'];
    expect(await search(excluded.toReversed())).toEqual([200, ['Arboretum']]);
    expect(await search([...excluded, 'larch'].toReversed())).toEqual([200, []]);
  });

  describe('of days include their last second', () => {
    const day = inDays(30);
    beforeAll(async () => {
      const dated = (title: string, start_date: string, end_date: string, more = {}) =>
        app.create('events', { title, excerpt: 'bounded', start_date, end_date, ...more });
      await dated('Next day', `${inDays(31)} 00:00:00`, `${inDays(31)} 00:00:00`);
      await dated('Whole day', day, day, { all_day: true });
      await dated('Last second', `${day} 23:59:59`, `${day} 23:59:59`);
      await dated('Over midnight', `${day} 22:00:00`, `${inDays(31)} 00:00:00`);
      await dated('Day before', `${inDays(29)} 23:59:59`, `${inDays(29)} 23:59:59`);
    });

    test.each([
      ['ends_before', ['Day before', 'Whole day', 'Last second']],
      ['ends_after', ['Over midnight', 'Next day']],
      ['starts_before', ['Day before', 'Whole day', 'Over midnight', 'Last second']],
      ['starts_after', ['Next day']],
      ['end_date', ['Day before', 'Whole day', 'Last second']],
      ['start_date', ['Whole day', 'Over midnight', 'Last second', 'Next day']],
    ])('%s', async (name, expected) => {
      expect(await found(`/events?search=bounded&${name}=${day}`)).toEqual([200, expected]);
      expect(await found(`/events?search=bounded&${name}=${day}+12:34:56`)).toEqual([200, expected]);
    });

    test.each([
      ['ends_before', ['Day before']],
      ['ends_after', ['Over midnight', 'Next day']],
      ['starts_before', ['Day before', 'Whole day', 'Over midnight']],
      ['starts_after', ['Next day']],
      ['end_date', ['Day before', 'Whole day', 'Last second']],
      ['start_date', ['Last second', 'Next day']],
    ])('and %s is exact when it is strict', async (name, expected) => {
      const query = `search=bounded&strict_dates=1&${name}=${day}+23:59:59`;
      expect(await found(`/events?${query}`)).toEqual([200, expected]);
    });
  });

  test('include leaves the other date filters in force, and start_date and end_date alone out of it', async () => {
    const early = await app.create('events', { title: 'Early', ...at(-100) });
    const late = await app.create('events', { title: 'Late', ...at(100) });
    const include = `/events?include=${late.id},${early.id}`;
    expect(await found(include)).toEqual([200, ['Early', 'Late']]);
    const today = inDays(0);
    for (const name of ['start_date', 'end_date'])
      expect(await found(`${include}&${name}=${today}`)).toEqual([200, ['Early', 'Late']]);
    for (const [name, expected] of [
      ['starts_before', 'Early'],
      ['ends_before', 'Early'],
      ['starts_after', 'Late'],
      ['ends_after', 'Late'],
    ])
      expect(await found(`${include}&${name}=${today}`)).toEqual([200, [expected]]);
  });

  test('50 records are a page at the most, 10 without a word of it', async () => {
    const of = async (query: string) => {
      const { body } = await app.call('GET', `/organizers?search=paged${query}`);
      return [body.organizers.length, body.total, body.total_pages];
    };
    for (let made = 0; made < 51; made += 1) await app.create('organizers', { organizer: `Paged ${made}` });
    expect(await of('')).toEqual([10, 51, 6]);
    expect(await of('&per_page=49')).toEqual([49, 51, 2]);
    expect(await of('&per_page=50')).toEqual([50, 51, 2]);
    expect(await of('&per_page=51')).toEqual([50, 51, 2]);
    expect(await of('&per_page=50&page=2')).toEqual([1, 51, 2]);
    expect(await of('&per_page=17&page=3')).toEqual([17, 51, 3]);
    const past = await app.call('GET', '/organizers?search=paged&per_page=17&page=4');
    expect(outcome(past)).toEqual([404, 'organizer-archive-page-not-found']);
    const third = (await app.call('GET', '/organizers?search=paged&per_page=17&page=3')).body;
    expect([third.next_rest_url, new URL(third.previous_rest_url).searchParams.get('page')]).toEqual([
      undefined,
      '2',
    ]);
  });
});

describe('venues and organizers with events', () => {
  test.each([
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ])('of /%s are those of events of any status but draft, pending and trash', async (collection, kind) => {
    const statuses = ['trash', 'publish', 'pending', 'private', 'draft', 'future'];
    for (const status of statuses) {
      const { id } = await app.create(collection, { [kind]: `Linked ${status}`, date: '2026-01-01' });
      const date = status === 'future' ? { date: '2090-01-01' } : {};
      await app.create('events', { title: status, ...at(10), status, ...date, [kind]: id });
    }
    const listed = async (query: string) =>
      (await app.call('GET', `/${collection}?search=linked&${query}`)).body[collection]
        .map((item: Record<string, string>) => item[kind]?.slice('Linked '.length))
        .sort();
    expect(await listed('has_events=1')).toEqual(['future', 'private', 'publish']);
    expect(await listed('has_events=0')).toEqual(['draft', 'pending', 'trash']);
    expect(await listed('only_with_upcoming=1')).toEqual(['publish']);
  });
});

describe('the links of a list', () => {
  test.each([
    ['events', 'status=publish,draft', 'status=publish,draft'],
    ['events', 'status=publish,publish', 'status=publish'],
    ['events', 'status[]=publish&status[]=private', 'status=publish,private'],
    ['venues', 'status=publish,draft', 'status=publish,draft'],
    ['organizers', 'status=private,private,publish', 'status=private,publish'],
    ['events', 'search=caf%C3%A9+%26+bar', 'search=caf%C3%A9+%26+bar'],
    ['events', 'include=5,4,5', 'include=5,4,5'],
    ['events', 'include[]=5&include[]=4', 'include=5,4'],
    ['events', 'starts_after=2030-01-01', 'starts_after=2030-01-01+23:59:59'],
    ['events', 'translation_language=da', 'translation_language=da'],
    ['events', 'password=sesame&featured=false', 'featured=0'],
  ])('of /%s?%s repeat %s', async (collection, query, expected) => {
    const { status, body } = await app.call('GET', `/${collection}?${query}`, { as: 'editor' });
    expect([status, body.rest_url.split(/[?&]/)]).toEqual([200, expect.arrayContaining([expected])]);
    expect(body.rest_url).not.toContain('sesame');
    const again = await app.call('GET', body.rest_url.slice(app.root.length).replace('status=any&', ''), {
      as: 'editor',
    });
    expect([again.status, again.body.total]).toEqual([200, body.total]);
  });
});

describe('order and orderby of events, an extension', () => {
  test('sort by start, title, last change and featured', async () => {
    for (const [title, day, featured] of [
      ['Beta', 3, false],
      ['alpha', 5, true],
      ['Gamma', 1, false],
    ] as const)
      await app.create('events', {
        title,
        featured,
        tags: ['sorted'],
        start_date: `2027-05-0${day} 10:00`,
        end_date: `2027-05-0${day} 11:00`,
      });
    const sorted = async (query: string) => {
      const { body } = await app.call('GET', `/events?tags=sorted&${query}`);
      return body.events.map(({ title }: { title: string }) => title);
    };
    expect(await sorted('order=DESC')).toEqual(['alpha', 'Beta', 'Gamma']);
    expect(await sorted('orderby=title')).toEqual(['alpha', 'Beta', 'Gamma']);
    expect(await sorted('orderby=title&order=desc')).toEqual(['Gamma', 'Beta', 'alpha']);
    expect(await sorted('orderby=featured')).toEqual(['alpha', 'Gamma', 'Beta']);
    expect(await sorted('orderby=constructor')).toEqual(['Gamma', 'Beta', 'alpha']);
    expect(await sorted('orderby=other&order=')).toEqual(['Gamma', 'Beta', 'alpha']);
  });
});
