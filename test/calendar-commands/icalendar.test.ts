/** iCalendar of Google, Outlook and Apple, files of this calendar that came back, and hostile files. */

import { describe, expect, test } from 'vitest';
import { calendarWithFiles, iCalendar, vevent } from './support/calendar-with-files.ts';

const times = ['DTSTART:20310501T100000Z', 'DTEND:20310501T120000Z'];

const outlookZone = [
  'BEGIN:VTIMEZONE',
  'TZID:Romance Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'END:STANDARD',
  'END:VTIMEZONE',
];
const ownZone = [
  'BEGIN:VTIMEZONE',
  'TZID:Office',
  'BEGIN:STANDARD',
  'DTSTART:16010101T000000',
  'TZOFFSETFROM:+0300',
  'TZOFFSETTO:+0300',
  'END:STANDARD',
  'END:VTIMEZONE',
];

describe('an event of another program', () => {
  const events: readonly [title: string, lines: readonly string[], expected: object][] = [
    ['is private: CLASS:PRIVATE', [...times, 'CLASS:PRIVATE'], { status: 'private' }],
    [
      'is private: CLASS:CONFIDENTIAL',
      [...times, 'CLASS:CONFIDENTIAL', 'STATUS:TENTATIVE'],
      { status: 'private' },
    ],
    ['is private: CLASS:private', [...times, 'CLASS:private'], { status: 'private' }],
    ['is published: CLASS:PUBLIC', [...times, 'CLASS:PUBLIC'], { status: 'publish' }],
    [
      'has a zone of Windows, without its rules',
      [
        'DTSTART;TZID=Romance Standard Time:20310701T100000',
        'DTEND;TZID=Romance Standard Time:20310701T110000',
      ],
      { start_date: '2031-07-01 10:00:00', timezone: 'Europe/Paris', utc_start_date: '2031-07-01 08:00:00' },
    ],
    [
      'has a zone that the file alone knows',
      ['DTSTART;TZID=Office:20310701T100000', 'DTEND;TZID=Office:20310701T110000'],
      {
        start_date: '2031-07-01 09:00:00',
        end_date: '2031-07-01 10:00:00',
        timezone: 'Europe/Copenhagen',
      },
    ],
    [
      'has a zone with a longer name',
      ['DTSTART;TZID=/mozilla.org/20050126_1/America/New_York:20310701T100000', 'DURATION:PT1H'],
      {
        start_date: '2031-07-01 10:00:00',
        end_date: '2031-07-01 11:00:00',
        timezone: 'America/New_York',
      },
    ],
    [
      'has another zone at its end',
      ['DTSTART;TZID=Europe/Berlin:20310701T100000', 'DTEND;TZID=America/New_York:20310701T100000'],
      {
        start_date: '2031-07-01 10:00:00',
        end_date: '2031-07-01 16:00:00',
        timezone: 'Europe/Berlin',
      },
    ],
    [
      'ends at an instant, and begins at a time without a zone',
      ['DTSTART:20310701T100000', 'DTEND:20310701T100000Z'],
      { start_date: '2031-07-01 10:00:00', end_date: '2031-07-01 12:00:00' },
    ],
    [
      'lasts whole days in the way of Outlook',
      [
        'DTSTART;TZID=Romance Standard Time:20310701T000000',
        'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
        'DTEND;TZID=Romance Standard Time:20310703T000000',
      ],
      { all_day: true, start_date: '2031-07-01 00:00:00', end_date: '2031-07-02 23:59:59' },
    ],
    [
      'lasts whole days and half an hour in the way of Outlook',
      ['DTSTART:20310701T000000', 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE', 'DTEND:20310703T003000'],
      { all_day: true, start_date: '2031-07-01 00:00:00', end_date: '2031-07-03 23:59:59' },
    ],
    [
      'lasts a whole day that ends with itself',
      ['DTSTART;VALUE=DATE:20310701', 'DTEND;VALUE=DATE:20310701'],
      { all_day: true, start_date: '2031-07-01 00:00:00', end_date: '2031-07-01 23:59:59' },
    ],
    [
      'has an organizer without a name, and a picture before those attached',
      [
        ...times,
        'ORGANIZER:mailto:ann@example.org',
        'ATTACH:https://example.org/a.jpg',
        'IMAGE;VALUE=URI:https://example.org/i.png',
      ],
      {
        organizer: [{ organizer: 'ann@example.org', email: 'ann@example.org' }],
        image: { url: 'https://example.org/i.png' },
      },
    ],
    [
      'is on the other side of the earth',
      [...times, 'LOCATION:Pier', 'GEO:-36.85;174.76'],
      { venue: { venue: 'Pier', geo_lat: -36.85, geo_lng: 174.76 } },
    ],
    [
      'has HTML of Google',
      [
        ...times,
        'DESCRIPTION:<b>Loud</b> &amp\\; <a href="https://x.org">here</a><br>Second<script>x</script>',
      ],
      { description: '<p><b>Loud</b> &#038; <a href="https://x.org">here</a><br />Secondx</p>' },
    ],
    [
      'has HTML of Outlook',
      [
        ...times,
        'DESCRIPTION:Plain',
        'X-ALT-DESC;FMTTYPE=text/html:<html><head><title>T</title></head><body>\\n<!--a--><p>Rich</p><!--b--></body></html>',
      ],
      { description: '<p>Rich</p>' },
    ],
    [
      'has an empty document of Outlook',
      [
        ...times,
        'DESCRIPTION:Plain',
        'X-ALT-DESC;FMTTYPE=text/html:<html><body><p>&nbsp\\;</p></body></html>',
      ],
      { description: '<p>Plain</p>' },
    ],
    [
      'has a location of Apple, with lines',
      [...times, 'LOCATION:Ann\\, Bob & Co\\nMain Street 1\\n8000 Aarhus'],
      { venue: { venue: 'Ann, Bob &#038; Co', address: 'Main Street 1, 8000 Aarhus' } },
    ],
    [
      'has a structured location of Apple',
      [
        ...times,
        'LOCATION:Town Hall',
        'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="Main Street 1\\\\n8000 Aarhus";X-APPLE-RADIUS=70;X-TITLE="Town Hall":geo:56.15,10.2',
      ],
      {
        venue: {
          venue: 'Town Hall',
          address: 'Main Street 1, 8000 Aarhus',
          geo_lat: 56.15,
          geo_lng: 10.2,
        },
      },
    ],
    [
      'has an attached picture',
      [
        ...times,
        'ATTACH:https://example.org/program.pdf',
        'ATTACH;VALUE=BINARY;ENCODING=BASE64:AAAA',
        'ATTACH;FMTTYPE=image/jpeg:https://example.org/fest ival.jpg',
      ],
      { image: { url: 'https://example.org/fest%20ival.jpg' } },
    ],
    [
      'has an unknown zone',
      ['DTSTART;TZID=Mars/Olympus:20310701T100000', 'DURATION:PT1H'],
      { start_date: '2031-07-01 10:00:00', timezone: 'Europe/Copenhagen' },
    ],
    [
      'has an attached picture with a query',
      [...times, 'ATTACH:https://example.org/a.jpg?w=9'],
      { image: { url: 'https://example.org/a.jpg?w=9' } },
    ],
    ['is a draft: STATUS:Tentative', [...times, 'STATUS:Tentative'], { status: 'draft' }],
    ['has an empty category', [...times, 'CATEGORIES:Music,'], { categories: [{ name: 'Music' }] }],
    [
      'has entities alone',
      [...times, 'DESCRIPTION:Tom &amp\\; Jerry'],
      { description: '<p>Tom &#038; Jerry</p>' },
    ],
    [
      'has a document of a picture alone',
      [
        ...times,
        'DESCRIPTION:Plain',
        'X-ALT-DESC;FMTTYPE=text/html:<html><body><img src="https://o.org/a.png" alt="A"></body></html>',
      ],
      { description: expect.stringContaining('https://o.org/a.png') },
    ],
    [
      'has a place on earth beside that of Apple',
      [
        ...times,
        'LOCATION:Quay',
        'GEO:56.1;10.1',
        'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="Quay":geo:1.5,2.5',
      ],
      { venue: { venue: 'Quay', geo_lat: 56.1, geo_lng: 10.1 } },
    ],
    [
      'has UTC by the name of Microsoft',
      ['DTSTART;TZID="tzone://Microsoft/Utc":20310701T100000', 'DURATION:PT1H'],
      { utc_start_date: '2031-07-01 10:00:00' },
    ],
    ['has an invalid website', [...times, 'URL:https://[x'], { website: expect.stringContaining('/event/') }],
  ];

  test('is imported in each form, and is unchanged when it is imported again', async () => {
    const calendar = calendarWithFiles();
    const components = events.flatMap(([title, lines]) => vevent(`${title}@o`, `SUMMARY:${title}`, ...lines));
    const text = iCalendar(...ownZone, ...components);
    const output = await calendar.import('all.ics', text);
    expect(output).toContain(
      'Unknown time zones, whose times are read as those of the site: "Mars/Olympus".',
    );
    const found = Object.fromEntries(await calendar.events());
    for (const [title, , expected] of events) expect(found[title], title).toMatchObject(expected);
    expect(await calendar.import('all.ics', text)).toContain(
      `import: 0 new, 0 changed, ${events.length} unchanged.`,
    );
  });

  test('has a zone of Windows, with rules of the file', async () => {
    const calendar = calendarWithFiles();
    const lines = ['DTSTART;TZID=Romance Standard Time:20310701T100000', 'DURATION:PT1H'];
    await calendar.import('one.ics', iCalendar(...outlookZone, ...vevent('one@o', 'SUMMARY:One', ...lines)));
    expect(await calendar.records()).toMatchObject([
      { start_date: '2031-07-01 10:00:00', timezone: 'Europe/Paris', utc_start_date: '2031-07-01 08:00:00' },
    ]);
  });

  test('is recurring until a time in UTC, in its local times', async () => {
    const calendar = calendarWithFiles();
    const lines = [
      'SUMMARY:Weekly',
      'DTSTART;TZID=Romance Standard Time:20270322T100000',
      'DURATION:PT1H',
      'RRULE:FREQ=WEEKLY;UNTIL=20270405T080000Z',
      'EXDATE;TZID=Romance Standard Time:20270329T100000',
      'RDATE;TZID=Eastern Standard Time:20270407T040000',
    ];
    await calendar.import('weekly.ics', iCalendar(...vevent('weekly@o', ...lines)));
    const starts = (await calendar.records()).map((view) => [view['start_date'], view['utc_start_date']]);
    expect(starts).toEqual([
      ['2027-03-22 10:00:00', '2027-03-22 09:00:00'],
      ['2027-04-05 10:00:00', '2027-04-05 08:00:00'],
      ['2027-04-07 04:00:00', '2027-04-07 08:00:00'],
    ]);
  });

  test('is recurring, begins more than two years from now, and is named where it is left out', async () => {
    const year = new Date().getUTCFullYear() + 3;
    const event = (title: string, ...lines: string[]) =>
      vevent(`${title}@o`, `SUMMARY:${title}`, `DTSTART:${year}1231T100000Z`, ...lines);
    const text = iCalendar(...event('Once'), ...event('Weekly', 'RRULE:FREQ=WEEKLY'));
    expect(await calendarWithFiles().import('a.ics', text)).toMatch(
      /import: 1 new.*\nRecurring events that begin more than two years from now, and are left out: "Weekly"\.$/,
    );
  });

  test('is one of several calendars, and has a host of its own that ends like that of this one', async () => {
    const calendar = calendarWithFiles();
    await calendar.import('a.csv', 'title,start_date\r\nHere,2031-01-01\r\n');
    const [here] = await calendar.records();
    const first = iCalendar(...vevent(`my.new.example.org?id=${here?.['id']}`, 'SUMMARY:A', ...times));
    const text = first + iCalendar(...vevent('b@o', 'SUMMARY:B', ...times));
    expect(await calendar.import('two.ics', text)).toContain('import: 2 new, 0 changed');
    expect([...(await calendar.events()).keys()].sort()).toEqual(['A', 'B', 'Here']);
  });

  test('without a title is a draft, and an exception finds its occurrence by a zone of Windows', async () => {
    const calendar = calendarWithFiles();
    const at = (name: string, hour: number) => `${name};TZID=Romance Standard Time:20270322T${hour}0000`;
    const text = iCalendar(
      ...vevent('untitled@o', ...times),
      ...vevent('a@o', 'SUMMARY:A', at('DTSTART', 10), 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=1'),
      ...vevent('a@o', 'SUMMARY:B', at('RECURRENCE-ID', 10), at('DTSTART', 12), 'DURATION:PT1H'),
    );
    expect(await calendar.import('a.ics', text)).toContain('import: 2 new');
    expect([...(await calendar.events()).keys()].sort()).toEqual(['B', 'Untitled event']);
  });

  test('without a UID is found again, and without a start is refused', async () => {
    const calendar = calendarWithFiles();
    const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
    const text = iCalendar(
      ...event('SUMMARY:A', ...times),
      ...event('SUMMARY:B', ...times),
      ...event('SUMMARY:C'),
    );
    expect(await calendar.import('a.ics', text)).toContain('import: 2 new');
    const output = await calendar.import('a.ics', text);
    expect(output).toContain('import: 0 new, 0 changed, 2 unchanged.');
    expect(output).toContain('refused: C: it has no start (DTSTART)');
  });
});

test.each([
  ['Write to <p.hansen@example.org>', 'p.hansen@example.org'],
  ['Ask <b@example.org> & others', 'b@example.org'],
  ['Join <https://teams.example.org/l/meet?a=1>', 'https://teams.example.org/l/meet?a=1'],
  ['<b>Join</b> <https://teams.example.org/l/meet> or <p.hansen@example.org>', 'teams.example.org/l/meet'],
])('a description %j keeps the addresses in angle brackets', async (description, address) => {
  const calendar = calendarWithFiles();
  await calendar.import(
    'a.ics',
    iCalendar(...vevent('a@o', 'SUMMARY:A', 'DTSTART:20310501T100000Z', `DESCRIPTION:${description}`)),
  );
  const [event] = await calendar.records();
  expect(event?.['description']).toContain(address);
  for (const [, written = ''] of description.matchAll(/<([^<>]*[@:][^<>]*)>/g))
    expect(event?.['description']).toContain(`&lt;${written}&gt;`);
});

describe('an event of this calendar that another program has written', () => {
  const table =
    'title,description,start_date,end_date,timezone,status,venue,organizer,categories,cost\r\n' +
    'Fest,"<p>A <b>bold</b> text</p>",2031-05-01 10:00:07,2031-05-01 12:00,America/New_York,private,"Hall; Park",Ann; Bob,Music,12\r\n';

  async function exported() {
    const calendar = calendarWithFiles();
    await calendar.import('a.csv', table);
    const [before] = await calendar.records();
    return { calendar, before, text: await calendar.export('mine.ics') };
  }

  test('without what the program does not know is unchanged', async () => {
    const { calendar, before, text } = await exported();
    const reduced = text
      .replaceAll(
        /^(?:LAST-MODIFIED|SEQUENCE|CATEGORIES|ORGANIZER|LOCATION|DESCRIPTION)[:;].*\r\n(?: .*\r\n)*/gm,
        '',
      )
      .replace('STATUS:TENTATIVE', 'STATUS:CONFIRMED');
    expect(reduced.length).toBeLessThan(text.length);
    expect(await calendar.import('mine.ics', reduced)).toContain('import: 0 new, 0 changed, 1 unchanged.');
    expect(await calendar.records()).toEqual([before]);
  });

  test('that became a recurring one is its first occurrence, and the others are new', async () => {
    const calendar = calendarWithFiles();
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await calendar.import('a.csv', `title,start_date\r\nFest,${day} 10:00\r\n`);
    const [before] = await calendar.records();
    const text = await calendar.export('mine.ics');
    const weekly = text.replace(/^SUMMARY:.*\r\n/m, '$&RRULE:FREQ=WEEKLY;COUNT=3\r\n');
    expect(await calendar.import('mine.ics', weekly)).toContain('import: 2 new, 0 changed, 1 unchanged.');
    expect((await calendar.records())[0]).toEqual(before);
  });

  test('has its edited fields changed, and no others', async () => {
    const { calendar, before, text } = await exported();
    // A program may keep the time of the last change, or drop it.
    const edited = text.replace('SUMMARY:Fest', 'SUMMARY:Fete');
    expect(await calendar.import('mine.ics', edited)).toContain('import: 0 new, 1 changed');
    const undated = text.replace('SUMMARY:Fest', 'SUMMARY:Feast').replaceAll(/^LAST-MODIFIED:.*\r\n/gm, '');
    expect(await calendar.import('mine.ics', undated)).toContain('import: 0 new, 1 changed');
    const [after] = await calendar.records();
    const { title, ...rest } = after ?? {};
    expect(title).toBe('Feast');
    expect(before).toMatchObject({ ...rest, modified: expect.any(String), modified_utc: expect.any(String) });
  });
});

describe('a hostile file', () => {
  const rule = (text: string) => iCalendar(...vevent('a@o', 'SUMMARY:A', 'DTSTART:20200101T100000Z', text));

  test.each<[title: string, text: string | Uint8Array]>([
    ['nothing', ''],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2])],
    ['no end', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n'],
    ['components within each other', 'BEGIN:A\r\n'.repeat(100_000)],
    ['a line that is no property', iCalendar('nothing')],
  ])('that is no iCalendar, %s, is refused with a sentence', async (_title, text) => {
    await expect(calendarWithFiles().import('no.ics', text)).rejects.toThrow(/no\.ics is no iCalendar/);
  });

  test.each<[title: string, text: string]>([
    ['every second since 2020', rule('RRULE:FREQ=SECONDLY')],
    ['a rule that is none', rule('RRULE:FREQ=SOMETIMES')],
    ['no frequency', rule('RRULE:COUNT=3')],
    ['a date that is none', iCalendar(...vevent('a@o', 'SUMMARY:A', 'DTSTART:yesterday'))],
    ['an interval of zero', rule('RRULE:FREQ=DAILY;INTERVAL=0')],
  ])('has an event with %s refused, or reads what it can', async (_title, text) => {
    const output = await calendarWithFiles().import('bad.ics', text, false, { occurrences: 20 });
    expect(output).toMatch(/refused: A: |import: [01] new/);
  });

  test('has an invalid event refused, and the next one imported', async () => {
    const text = iCalendar(
      ...vevent('a@o', 'SUMMARY:A', ...times, 'RRULE'),
      ...vevent('b@o', 'SUMMARY:B', ...times, 'nothing'),
    );
    const output = await calendarWithFiles().import('a.ics', text);
    expect(output).toContain('import: 1 new');
    expect(output).toContain('Lines that are no properties, and are left out: "nothing".');
    expect(output).toContain('refused: A: ');
  });

  test('has a zone whose rules are beyond all years named, and its event imported', async () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Garbage',
      'BEGIN:STANDARD',
      'DTSTART:00010101T000000',
      'RRULE:FREQ=SECONDLY',
      'TZOFFSETFROM:+9999',
      'TZOFFSETTO:-0100',
      'END:STANDARD',
      'END:VTIMEZONE',
    ];
    const text = iCalendar(...zone, ...vevent('a@o', 'SUMMARY:A', 'DTSTART;TZID=Garbage:20310101T100000'));
    const output = await calendarWithFiles().import('no.ics', text);
    expect(output).toContain('import: 1 new');
    expect(output).toContain('Time zones whose rules (VTIMEZONE) are invalid, and are not used: "Garbage: ');
    expect(output).toContain('Unknown time zones, whose times are read as those of the site: "Garbage".');
  });

  test('that takes longer to read than an import waits is refused with a sentence', async () => {
    const text = iCalendar(...vevent('a@o', 'SUMMARY:A', ...times));
    await expect(calendarWithFiles().import('no.ics', text, false, { readMs: 1 })).rejects.toThrow(
      'no.ics took more than 0.001 seconds to read. Split the file.',
    );
  });

  test('with more occurrences than an import reads has the last of them, and the event named', async () => {
    const calendar = calendarWithFiles();
    const output = await calendar.import('a.ics', rule('RRULE:FREQ=DAILY;COUNT=30'), false, {
      occurrences: 5,
    });
    expect(output).toContain('Events of which only the last 5 occurrences are imported: "A".');
    expect((await calendar.records()).map((view) => view['start_date'])[0]).toBe('2020-01-26 11:00:00');
  });
});
