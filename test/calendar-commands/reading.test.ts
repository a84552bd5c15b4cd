/** What real files of iCalendar and tables contain beside what the standards say: octets, lines, dates and names of zones. */

import { describe, expect, test } from 'vitest';
import { save } from './support/as-editor.ts';
import { calendarWithFiles, iCalendar, vevent } from './support/calendar-with-files.ts';
import { importedEvents, linesOf } from './support/events-of-files.ts';

const ten = 'DTSTART:20270705T100000Z';
const event = (...lines: string[]) => iCalendar(...vevent('a@o', 'SUMMARY:A', ...lines));

describe('dates', () => {
  test.each<[title: string, lines: string[], expected: string]>([
    ['of eight digits', ['DTSTART:20271004', 'DTEND:20271006'], '2027-10-04..2027-10-05 A'],
    [
      'with midnights',
      ['DTSTART;VALUE=DATE:20271222T000000', 'DTEND;VALUE=DATE:20271224T000000'],
      '2027-12-22..2027-12-23 A',
    ],
    [
      'that are times',
      ['DTSTART;VALUE=DATE:20270705T200000Z', 'DTEND;VALUE=DATE:20270705T220000Z'],
      '2027-07-05 20:00/22:00 A',
    ],
    [
      'with an end without the zone of the start',
      ['DTSTART;TZID=America/New_York:20270705T100000', 'DTEND:20270705T110000'],
      '2027-07-05 14:00/15:00 A',
    ],
    ['with an empty rule', [ten, 'RRULE:'], '2027-07-05 10:00/10:00 A'],
    ['with weeks behind the T', ['DTSTART;VALUE=DATE:20270705', 'DURATION:PT1W'], '2027-07-05..2027-07-11 A'],
    [
      'until 24:00',
      ['DTSTART:20270705T220000Z', 'DTEND:20270705T240000Z'],
      '2027-07-05 22:00/2027-07-06 00:00 A',
    ],
  ])('%s', async (_title, lines, expected) => {
    const { events, output } = await importedEvents(event(...lines));
    expect(events, output).toEqual([expected]);
  });

  test('of a duration beyond all years refuse their event alone', async () => {
    const text = iCalendar(
      ...vevent('a@o', 'SUMMARY:A', ten, `DURATION:P1${'0'.repeat(18)}W`),
      ...vevent('b@o', 'SUMMARY:B', ten),
    );
    const { events, output } = await importedEvents(text);
    expect(events).toEqual(['2027-07-05 10:00/10:00 B']);
    expect(output).toContain('refused: A: it lasts more than a hundred years');
  });

  test('that no calendar has refuse their event', async () => {
    const { output } = await importedEvents(event('DTSTART:20270230T100000Z'));
    expect(output).toContain('refused: A: DTSTART is no date: "20270230T100000Z"');
  });
});

describe('zones', () => {
  test.each([
    ['(UTC-05:00) Eastern Time (US & Canada)', '2027-07-05 14:00/14:00 A'],
    ['Eastern Time (US & Canada)', '2027-07-05 14:00/14:00 A'],
    ['Pacific Daylight Time', '2027-07-05 17:00/17:00 A'],
    ['(GMT+01.00) Amsterdam / Berlin / Rome', '2027-07-05 08:00/08:00 A'],
    ['(UTC-09:00) Alaska', '2027-07-05 18:00/18:00 A'],
    ['GMT+0800', '2027-07-05 02:00/02:00 A'],
    ['(UTC) Dublin, Edinburgh, Lisbon, London', '2027-07-05 09:00/09:00 A'],
    ['America/New York', '2027-07-05 14:00/14:00 A'],
    ['Europe/Berlin (CEST)', '2027-07-05 08:00/08:00 A'],
    ['America/New York (EST)', '2027-07-05 14:00/14:00 A'],
    ['/freeassociation.sourceforge.net/Tzfile/Europe/Berlin', '2027-07-05 08:00/08:00 A'],
    ['/freeassociation.sourceforge.net/Tzfile/UTC', '2027-07-05 10:00/10:00 A'],
    ['/softwarestudio.org/Olson_20011030_5/America/Indiana/Indianapolis', '2027-07-05 14:00/14:00 A'],
    ['KDE/Europe/Berlin', '2027-07-05 08:00/08:00 A'],
    ['CEST (Europe/Berlin)', '2027-07-05 08:00/08:00 A'],
  ])('are found by the name %s', async (name, expected) => {
    const { events, output } = await importedEvents(event(`DTSTART;TZID="${name}":20270705T100000`));
    expect(events).toEqual([expected]);
    expect(output).not.toContain('Unknown time zones');
  });

  test('of the calendar are those of its times without one, and are named', async () => {
    const text = iCalendar(
      'X-WR-TIMEZONE:America/Los_Angeles',
      ...vevent('a@o', 'SUMMARY:A', 'DTSTART:20270705T100000'),
    );
    const { events, output } = await importedEvents(text);
    expect(events).toEqual(['2027-07-05 17:00/17:00 A']);
    expect(output).toContain(
      'Times without a zone, which are read in that of the file (X-WR-TIMEZONE): "America/Los_Angeles".',
    );
  });

  test('that the file defines under the name of an offset are those of the file', async () => {
    const rules = (name: string, offset: string) => [
      'BEGIN:VTIMEZONE',
      `TZID:${name}`,
      'BEGIN:DAYLIGHT',
      'DTSTART:20200329T010000',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
      'TZOFFSETFROM:+0000',
      `TZOFFSETTO:${offset}`,
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ];
    const text = iCalendar(
      ...vevent('a@o', 'SUMMARY:A', 'DTSTART;TZID=GMT:20270705T100000'),
      ...vevent('b@o', 'SUMMARY:B', 'DTSTART;TZID=Europe/Oslo:20270705T100000'),
      ...rules('GMT', '+0100'),
      ...rules('Europe/Oslo', '+0500'),
    );
    const { events } = await importedEvents(text);
    expect(events).toEqual(['2027-07-05 08:00/08:00 B', '2027-07-05 09:00/09:00 A']);
  });
});

describe('an event without a name', () => {
  test.each([
    [
      'its text',
      ['DESCRIPTION:<p>Come &amp\\; sing</p><p>All are welcome</p>'],
      'Come &#038; sing',
      'publish',
    ],
    ['its place', ['SUMMARY:', 'LOCATION:Town Hall\\, Aarhus'], 'Town Hall', 'publish'],
    ['nothing: a draft', ['SUMMARY:  '], 'Untitled event', 'draft'],
  ])('is named after %s', async (_title, lines, title, status) => {
    const { calendar, output } = await importedEvents(
      iCalendar(...vevent('040000008200E00074C5B7101A82E008', ten, ...lines)),
    );
    expect(await calendar.records()).toMatchObject([{ title, status }]);
    expect(output).toContain('Events without a name');
    expect(await calendar.import('a.ics', undefined)).toContain('0 new, 0 changed, 1 unchanged');
  });

  test('stays published once somebody has named it', async () => {
    const { calendar } = await importedEvents(iCalendar(...vevent('a@o', ten)));
    const [{ id } = {}] = await calendar.records();
    const target = await calendar.open();
    await target.records();
    await save(target, Number(id), { title: 'Concert', status: 'publish' });
    target.close();
    await calendar.import('a.ics', undefined);
    expect(await calendar.records()).toMatchObject([{ title: 'Concert', status: 'publish' }]);
  });
});

describe('a link as a place', () => {
  test.each<[string, string | undefined, string, string]>([
    ['https://zoom.us/j/1', undefined, 'https://zoom.us/j/1', ''],
    ['<https://zoom.us/j/1>', undefined, 'https://zoom.us/j/1', ''],
    ['www.example.org/live', undefined, 'https://www.example.org/live', ''],
    ['meet.google.com/abc-defg-hij', undefined, 'https://meet.google.com/abc-defg-hij', ''],
    ['Hall A\\; https://zoom.us/j/1', 'Hall A', 'https://zoom.us/j/1', ''],
    ['https://zoom.us/j/1\\nHall A\\nAarhus', 'Hall A', 'https://zoom.us/j/1', ''],
    ['Online (https://zoom.us/j/1)', 'Online', 'https://zoom.us/j/1', ''],
    ['https://a.example/1 https://b.example/2', undefined, 'https://a.example/1', 'https://b.example/2'],
    ['tel:+4512345678', undefined, 'https://new.example.org/event/', 'tel:+4512345678'],
  ])('%s is no venue', async (location, venue, website, text) => {
    const { calendar } = await importedEvents(event(ten, `LOCATION:${location}`));
    const [view] = await calendar.records();
    expect(view?.['website']).toContain(website);
    expect(view?.['description']).toContain(text);
    const { venue: name } = (view?.['venue'] ?? {}) as { venue?: string };
    expect(name).toBe(venue);
  });

  test('beside an address of the event is in its text, and of a table is its website', async () => {
    const { calendar } = await importedEvents(
      event(ten, 'URL:https://a.example/', 'LOCATION:https://b.example/?x=1&y=2'),
    );
    await calendar.import(
      'b.csv',
      'Subject,Start Date,Start Time,Location\nB,2027-07-06,10:00,https://b.example/\n',
    );
    const events = await calendar.events();
    expect(events.get('A')).toMatchObject({ website: 'https://a.example/', venue: [] });
    expect(events.get('A')?.['description']).toContain('href="https://b.example/?x=1&amp;y=2"');
    expect(events.get('B')).toMatchObject({ website: 'https://b.example/', venue: [] });
  });
});

test('escapes within elements and addresses, which some programs write twice, are read', async () => {
  const { calendar } = await importedEvents(
    event(
      ten,
      'URL:https://a.example/x\\,y\\;z',
      String.raw`DESCRIPTION:<a href=\"https://a.example/?a=1\\,2\">x</a> C:\\dir`,
    ),
  );
  const [view] = await calendar.records();
  expect(view).toMatchObject({ website: 'https://a.example/x,y;z' });
  expect(view?.['description']).toContain('<a href="https://a.example/?a=1,2">x</a> C:\\dir');
});

test.each(['\r\n', '\n', '\r', '\r\r\n', '\r\n\r\n', '\n\r'])(
  'folds are joined where lines end with %j',
  async (end) => {
    const text = event('DESCRIPTION:long', ' er', 'DTSTART:20270705T1000', '\t00Z').replaceAll('\r\n', end);
    const { calendar, output, events } = await importedEvents(text);
    expect(events).toEqual(['2027-07-05 10:00/10:00 A']);
    expect(await calendar.records()).toMatchObject([{ description: '<p>longer</p>' }]);
    expect(output).not.toContain('no properties');
  },
);

test('what is cancelled and was never here is left out, and what was here is trashed once', async () => {
  const { calendar, output } = await importedEvents(event(ten, 'STATUS:CANCELLED'));
  expect(output).toContain('1 records read: 0 new + 0 changed + 0 unchanged + 1 left out + 0 refused');
  expect(output).toContain('Events that are cancelled, and were never here: "A".');
  await calendar.import('a.ics', event(ten));
  expect(await calendar.import('a.ics', event(ten, 'STATUS:CANCELLED'))).toContain('1 changed');
  expect(await calendar.import('a.ics', event(ten, 'STATUS:CANCELLED'))).toContain('1 unchanged');
});

describe('octets', () => {
  const octets = (text: string) => Buffer.from(text, 'latin1');

  test('of one letter are on two lines', async () => {
    const { events } = await importedEvents(
      octets(event(ten).replace('SUMMARY:A', 'SUMMARY:Fr\xc3\r\n \xbchling')),
    );
    expect(events).toEqual(['2027-07-05 10:00/10:00 Frühling']);
  });

  test('that are damaged change no other letters, and are named', async () => {
    const text = iCalendar(
      ...vevent('a@o', 'SUMMARY:Gr\xc3\xbcn', ten),
      ...vevent('b@o', 'SUMMARY:B', 'DESCRIPTION:a \xe2 b', ten),
    );
    const { calendar, events, output } = await importedEvents(octets(text));
    expect(events).toEqual(['2027-07-05 10:00/10:00 B', '2027-07-05 10:00/10:00 Grün']);
    expect(output).toContain(
      'Lines with octets that are no UTF-8, which are read as \uFFFD: "DESCRIPTION:a \uFFFD b".',
    );
    expect((await calendar.events()).get('B')).toMatchObject({ description: '<p>a \uFFFD b</p>' });
  });

  test('of Windows-1252 are read as that', async () => {
    const { events } = await importedEvents(octets(event(ten).replace('SUMMARY:A', 'SUMMARY:Gr\xfcn')));
    expect(events).toEqual(['2027-07-05 10:00/10:00 Grün']);
  });

  test('of a table that are damaged change no other cells', async () => {
    const calendar = calendarWithFiles();
    const text = 'title,start_date,description\r\nGr\xc3\xbcn,2027-07-05 10:00,\xe9\r\n';
    const output = await calendar.import('a.csv', octets(text));
    expect(await linesOf(calendar)).toEqual(['2027-07-05 08:00/08:00 Grün']);
    expect(output).toContain('Lines with octets that are no UTF-8');
  });
});

describe('lines and components', () => {
  test('that are no properties or events are named', async () => {
    const text = iCalendar(
      'X-WR-CALDESC:Programme',
      'of the club',
      'REFRESH-INTERVAL:VALUE=DURATION:PT1H',
      'BEGIN:VTODO',
      'SUMMARY:Buy milk',
      'nothing',
      'END:VTODO',
      'BEGIN:VTIMEZONE',
      'TZID:Garbage',
      'nothing',
      'END:VTIMEZONE',
      ...vevent('a@o', 'SUMMARY:A', ten, 'BEGIN:VALARM', 'nothing', 'END:VALARM'),
    );
    const { events, output } = await importedEvents(text);
    expect(events).toEqual(['2027-07-05 10:00/10:00 A']);
    expect(output).toContain('Lines that are no properties, and are left out: "of the club", "nothing".');
    expect(output).toContain('Components that are no events, and are left out: "VTODO: Buy milk".');
  });

  test('that break off have what was read before imported', async () => {
    const [complete = ''] = event(ten).split('END:VCALENDAR');
    const { events, output } = await importedEvents(`${complete}BEGIN:VEVENT\r\nSUMMARY:B\r\nDTSTART:2027`);
    expect(events).toEqual(['2027-07-05 10:00/10:00 A']);
    expect(output).toContain('refused: VEVENT: B: it has no end (END:VEVENT)');
    expect(output).toContain('The file has no end (END:VCALENDAR), and may be incomplete');
  });

  test('that say nothing of times may be invalid, and those of times may not', async () => {
    const text = iCalendar(
      ...vevent('a@o', 'SUMMARY:A', ten, 'X-A=1'),
      ...vevent('b@o', 'SUMMARY:B', ten, 'DTEND=1'),
    );
    const { events, output } = await importedEvents(text);
    expect(events).toEqual(['2027-07-05 10:00/10:00 A']);
    expect(output).toContain('2 records read: 1 new + 0 changed + 0 unchanged + 0 left out + 1 refused');
    expect(output).toContain('refused: B: a line of it is no property: "DTEND=1"');
  });
});

test('names that are percent-encoded are decoded, and a lone percent sign stays', async () => {
  const text = iCalendar(
    ...vevent('a@o', 'SUMMARY:A', ten, 'ORGANIZER;CN="S%C3%B8ren %26 Co.":mailto:a@example.org'),
    ...vevent('b@o', 'SUMMARY:B', ten, 'ORGANIZER;CN="100% Jazz":mailto:b@example.org'),
  );
  const { calendar } = await importedEvents(text);
  const events = await calendar.events();
  expect(events.get('A')).toMatchObject({ organizer: [{ organizer: 'Søren &#038; Co.' }] });
  expect(events.get('B')).toMatchObject({ organizer: [{ organizer: '100% Jazz' }] });
});

test('a table of Excel may name its delimiter, and have quotes in cells', async () => {
  const calendar = calendarWithFiles();
  const text = 'sep=;\r\nEvent Name;Event Start Date\r\n12" pizza;2027-06-05\r\nNone;never\r\n';
  const output = await calendar.import('a.csv', text);
  expect(output).toContain('import: 1 new');
  expect(output).toContain('refused: line 4: start_date');
});

describe('quoted-printable', () => {
  test.each<[title: string, lines: string[], expected: string]>([
    ['in UTF-8', ['SUMMARY;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9 =3D ok'], 'Café = ok'],
    ['of another character set', ['SUMMARY;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Caf=E9'], 'Café'],
    ['with soft breaks', ['SUMMARY;ENCODING=QUOTED-PRINTABLE:One =', 'and t=', 'wo'], 'One and two'],
    ['named alone', ['SUMMARY;QUOTED-PRINTABLE;CHARSET=UTF-8:=C3=98l'], 'Øl'],
    ['of an unknown character set', ['SUMMARY;CHARSET=X-NONE;ENCODING=QUOTED-PRINTABLE:A=E9'], 'A=E9'],
    ['that is none', ['SUMMARY:a=3Db'], 'a=3Db'],
  ])('%s', async (_title, lines, expected) => {
    const { events, output } = await importedEvents(iCalendar(...vevent('a@o', ten, ...lines)));
    expect(events, output).toEqual([`2027-07-05 10:00/10:00 ${expected}`]);
  });
});

test('a link as the place of a row that has a website is named', async () => {
  const calendar = calendarWithFiles();
  const output = await calendar.import(
    'a.csv',
    'title,start_date,venue,website\nA,2027-07-06,https://b.example/,https://a.example/\nB,2027-07-07,tel:+45123456,\n',
  );
  expect(output).toContain('Links as places of events that have another website, and that are left out');
  expect(output).toContain('"https://b.example/"');
  expect((await calendar.events()).get('A')).toMatchObject({ website: 'https://a.example/', venue: [] });
  expect((await calendar.events()).get('B')).toMatchObject({ venue: { venue: 'tel:+45123456' } });
});
