/** Tables: the round trip of `export` and `import`, and the files of The Events Calendar for WordPress and of spreadsheets. */

import { describe, expect, test } from 'vitest';
import { parseRecord, type RawRecord } from '../../scripts/calendar/import/record.ts';
import { cell, textOfCell } from '../../scripts/calendar/table/cell.ts';
import { joinNames, namesIn } from '../../scripts/calendar/table/name-list.ts';
import { openTestLog } from '../support/calendar-log.ts';
import { anyText, fc, numRuns } from '../support/properties.ts';
import { save } from './support/as-editor.ts';
import { calendarWithFiles } from './support/calendar-with-files.ts';

const at = '2020-01-01 00:00:00';
const post = { author: 1, status: 'publish', date: at, date_utc: at, modified: at, modified_utc: at };
const times = {
  start_date: '2031-05-01 10:00:07',
  end_date: '2031-05-01 12:00:00',
  timezone: 'Europe/Berlin',
  utc_start_date: '2031-05-01 08:00:07',
  utc_end_date: '2031-05-01 10:00:00',
};

type Calendar = ReturnType<typeof calendarWithFiles>;

/** Puts records into a calendar as the service stores them, without those that it would refuse. */
async function store(calendar: Calendar, records: readonly RawRecord[]): Promise<void> {
  const target = await calendar.open();
  await target.records();
  const parsed = records.map((record) => parseRecord(record, target.context).record);
  const puts = parsed.flatMap((record) =>
    record === undefined ? [] : [{ key: `${record.kind}/${record.id}`, json: JSON.stringify(record) }],
  );
  target.close();
  const log = openTestLog(calendar.settings);
  for (let index = 0; index < puts.length; index += 40)
    await log.write(() => ({ puts: puts.slice(index, index + 40), deletes: [], result: undefined }));
  log.close();
}

const awkward = fc.oneof(
  anyText({ maxLength: 20 }),
  fc.constantFrom(
    'Tom & Jerry',
    'Ann’s “Hall”',
    'A; B',
    'A, B',
    '"quoted"',
    "'=1+1",
    '=1+1',
    '-',
    "''",
    ' a ',
    'a\nb',
    '&amp;',
    '&lt;b&gt;',
    '<b>x</b>',
    '&#8217;',
    'Straße',
    '日本',
    '1 < 2',
    '$5',
    '2024',
    '10; 20',
    '"',
    // Control characters, and other ends of lines.
    'a\u0007b',
    'a\vb',
    '\u001f',
    'a\u0085b',
    'a\u2028b',
    'a\rb',
    'a\tb',
    '\ufeffa',
  ),
);

/** A picture whose bytes this service has. */
const uploaded = {
  kind: 'image',
  id: 8,
  url: 'urn:picture:0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f.png',
  width: 10,
  height: 10,
  stored: {
    blob: '0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f.png',
    file: 'poster.png',
    mime_type: 'image/png',
    author: 1,
    title: 'Poster',
    date: '2020-01-01 00:00:00',
    date_utc: '2020-01-01 00:00:00',
    modified: '2020-01-01 00:00:00',
    modified_utc: '2020-01-01 00:00:00',
  },
};

const calendars = fc
  .record({
    names: fc.array(awkward, { minLength: 6, maxLength: 6 }),
    events: fc.array(
      fc.record({
        texts: fc.array(awkward, { minLength: 4, maxLength: 4 }),
        cost: fc.array(awkward, { maxLength: 2 }),
        links: fc.subarray([1, 2]),
        flags: fc.boolean(),
        website: fc.constantFrom('', 'https://example.org/?a=1&b=2'),
      }),
      { minLength: 5, maxLength: 5 },
    ),
  })
  .map(({ names, events }): RawRecord[] => [
    { kind: 'author', id: 1, subject: 'ann' },
    { kind: 'image', id: 9, url: 'https://example.org/a,b.png' },
    uploaded,
    ...[1, 2].map((id) => ({ kind: 'category', id, name: `${id} ${names[id - 1]}`, slug: `c${id}` })),
    ...[1, 2].map((id) => ({ kind: 'tag', id: id + 2, name: `${id} ${names[id + 1]}`, slug: `t${id}` })),
    ...[1, 2].map((id) => ({ kind: 'venue', id, title: `${id} ${names[id + 3]}`, slug: `v${id}`, ...post })),
    ...[1, 2].map((id) => ({
      kind: 'organizer',
      id: id + 2,
      title: `${id} ${names[id + 3]}`,
      slug: `o${id}`,
      ...post,
    })),
    ...events.map(({ texts, cost, links, flags, website }, index) => ({
      kind: 'event',
      id: 20 + index,
      ...post,
      ...times,
      slug: `e${index}`,
      cost,
      website,
      title: `E${index} ${texts[0]}`,
      description: texts[1],
      excerpt: texts[2],
      categories: links,
      tags: links.map((id) => id + 2),
      image: flags ? 9 : [undefined, 8][links.length % 2],
      venue: links,
      organizer: links.map((id) => id + 2),
      show_map: flags,
      featured: flags,
      all_day: false,
    })),
  ]);

describe('an export that is imported again', () => {
  test('has the address of an uploaded picture', async () => {
    const calendar = calendarWithFiles();
    const event = { kind: 'event', id: 20, ...post, ...times, slug: 'a', title: 'A', image: 8 };
    await store(calendar, [{ kind: 'author', id: 1, subject: 'ann' }, uploaded, event]);
    const address = 'https://new.example.org/wp-json/tribe/events/v1/pictures/8/8e3f0a1b2c3d4e5f/poster.png';
    expect(await calendar.export('all.csv')).toContain(`,${address},`);
    expect(await calendar.import('all.csv', undefined, true)).toContain(
      'import: 0 new, 0 changed, 1 unchanged.',
    );
  });

  test.each(['csv', 'jsonl', 'ics'])('changes nothing: %s', async (extension) => {
    await fc.assert(
      fc.asyncProperty(calendars, async (records) => {
        const calendar = calendarWithFiles();
        await store(calendar, records);
        const before = await calendar.stored();
        await calendar.export(`all.${extension}`);
        expect(await calendar.import(`all.${extension}`, undefined)).toMatch(
          /import: 0 new, 0 changed, \d+ unchanged\.$|Comparison/,
        );
        expect(await calendar.stored()).toEqual(before);
      }),
      numRuns(2),
    );
  });

  test('gives another calendar the same table', async () => {
    await fc.assert(
      fc.asyncProperty(calendars, async (records) => {
        const calendar = calendarWithFiles();
        const copy = calendarWithFiles();
        await store(calendar, records);
        const text = await calendar.export('all.csv');
        expect(await copy.import('all.csv', text)).toMatch(/import: \d+ new, 0 changed, 0 unchanged\.$/);
        const withoutIds = (table: string) => table.replace(/^\d+,/gm, ',');
        expect(withoutIds(await copy.export('all.csv'))).toBe(withoutIds(text));
        expect(await copy.import('all.csv', text)).toContain('import: 0 new, 0 changed');
      }),
      numRuns(2),
    );
  });

  test('of another calendar never changes an event that has an id of the table', async () => {
    const calendar = calendarWithFiles();
    await calendar.import('a.csv', 'title,start_date\r\nHere,2031-01-01\r\n');
    const [event] = await calendar.records();
    const text = `id,title,slug,start_date,end_date\r\n${event?.['id']},There,there,2031-02-02,2031-02-02\r\n`;
    expect(await calendar.import('b.csv', text)).toContain('import: 1 new, 0 changed');
    expect([...(await calendar.events()).keys()].sort()).toEqual(['Here', 'There']);
  });
});

test('a cell and a list of names are read as they were written', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(awkward, fc.string()), { maxLength: 4 }), (names) => {
      const filled = names.filter((name) => name !== '');
      expect(namesIn(joinNames(filled), true)).toEqual(filled);
      expect(namesIn(joinNames(filled, /;/), false)).toEqual(filled);
      for (const name of names) expect(textOfCell(name)).toBe(name.startsWith("'") ? textOfCell(name) : name);
    }),
  );
  expect(['=1', "'=1", "''=1", '-5', '+5', '@a', '\t=1', "'", 'a;b', ' a'].map(cell)).toEqual([
    "'=1",
    "''=1",
    "'''=1",
    "'-5",
    "'+5",
    "'@a",
    "'\t=1",
    "'",
    '"a;b"',
    '" a"',
  ]);
  expect(["'=1", "''=1", "'''=1", "'-5", "'", 'a'].map(textOfCell)).toEqual([
    '=1',
    "'=1",
    "''=1",
    '-5',
    "'",
    'a',
  ]);
});

const original = [
  'Event Name,Event Description,Event Start Date,Event Start Time,Event End Date,Event End Time,Event Time Zone,All Day Event,Hide Event From Event Listings,Event Sticky in Month View,Feature Event,Event Venue Name,Event Organizer Name(s) or ID(s),Event Show Map Link,Event Show Map,Event Cost,Event Currency Symbol,Event Currency Position,Event ISO Currency Code,Event Category,Event Tags,Event Website,Event Featured Image,Allow Comments',
  '"Rock &amp; Roll","<p>Loud</p>",5/1/2031,7:00 PM,5/1/2031,9:30 PM,America/New_York,FALSE,TRUE,1,yes,"Hall, big","Ann, Bob &amp; Co",TRUE,true,12,€,suffix,EUR,"Music, 2024","a, b",https://example.org/,https://example.org/a.jpg,open',
  'Talk,,2031-06-01,10:00,2031-06-01,11:00,Eastern Standard Time,,,,,,,,,5-10,,,DKK,,,,17,',
  'Mars,,2031-07-01,10:00,2031-07-01,11:00,Mars/Olympus,,,,,,,,,free,$,prefix,USD,,,,,',
  'Fair,,2031-06-01,,2031-06-02,,,TRUE',
  'Nothing,,when it rains',
  '',
].join('\r\n');

describe('a table of The Events Calendar', () => {
  test('has all its columns imported, and names the others', async () => {
    const calendar = calendarWithFiles();
    const output = await calendar.import('events.csv', original);
    expect(output).toContain('import: 4 new, 0 changed, 0 unchanged.');
    expect(output).toMatch(/refused: line 6: .*start_date/);
    expect(output).toContain('Columns that were not understood: "Allow Comments".');
    expect(output).toContain('Pictures that have no address, and are left out: "17".');
    expect(output).toContain(
      'Unknown time zones, whose times are read as those of the site: "Mars/Olympus".',
    );
    const events = await calendar.events();
    expect(events.get('Rock &#038; Roll')).toMatchObject({
      start_date: '2031-05-01 19:00:00',
      end_date: '2031-05-01 21:30:00',
      timezone: 'America/New_York',
      hide_from_listings: true,
      sticky: true,
      featured: true,
      show_map: true,
      show_map_link: true,
      cost: '12€',
      website: 'https://example.org/',
      image: { url: 'https://example.org/a.jpg' },
      venue: { venue: 'Hall, big' },
      organizer: [{ organizer: 'Ann' }, { organizer: 'Bob &#038; Co' }],
      categories: [{ name: '2024' }, { name: 'Music' }],
      tags: [{ name: 'a' }, { name: 'b' }],
    });
    expect(events.get('Talk')).toMatchObject({
      timezone: 'America/New_York',
      start_date: '2031-06-01 10:00:00',
      cost: 'DKK5 – DKK10',
    });
    expect(events.get('Mars')).toMatchObject({ timezone: 'Europe/Copenhagen', cost: 'free' });
    expect(events.get('Fair')).toMatchObject({
      all_day: true,
      start_date: '2031-06-01 00:00:00',
      end_date: '2031-06-02 23:59:59',
      venue: [],
    });
    expect(await calendar.import('events.csv', undefined)).toContain(
      'import: 0 new, 0 changed, 4 unchanged.',
    );
  });

  test('has a flag that is set by a whole word alone', async () => {
    const calendar = calendarWithFiles();
    const set = ['TRUE', '1', 'yes', 'Y', 'on', 'x', 'checked'];
    const unset = ['once', 'untrue', '10', 'no', 'yesterday', '0', 'unchecked'];
    const lines = [...set, ...unset].map((word) => `${word},2031-05-01,${word}\r\n`);
    await calendar.import('a.csv', `Event Name,Event Start Date,Event Featured\r\n${lines.join('')}`);
    const featured = [...(await calendar.events())].filter(([, view]) => view['featured'] === true);
    expect(featured.map(([title]) => title).sort()).toEqual([...set].sort());
  });

  test('has other headings of the same columns', async () => {
    const calendar = calendarWithFiles();
    const columns = [
      ['Event Excerpt', 'Short'],
      ['Event All Day', 'no'],
      ['Event Timezone', 'America/New_York'],
      ['Event Hide From Upcoming', 'yes'],
      ['Event Show Map', 'no'],
      ['Event Show Map Link', 'yes'],
      ['Event Slug', 'my-slug'],
      ['Event Status', 'private'],
      ['Event Cost', '12'],
      ['Event Currency Symbol', 'kr'],
      ['Event Currency Position', 'postfix'],
      ['Event Featured Image', 'http://example.org/a.jpg'],
      ['Event Organizer Name', 'Ann'],
      ['Event Categories', 'Music'],
    ];
    const names = columns.map(([name]) => name);
    const cells = columns.map(([, cell]) => cell);
    await calendar.import('a.csv', `Event Name,Event Start Date,${names}\r\nA,2031-05-01 10:00,${cells}\r\n`);
    await calendar.import(
      'b.csv',
      'Event Name,Event Start Date,Time Zone,Event Cost,Event Currency Symbol\r\nB,2031-05-01,"""Asia/Tokyo""",0,$\r\n',
    );
    const events = await calendar.events();
    expect(events.get('A')).toMatchObject({
      excerpt: '<p>Short</p>',
      all_day: false,
      timezone: 'America/New_York',
      hide_from_listings: true,
      show_map: false,
      show_map_link: true,
      slug: 'my-slug',
      status: 'private',
      cost: '12kr',
      image: { url: 'http://example.org/a.jpg' },
      organizer: [{ organizer: 'Ann' }],
      categories: [{ name: 'Music' }],
      description: '',
      sticky: false,
      featured: false,
    });
    expect(events.get('B')).toMatchObject({ timezone: 'Asia/Tokyo', cost: 'Free' });
    await calendar.import(
      'venues.csv',
      'Venue Name,Venue Country,Venue Description,Venue State,Venue Postal Code,Venue URL,Venue Show Map,Venue Show Map Link\r\n' +
        'Hall,US,Large,IL,62701,https://example.org/,no,yes\r\n',
    );
    await calendar.import(
      'organizers.csv',
      'Organizer Name,Organizer Description,Organizer Website,Organizer E-mail\r\nBob,Tall,https://example.org/,b@example.org\r\n',
    );
    const stored = await calendar.stored();
    expect(stored).toContainEqual(
      expect.objectContaining({
        title: 'Hall',
        description: 'Large',
        state: 'IL',
        zip: '62701',
        website: 'https://example.org/',
        show_map: false,
        show_map_link: true,
      }),
    );
    expect(stored).toContainEqual(
      expect.objectContaining({
        title: 'Bob',
        description: 'Tall',
        website: 'https://example.org/',
        email: 'b@example.org',
      }),
    );
  });

  test('links several venues, and organizers by id or name, where the calendar has them', async () => {
    const calendar = calendarWithFiles();
    await calendar.import('venues.csv', 'Venue Name\r\nHall\r\nPark\r\n"Hall, big"\r\n');
    await calendar.import('organizers.csv', 'Organizer Name\r\n"Smith, Ann"\r\nBob\r\n');
    const target = await calendar.open();
    const bob = [...(await target.records())].find((record) => 'title' in record && record.title === 'Bob');
    target.close();
    const line = (title: string, venue: string, organizer: string) =>
      `${title},2031-05-01,"${venue}","${organizer}"\r\n`;
    await calendar.import(
      'events.csv',
      'Event Name,Event Start Date,Event Venue Name,Event Organizer Name(s)\r\n' +
        line('A', 'Hall, Park', `${bob?.id}, Carl`) +
        line('B', 'Hall, big', 'Smith, Ann'),
    );
    const events = await calendar.events();
    expect(events.get('A')).toMatchObject({
      venue: [{ venue: 'Hall' }, { venue: 'Park' }],
      organizer: [{ organizer: 'Bob' }, { organizer: 'Carl' }],
    });
    expect(events.get('B')).toMatchObject({
      venue: { venue: 'Hall, big' },
      organizer: [{ organizer: 'Smith, Ann' }],
    });
  });

  test('of venues and of organizers creates them, and updates them by name', async () => {
    const calendar = calendarWithFiles();
    const venues = [
      'Venue Name,Venue Country,Venue Address,Venue Address 2,Venue City,Venue State/Province,Venue Zip,Venue Phone,Venue Website,Venue Fax,Venue Latitude,Venue Longitude',
      'Ann’s &amp; Bob’s,United States,1 Street,Floor 2,Springfield,IL,62701,555,https://example.org/,1,55.5,-122.25',
      'Hall,Denmark,,,Aarhus,Jutland,8000,,,',
      'hall,Denmark,,,Aalborg,,9000,,,',
      'Bad,,,,,,,,example,',
      '',
    ].join('\n');
    const output = await calendar.import('venues.csv', venues);
    expect(output).toContain('import: 2 new, 0 changed, 0 unchanged.');
    expect(output).toContain('refused: line 4: venue is the name of line 3 too');
    expect(output).toContain('refused: line 5: website must be an absolute URL');
    expect(output).toContain('not understood: "Venue Fax"');
    const organizers = 'Organizer Name,Organizer Email,Organizer Phone\nAnn,ann@example.org,555\n';
    expect(await calendar.import('organizers.csv', organizers)).toContain('import: 1 new');
    expect(await calendar.import('organizers.csv', organizers)).toContain('0 changed, 1 unchanged.');
    const target = await calendar.open();
    const views = (await target.records()).flatMap(({ kind, id }) =>
      kind === 'venue' || kind === 'organizer' ? [target.view(kind, id)] : [],
    );
    target.close();
    expect(views).toMatchObject([
      {
        venue: 'Ann’s &#038; Bob’s',
        address: '1 Street, Floor 2',
        city: 'Springfield',
        state: 'IL',
        geo_lat: 55.5,
        geo_lng: -122.25,
        zip: '62701',
        phone: '555',
        website: 'https://example.org/',
        country: 'United States',
      },
      { venue: 'Hall', province: 'Jutland', city: 'Aarhus' },
      { organizer: 'Ann', email: 'ann@example.org', phone: '555' },
    ]);
    expect(await calendar.import('organizers.csv', organizers.replace('555', '556'))).toContain(
      'import: 0 new, 1 changed, 0 unchanged.',
    );
  });
});

test('a table of Google or Outlook is one of events, and private ones are private', async () => {
  const calendar = calendarWithFiles();
  const text = [
    'Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private',
    'Concert,05/30/2031,10:00 AM,05/30/2031,1:00 PM,False,Loud,Hall,False',
    'Board,05/31/2031,10:00 AM,05/31/2031,1:00 PM,False,,,True',
  ].join('\r\n');
  expect(await calendar.import('google.csv', text)).toContain('import: 2 new');
  const events = await calendar.events();
  expect(events.get('Concert')).toMatchObject({
    start_date: '2031-05-30 10:00:00',
    end_date: '2031-05-30 13:00:00',
    status: 'publish',
    venue: { venue: 'Hall' },
  });
  expect(events.get('Board')).toMatchObject({ status: 'private' });
});

test('a table of events whose title has an unknown heading is refused, with what is missing', async () => {
  const calendar = calendarWithFiles();
  for (const text of [
    'Name of it,Event Start Date,Venue Name\r\nA,2031-05-01,Hall\r\n',
    'Name of it;Start Date;Venue Name\r\nA;2031-05-01;Hall\r\n',
  ])
    await expect(calendar.import('events.csv', text)).rejects.toThrow(
      'is no table of events: its first line has columns of events, and none of the headings for the title (title, Event Name, Subject).',
    );
  expect(await calendar.stored()).toEqual([]);
});

test('an event from 22:00 to 02:00 ends on the next day, and the report says so', async () => {
  const calendar = calendarWithFiles();
  const text = [
    'EVENT NAME,Event Start Date,Event Start Time,Event End Date,Event End Time,Featured Image,Hide',
    'Night,2031-05-01,10:00 PM,2031-05-01,2:00 AM,https://example.org/a.png,1',
    'Later,2031-05-01,22:00,,02:00,,',
    'Wrong,2031-05-03,10:00,2031-05-01,12:00,,',
  ].join('\r\n');
  const output = await calendar.import('nights.csv', text);
  expect(output).toContain('imported with their end on the next day: "line 2", "line 3".');
  expect(output).toContain('imported with their start as end: "line 4".');
  const events = await calendar.events();
  for (const title of ['Night', 'Later'])
    expect(events.get(title)).toMatchObject({ end_date: '2031-05-02 02:00:00' });
  expect(events.get('Night')).toMatchObject({
    image: { url: 'https://example.org/a.png' },
    hide_from_listings: true,
  });
  expect(await calendar.import('nights.csv', text)).toContain('import: 0 new, 0 changed, 3 unchanged.');
});

const utf16 = (text: string, isBigEndian: boolean, mark: string) => {
  const bytes = Buffer.from(mark + text, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};

test('an event is not given to a venue in the trash, and columns that were not understood are counted', async () => {
  const calendar = calendarWithFiles();
  await calendar.import('venues.csv', 'Venue Name\r\nHall\r\n');
  await calendar.import('organizers.csv', 'Organizer Name\r\nAnn\r\n');
  const target = await calendar.open();
  const [venue] = (await target.records()).filter(({ kind }) => kind === 'venue');
  const [organizer] = (await target.records()).filter(({ kind }) => kind === 'organizer');
  await save(target, venue?.id, { status: 'trash' }, 'venue');
  await save(target, organizer?.id, { status: 'trash' }, 'organizer');
  for (const name of ['Park', 'Park']) await save(target, undefined, { venue: name }, 'venue');
  const ids = (await target.records()).flatMap(({ kind, id }) => (kind === 'venue' ? [id] : []));
  target.close();
  await calendar.import(
    'linked.csv',
    `title,start_date,Event Venue Name,Event Organizer Name\r\nB,2031-05-01,,${organizer?.id}\r\nC,2031-05-01,Park\r\n`,
  );
  const linked = await calendar.events();
  expect(linked.get('B')).toMatchObject({ organizer: [{ organizer: String(organizer?.id) }] });
  // Of two venues with one name it is the earlier.
  expect(linked.get('C')).toMatchObject({
    venue: { id: Math.min(...ids.filter((id) => id !== venue?.id)) },
  });
  const unknown = Array.from({ length: 25 }, (_, index) => `Column ${index}`);
  const text = `title,start_date,venue,${unknown}\r\nA,2031-05-01,Hall\r\n`;
  expect(await calendar.import('events.csv', text)).toMatch(/"Column 19" and 5 more\.$/);
  expect((await calendar.events()).get('A')).toMatchObject({ venue: { venue: 'Hall', status: 'publish' } });
});

describe('a table of a spreadsheet', () => {
  const semicolons = 'Event Name;Event Start Date;Event Cost\r\nÆrø "fest";2031-05-01;1,50\r\n'.replace(
    'Ærø "fest"',
    '"Ærø ""fest"""',
  );

  test.each([
    ['semicolons and a byte order mark', `\uFEFF${semicolons}`],
    ['tabs and UTF-16, little endian', utf16(semicolons.replaceAll(';', '\t'), false, '\uFEFF')],
    ['line feeds and UTF-16, big endian', utf16(semicolons.replaceAll('\r\n', '\n'), true, '\uFEFF')],
    ['carriage returns and UTF-16 without a mark', utf16(semicolons.replaceAll('\r\n', '\r'), false, '')],
    ['UTF-16 without a mark, big endian', utf16(semicolons, true, '')],
    ['Windows-1252', Buffer.from(semicolons, 'latin1')],
  ])('with %s is read', async (_title, bytes) => {
    const calendar = calendarWithFiles();
    expect(await calendar.import('a.csv', bytes)).toContain('import: 1 new, 0 changed, 0 unchanged.');
    expect((await calendar.records())[0]).toMatchObject({
      slug: expect.stringMatching(/^aero-fest-/),
      cost: '$1,50',
    });
  });

  test.each<[title: string, text: string | Uint8Array, message: string]>([
    ['nothing', '', 'is no table of events, venues or organizers'],
    ['other headings', 'a,b\r\n1,2\r\n', 'is no table of events, venues or organizers'],
    ['an open quote', 'title,start_date\r\n"a,2031-01-01\r\n', 'no.csv: '],
    ['bytes', Buffer.from([0, 1, 2, 0xff, 0xfe, 0x80]), 'no.csv'],
    ['a spreadsheet', Buffer.from('PK\u0003\u0004\0\0\u0008\0'), 'no.csv'],
  ])('that is no table, %s, is refused with a sentence', async (_title, text, message) => {
    await expect(calendarWithFiles().import('no.csv', text)).rejects.toThrow(message);
  });

  test.each<[title: string, limits: object, message: RegExp]>([
    ['bytes', { fileBytes: { '.csv': 20 } }, /an import reads 0 MiB: split the file/],
    ['lines', { records: 1 }, /has more than 1 lines: split the file/],
    ['characters of a cell', { lineLength: 40 }, /Max Record Size/],
    ['seconds', { readMs: 1 }, /took more than 0.001 seconds to read/],
  ])('beyond its limit of %s is refused with a sentence', async (_title, limits, message) => {
    const text = `title,start_date\r\n${'a,2031-01-01\r\n'.repeat(2)}${'b'.repeat(50)},2031-01-01\r\n`;
    await expect(calendarWithFiles().import('no.csv', text, false, limits)).rejects.toThrow(message);
  });

  test('with cells behind the last column has this line refused', async () => {
    const output = await calendarWithFiles().import(
      'a.csv',
      'title,start_date\r\nA,2031-01-01\r\nB, C,2031-01-01\r\nD,2031-01-01,,\r\n',
    );
    expect(output).toContain('import: 2 new');
    expect(output).toContain('refused: line 3: it has more cells than the first line');
  });
});
