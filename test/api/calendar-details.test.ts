/** Single values of records: each form that a field takes, in each representation that shows it. */

import { describe, expect, test } from 'vitest';
import { names, outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };
const event = (fields: object) => app.create('events', { title: 'Detailed', ...times, ...fields });

describe('linked data', () => {
  test.each([
    [
      'the excerpt of an event with both',
      { excerpt: '<b>Short</b> & "good"', description: 'Long' },
      'Short & "good"',
    ],
    ['the description of one without an excerpt', { description: '<h2>Long</h2>text' }, 'Long text'],
    ['the description of one with an empty excerpt', { excerpt: '', description: 'Long' }, 'Long'],
    ['the excerpt of one without a description', { excerpt: 'Short' }, 'Short'],
    ['nothing of one without either', {}, ''],
  ])('describes an event by %s', async (_what, fields, expected) => {
    const { id } = await event(fields);
    expect((await app.call('GET', `/events/${id}`)).body.json_ld.description).toBe(expected);
  });

  test('describes an event in the language that is asked for', async () => {
    const { id } = await event({ excerpt: 'Short', description: 'Long' });
    const body = { title: 'Navn', excerpt: 'Kort' };
    await app.change(`/events/${id}?translation_language=da`, body);
    const { json_ld } = (await app.call('GET', `/events/${id}?translation_language=da`)).body;
    expect([json_ld.name, json_ld.description]).toEqual(['Navn', 'Kort']);
  });

  test('has the image and the website where there are any', async () => {
    const image = 'https://images.example.org/p.png';
    const website = 'https://example.org/?a=1&b=2';
    const { id, venue } = await event({
      image,
      venue: { venue: 'V', website, description: '<p>On &amp; off</p>' },
      organizer: [{ organizer: 'O', website, phone: '1', description: 'Who' }],
    });
    const { json_ld } = (await app.call('GET', `/events/${id}`)).body;
    expect([json_ld.image, json_ld.location, json_ld.organizer]).toEqual([
      image,
      expect.objectContaining({ description: 'On & off', sameAs: website, url: '' }),
      expect.objectContaining({ description: 'Who', sameAs: website, url: website, telephone: '1' }),
    ]);
    expect((await app.call('GET', `/venues/${venue.id}`)).body.json_ld).toEqual(json_ld.location);
    const bare = await event({});
    expect((await app.call('GET', `/events/${bare.id}`)).body.json_ld).not.toHaveProperty('image');
  });

  test.each([
    ['UTC', '+00:00'],
    ['America/New_York', '-04:00'],
    ['Asia/Kathmandu', '+05:45'],
    ['UTC-9:30', '-09:30'],
    ['UTC+14', '+14:00'],
  ])('has the offset of the zone %s', async (timezone, offset) => {
    const { id } = await event({ timezone });
    const { json_ld } = (await app.call('GET', `/events/${id}`)).body;
    expect([json_ld.startDate, json_ld.endDate]).toEqual([
      `2027-06-01T10:00:00${offset}`,
      `2027-06-01T12:00:00${offset}`,
    ]);
  });

  test('has the offsets of its start and of its end where clocks change in between', async () => {
    const night = { start_date: '2027-10-30 22:00:00', end_date: '2027-10-31 12:00:00' };
    const { id } = await event({ ...night, timezone: 'Europe/Copenhagen' });
    const { json_ld } = (await app.call('GET', `/events/${id}`)).body;
    expect([json_ld.startDate, json_ld.endDate]).toEqual([
      '2027-10-30T22:00:00+02:00',
      '2027-10-31T12:00:00+01:00',
    ]);
  });
});

describe('texts', () => {
  const shown = '<p>&#8220;a&#8221; &#038; b &#8211; c&#8230;</p>';
  test('of an event are typographic in excerpt and description alike', async () => {
    const text = '"a" & b - c...';
    const { excerpt, description } = await event({ excerpt: text, description: text });
    expect([excerpt, description]).toEqual([shown, shown]);
  });

  test.each(['venue', 'organizer'])('of a new %s inside an event are like its own', async (kind) => {
    const made = await event({ [kind]: { [kind]: '"X" - y', description: '"a" & b - c...' } });
    const linked = [made[kind]].flat()[0];
    expect([linked[kind], linked.description]).toEqual(['&#8220;X&#8221; &#8211; y', shown]);
    expect((await app.call('GET', `/${kind}s/${linked.id}`)).body).toMatchObject({
      [kind]: linked[kind],
      description: shown,
    });
  });

  test('of titles keep class, lang, dir and title of their markup, for editors', async () => {
    const title = '<em lang="fr" dir="ltr" class="x" title="y">Été</em> <a href="https://example.org/">z</a>';
    expect((await app.create('events', { ...times, title })).title).toBe(title);
    expect((await app.create('events', { ...times, title }, 'author')).title).toBe('Été z');
    const bad = '<em style="color:red" id="i" onclick="x()">a</em>';
    expect((await app.create('events', { ...times, title: bad })).title).toBe('<em>a</em>');
  });
});

describe('images', () => {
  test.each([
    ['https://x.example.org/a.jpg', 'jpg'],
    ['https://x.example.org/a.jpg?v=1', 'jpg'],
    ['https://x.example.org/a.jpg#top', 'jpg'],
    ['https://x.example.org/a.b.webp?x=y.png', 'webp'],
    ['https://x.example.org/a', ''],
    ['https://x.example.org/', ''],
    ['https://x.example.org/?f=a.jpg', ''],
    ['https://x.example.org/a.photograph', ''],
  ])('of %s have the extension %j', async (image, extension) => {
    const made = await event({ image, venue: { venue: 'V', image } });
    expect(made.image).toEqual({ url: image, id: made.image.id, extension });
    expect(made.venue.image).toEqual(made.image);
  });

  test.each(['ftp://x.example.org/a.jpg', '//x.example.org/a.jpg', 'a.jpg', 'data:image/png;base64,AA=='])(
    'are not at %s',
    async (image) => {
      expect(
        outcome(await app.call('POST', '/events', { as: 'editor', body: { title: 'x', ...times, image } })),
      ).toEqual([400, 'rest_invalid_param']);
    },
  );
});

describe('the state or province of a venue, also in linked data', () => {
  test.each([
    [{ stateprovince: 'Own', state: 'NY', province: 'P', country: 'US' }, 'Own'],
    [{ stateprovince: 'Own', state: 'NY', province: 'P', country: 'Denmark' }, 'Own'],
    [{ state: 'NY', province: 'P' }, 'NY'],
    [{ state: 'NY', province: 'P', country: '' }, 'NY'],
    [{ state: 'NY', province: 'P', country: 'US' }, 'NY'],
    [{ state: 'NY', province: 'P', country: 'United States' }, 'NY'],
    [{ state: 'NY', province: 'P', country: 'Denmark' }, 'P'],
    [{ state: 'NY', country: 'Denmark' }, undefined],
    [{ province: 'P', country: 'US' }, 'P'],
    [{ country: 'US' }, undefined],
  ])('with %j is %s', async (fields, expected) => {
    const venue = await app.create('venues', { venue: 'V', ...fields });
    const { body } = await app.call('GET', `/venues/${venue.id}`);
    expect([venue.stateprovince, body.json_ld.address.addressRegion]).toEqual([expected, expected]);
  });
});

describe('the feed', () => {
  const lines = async (id: number, query = '') =>
    (await app.call('GET', `/events.ics?include=${id}${query}`)).body.replaceAll('\r\n ', '').split('\r\n');

  test.each([
    ...[1, 2, 3, 4, 5, 6].map((level) => [`<h${level}>Ab</h${level}>C`, 'Ab\\n\\nC'] as [string, string]),
    [
      '<a href="https://a.example.org">A</a> <a href="https://b.example.org">https://b.example.org</a>',
      'A (https://a.example.org) https://b.example.org',
    ],
    ['A<img src="https://a.example.org/a.jpg" alt="B"> C', 'A C'],
    ['<ul><li>A</li><li>B</li></ul>C', '* A\\n * B\\n\\nC'],
    ['<b>A</b>B', 'AB'],
    ['A &lt; B', 'A < B'],
  ])('describes %s as %s', async (description, expected) => {
    const { id } = await event({ description });
    expect((await lines(id)).filter((l: string) => l.startsWith('DESCRIPTION'))).toEqual([
      `DESCRIPTION:${expected}`,
    ]);
  });

  test.each([
    [{ venue: 'Hall' }, 'LOCATION:Hall'],
    [
      { venue: 'Hall', address: 'Road 1', zip: '1000', city: 'Town', country: 'Denmark' },
      'LOCATION:Hall\\, Road 1\\, 1000 Town\\, Denmark',
    ],
    [{ venue: 'Hall', city: 'Town' }, 'LOCATION:Hall\\, Town'],
  ])('places %j', async (venue, expected) => {
    const { id } = await event({ venue });
    expect((await lines(id)).filter((line: string) => /^(?:LOCATION|GEO)/.test(line))).toEqual([expected]);
  });

  test.each([
    [0, 0, '0;0'],
    [0, 12.5, '0;12.5'],
    [51.5, 0, '51.5;0'],
    [-0.0000001, 0.000001, '0;0.000001'],
    [-33.9, -70.6, '-33.9;-70.6'],
  ])('knows the place %d, %d, to six decimals', async (geo_lat, geo_lng, expected) => {
    const { id } = await event({ venue: { venue: 'Placed', geo_lat, geo_lng } });
    expect((await lines(id)).filter((l: string) => l.startsWith('GEO'))).toEqual([`GEO:${expected}`]);
  });

  test('is in the language that is asked for', async () => {
    const { id } = await event({ description: 'Text' });
    const body = { title: 'Navn', description: 'Tekst' };
    await app.change(`/events/${id}?translation_language=da`, body);
    expect(await lines(id, '&translation_language=da')).toEqual(
      expect.arrayContaining(['SUMMARY:Navn', 'DESCRIPTION:Tekst']),
    );
  });
});

describe('forms of values', () => {
  test.each(['http', 'https', 'ftp', 'ftps', 'mailto', 'tel', 'webcal', 'HTTPS'])(
    'a website may be %s:',
    async (scheme) => {
      const website = `${scheme}://x.example.org/`;
      const made = await event({ website, venue: { venue: 'V', website } });
      expect([made.website, made.venue.website]).toEqual([website, website]);
    },
  );

  test.each(['javascript', 'data', 'file', 'ws', 'xhttps', 'vbscript', 'blob'])(
    'a website may not be %s:',
    async (scheme) => {
      for (const [collection, fields] of [
        ['events', { title: 'x', ...times }],
        ['venues', { venue: 'x' }],
        ['organizers', { organizer: 'x' }],
      ] as const) {
        const reply = await app.call('POST', `/${collection}`, {
          as: 'editor',
          body: { ...fields, website: `${scheme}://x` },
        });
        expect([reply.status, Object.keys(reply.body.data.params)]).toEqual([400, ['website']]);
      }
    },
  );

  const flags = ['all_day', 'show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured'];
  test.each(flags)('%s of an event takes the strict forms of true and false', async (name) => {
    for (const value of [true, 1, '1', 'true', 'TRUE'])
      expect((await event({ [name]: value }))[name]).toBe(true);
    for (const value of [false, 0, '0', 'false', 'False'])
      expect((await event({ [name]: value }))[name]).toBe(false);
    for (const value of ['yes', 'on', 'no', '', ' 1', 2, null, [], {}]) {
      const body = { title: 'x', ...times, [name]: value };
      const reply = await app.call('POST', '/events', { as: 'editor', body });
      expect([value, reply.status, Object.keys(reply.body.data?.params ?? {})]).toEqual([value, 400, [name]]);
      expect(Object.keys(reply.body.data.details)).toEqual([name]);
    }
  });

  test('a loose flag of a list is true for four words in any case, and false for all others', async () => {
    const { id } = await app.create('venues', { venue: 'Flagged' });
    await event({ venue: id });
    await app.create('venues', { venue: 'Flagged too' });
    const found = async (query: string) => names(await app.call('GET', `/venues?search=flagged&${query}`));
    for (const word of ['true', '1', 'yes', 'on', 'TRUE', 'Yes', 'ON']) {
      expect([word, await found(`has_events=${word}`)]).toEqual([word, ['Flagged']]);
      expect([word, await found(`only_with_upcoming=${word}`)]).toEqual([word, ['Flagged']]);
    }
    for (const word of ['false', '0', 'no', 'off', '', 'y', '2']) {
      expect([word, await found(`has_events=${word}`)]).toEqual([word, ['Flagged too']]);
      expect([word, await found(`only_with_upcoming=${word}`)]).toEqual([word, ['Flagged too', 'Flagged']]);
    }
  });

  test('strict_dates is true for the same words, false for others, and refused when empty', async () => {
    await event({ excerpt: 'strict', start_date: '2027-07-01 10:00:00', end_date: '2027-07-01 11:00:00' });
    const found = async (word: string) =>
      (await app.call('GET', `/events?search=strict&start_date=2027-07-01+10:00:01&strict_dates=${word}`))
        .body.total;
    for (const word of ['true', '1', 'yes', 'on', 'YES'])
      expect([word, await found(word)]).toEqual([word, 0]);
    for (const word of ['false', '0', 'no', 'perhaps']) expect([word, await found(word)]).toEqual([word, 1]);
    expect(await found('')).toBeUndefined();
  });

  test.each([
    [
      'venues',
      'venue',
      ['address', 'city', 'province', 'state', 'zip', 'phone', 'stateprovince'],
      ['country', 'website'],
    ],
    ['organizers', 'organizer', ['phone', 'website', 'email'], []],
  ] as const)('%s are searched by %s, %j, and not %j', async (collection, kind, searched, otherFields) => {
    const search = async (word: string) => names(await app.call('GET', `/${collection}?search=${word}`));
    for (const field of [...searched, ...otherFields, 'description']) {
      const value = field === 'website' ? `https://in${field}.example.org/` : `Has in${field} here`;
      await app.create(collection, { [kind]: `With ${field}`, [field]: value });
    }
    for (const field of [...searched, 'description']) {
      expect(await search(`IN${field}`)).toContain(`With ${field}`);
      expect(await search(`in${field}+with`)).toEqual([]);
    }
    for (const field of otherFields) expect(await search(`in${field}`)).toEqual([]);
    expect(await search('with+description')).toEqual(['With description']);
  });
});

describe('defaults', () => {
  test('of a new event are false flags, its own page, and nothing else', async () => {
    expect(await event({})).toMatchObject({
      status: 'publish',
      all_day: false,
      show_map: false,
      show_map_link: false,
      hide_from_listings: false,
      sticky: false,
      featured: false,
      image: false,
      cost: '',
      description: '',
      excerpt: '',
      timezone: 'UTC',
      categories: [],
      tags: [],
      venue: [],
      organizer: [],
      custom_fields: [],
    });
  });
});
