/** What real files of iCalendar and tables contain beside what the standards say: octets, lines, dates and names of zones. */

import { describe, expect, test } from 'vitest';
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
