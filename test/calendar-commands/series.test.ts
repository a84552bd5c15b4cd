/** Series of iCalendar: rules, added and excluded dates, moved occurrences and revisions (RFC 5545, 5546). */

import { describe, expect, test } from 'vitest';
import { iCalendar, vevent } from './support/calendar-with-files.ts';
import { importedEvents } from './support/events-of-files.ts';

const series = (...lines: string[]) => vevent('s@o', 'SUMMARY:Choir', ...lines);
const moved = (...lines: string[]) => vevent('s@o', 'SUMMARY:Moved', ...lines);
const inLondon = [
  'DTSTART;TZID=Europe/London:20270601T200000',
  'DTEND;TZID=Europe/London:20270601T210000',
  'RRULE:FREQ=WEEKLY;COUNT=2',
];
const wholeDays = ['DTSTART;VALUE=DATE:20270601', 'DTEND;VALUE=DATE:20270602', 'RRULE:FREQ=WEEKLY;COUNT=2'];

const cases: readonly [title: string, lines: readonly string[], events: readonly string[]][] = [
  [
    'a moved occurrence in the zone of its series, without rules of the zone',
    [
      ...series(...inLondon),
      ...moved(
        'RECURRENCE-ID;TZID=Europe/London:20270608T200000',
        'DTSTART;TZID=Europe/London:20270609T180000',
        'DURATION:PT1H',
      ),
    ],
    ['2027-06-01 19:00/20:00 Choir', '2027-06-09 17:00/18:00 Moved'],
  ],
  [
    'a moved occurrence that stands before its series, with its id in another zone',
    [
      ...moved(
        'RECURRENCE-ID;TZID=Asia/Tokyo:20270609T040000',
        'DTSTART;TZID=Asia/Tokyo:20270610T040000',
        'DURATION:PT1H',
      ),
      ...series(...inLondon),
    ],
    ['2027-06-01 19:00/20:00 Choir', '2027-06-09 19:00/20:00 Moved'],
  ],
  [
    'an id that is the day of a time',
    [
      ...series(...inLondon),
      ...moved('RECURRENCE-ID;VALUE=DATE:20270601', 'DTSTART:20270602T100000Z', 'DURATION:PT1H'),
    ],
    ['2027-06-02 10:00/11:00 Moved', '2027-06-08 19:00/20:00 Choir'],
  ],
  [
    'an id of Exchange, which is the midnight of a day in a zone',
    [
      ...series(...wholeDays),
      ...moved('RECURRENCE-ID;TZID=W. Europe Standard Time:20270608T000000', 'DTSTART;VALUE=DATE:20270610'),
    ],
    ['2027-06-01..2027-06-01 Choir', '2027-06-10..2027-06-10 Moved'],
  ],
  [
    'an id of Exchange, which is the midnight of a day in UTC',
    [...series(...wholeDays), ...moved('RECURRENCE-ID:20270607T220000Z', 'DTSTART;VALUE=DATE:20270610')],
    ['2027-06-01..2027-06-01 Choir', '2027-06-10..2027-06-10 Moved'],
  ],
  [
    'an occurrence whose series is not there, and one whose series has no rule',
    [
      ...moved('RECURRENCE-ID:20270608T190000Z', 'DTSTART:20270608T170000Z', 'DURATION:PT1H'),
      ...vevent('t@o', 'SUMMARY:One', 'DTSTART:20270701T100000Z'),
      ...vevent('t@o', 'SUMMARY:Two', 'RECURRENCE-ID:20270708T100000Z', 'DTSTART:20270708T120000Z'),
    ],
    ['2027-06-08 17:00/18:00 Moved', '2027-07-01 10:00/10:00 One', '2027-07-08 12:00/12:00 Two'],
  ],
  [
    'a series in another calendar of the file',
    [
      ...moved('RECURRENCE-ID:20270608T190000Z', 'DTSTART:20270609T190000Z', 'DURATION:PT1H'),
      'END:VCALENDAR',
      'BEGIN:VCALENDAR',
      ...series(...inLondon),
    ],
    ['2027-06-01 19:00/20:00 Choir', '2027-06-09 19:00/20:00 Moved'],
  ],
  [
    'a moved occurrence and all later ones',
    [
      ...series('DTSTART:20270601T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=4'),
      ...moved(
        'RECURRENCE-ID;RANGE=THISANDFUTURE:20270603T100000Z',
        'DTSTART:20270603T140000Z',
        'DURATION:PT2H',
      ),
    ],
    [
      '2027-06-01 10:00/11:00 Choir',
      '2027-06-02 10:00/11:00 Choir',
      '2027-06-03 14:00/16:00 Moved',
      '2027-06-04 14:00/16:00 Moved',
    ],
  ],
  [
    'an end that is a day beside times in a zone',
    series('DTSTART;TZID=Europe/Oslo:20270603T180000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;UNTIL=20270610'),
    ['2027-06-03 16:00/17:00 Choir', '2027-06-10 16:00/17:00 Choir'],
  ],
  [
    'an end in UTC beside whole days, which is their midnight or the last second before it',
    [
      ...series('DTSTART;VALUE=DATE:20270601', 'RRULE:FREQ=DAILY;UNTIL=20270601T220000Z'),
      ...vevent(
        't@o',
        'SUMMARY:Last',
        'DTSTART;VALUE=DATE:20270601',
        'RRULE:FREQ=DAILY;UNTIL=20270602T035959Z',
      ),
    ],
    ['2027-06-01..2027-06-01 Choir', '2027-06-01..2027-06-01 Last', '2027-06-02..2027-06-02 Choir'],
  ],
  [
    'an end without a zone, which is included',
    series(
      'DTSTART;TZID=Europe/Berlin:20270601T150000',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;UNTIL=20270602T150000',
    ),
    ['2027-06-01 13:00/14:00 Choir', '2027-06-02 13:00/14:00 Choir'],
  ],
  [
    'an end in UTC beside times of the zone of the calendar',
    [
      'X-WR-TIMEZONE:Asia/Tokyo',
      ...series('DTSTART:20270601T090000', 'RRULE:FREQ=DAILY;UNTIL=20270602T000000Z'),
      ...vevent('t@o', 'SUMMARY:Clock', 'DTSTART:20270601T090000', 'RRULE:FREQ=DAILY;UNTIL=20270602T090000Z'),
    ],
    ['01', '02'].flatMap((day) => ['Choir', 'Clock'].map((title) => `2027-06-${day} 00:00/00:00 ${title}`)),
  ],
  [
    'excluded dates without a zone, and as days',
    series(
      'DTSTART;TZID=Europe/Berlin:20270601T140000',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;COUNT=4',
      'EXDATE:20270602T140000',
      'EXDATE;VALUE=DATE:20270603',
    ),
    ['2027-06-01 12:00/13:00 Choir', '2027-06-04 12:00/13:00 Choir'],
  ],
  [
    'an excluded time of whole days',
    series(...wholeDays, 'EXDATE:20270608T000000'),
    ['2027-06-01..2027-06-01 Choir'],
  ],
  [
    'a date that rule and list have, and that is excluded',
    series(
      'DTSTART:20270601T100000Z',
      'RRULE:FREQ=DAILY;COUNT=2',
      'RDATE:20270602T100000Z,20270605T100000Z',
      'EXDATE:20270602T100000Z',
    ),
    ['2027-06-01 10:00/10:00 Choir', '2027-06-05 10:00/10:00 Choir'],
  ],
  [
    'added dates as periods',
    series(
      'DTSTART:20270601T100000Z',
      'DURATION:PT1H',
      'RDATE;VALUE=PERIOD:20270602T100000Z/PT3H,20270603T100000Z/20270603T113000Z',
    ),
    ['2027-06-01 10:00/11:00 Choir', '2027-06-02 10:00/13:00 Choir', '2027-06-03 10:00/11:30 Choir'],
  ],
  [
    'a rule that excludes dates, and does not exclude the first',
    series('DTSTART:20270601T100000Z', 'RRULE:FREQ=DAILY;COUNT=6', 'EXRULE:FREQ=WEEKLY;BYDAY=WE,TH,FR,SA'),
    ['2027-06-01 10:00/10:00 Choir', '2027-06-06 10:00/10:00 Choir'],
  ],
  [
    'a yearly 29 February',
    series('DTSTART;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY;UNTIL=20281231'),
    ['2024-02-29..2024-02-29 Choir', '2028-02-29..2028-02-29 Choir'],
  ],
  [
    'the last working day of each week',
    series('DTSTART:20270604T100000Z', 'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2'),
    ['2027-06-04 10:00/10:00 Choir', '2027-06-11 10:00/10:00 Choir'],
  ],
  [
    'a first day behind the end of its rule',
    series('DTSTART:20270601T100000Z', 'RRULE:FREQ=DAILY;UNTIL=20270501T100000Z'),
    ['2027-06-01 10:00/10:00 Choir'],
  ],
  [
    'a first day that the rule does not have, which COUNT counts',
    series('DTSTART:20270614T093000Z', 'RRULE:FREQ=MONTHLY;BYDAY=3MO;COUNT=3'),
    ['2027-06-14 09:30/09:30 Choir', '2027-06-21 09:30/09:30 Choir', '2027-07-19 09:30/09:30 Choir'],
  ],
  [
    'the latest of several revisions, in any order',
    [
      ...series('SEQUENCE:2', 'DTSTART:20270602T100000Z'),
      ...series('SEQUENCE:0', 'DTSTART:20270601T100000Z'),
      ...vevent('t@o', 'SUMMARY:Gone', 'SEQUENCE:3', 'STATUS:CANCELLED', 'DTSTART:20270602T100000Z'),
      ...vevent('t@o', 'SUMMARY:Gone', 'SEQUENCE:2', 'DTSTART:20270602T100000Z'),
    ],
    ['2027-06-02 10:00/10:00 Choir'],
  ],
  [
    'the latest of several revisions of an occurrence, and a cancelled one',
    [
      ...series('DTSTART:20270601T100000Z', 'RRULE:FREQ=DAILY;COUNT=3'),
      ...moved('RECURRENCE-ID:20270602T100000Z', 'SEQUENCE:4', 'DTSTART:20270602T120000Z'),
      ...moved('RECURRENCE-ID:20270602T100000Z', 'SEQUENCE:3', 'DTSTART:20270602T130000Z'),
      ...moved('RECURRENCE-ID:20270603T100000Z', 'STATUS:CANCELLED', 'DTSTART:20270603T100000Z'),
    ],
    ['2027-06-01 10:00/10:00 Choir', '2027-06-02 12:00/12:00 Moved'],
  ],
];

test.each(cases)('has %s', async (_title, lines, expected) => {
  const text = iCalendar(...lines);
  const { calendar, output, events } = await importedEvents(text);
  expect(events, output).toEqual(expected);
  expect(await calendar.import('a.ics', text)).toContain('import: 0 new, 0 changed');
});

test('has no dates after an end in UTC beside an unknown zone where its dates are hours apart', async () => {
  const { events } = await importedEvents(
    iCalendar(...series('DTSTART;TZID=Foo/Bar:20270601T090000', 'RRULE:FREQ=HOURLY;UNTIL=20270601T110000Z')),
  );
  expect(events).toHaveLength(5);
});

test.each([
  ['the instant of the last date, ahead of UTC', 'TZID=Foo/Bar', 9, '20270602T000000Z'],
  ['the instant of the last date, behind UTC', 'TZID=Foo/Bar', 18, '20270602T220000Z'],
  ['the instant of the last date, on the next day', 'TZID=Foo/Bar', 20, '20270603T040000Z'],
  ['the time of the clock', 'TZID=Foo/Bar', 18, '20270602T180000Z'],
  ['the end of the day on the clock', 'TZID=Foo/Bar', 9, '20270602T235959Z'],
  ['the end of the day in UTC', 'TZID=Foo/Bar', 23, '20270602T145959Z'],
  ['the instant of the last date in the zone of the site', 'X-A=B', 9, '20270602T070000Z'],
])(
  'has the last date before an end in UTC beside an unknown zone: %s',
  async (_title, parameter, hour, until) => {
    const at = (hours: number) => String(hours).padStart(2, '0');
    const { events } = await importedEvents(
      iCalendar(
        ...series(`DTSTART;${parameter}:20270601T${at(hour)}0000`, `RRULE:FREQ=DAILY;UNTIL=${until}`),
      ),
    );
    expect(events).toEqual(
      ['01', '02'].map((day) => `2027-06-${day} ${at(hour - 2)}:00/${at(hour - 2)}:00 Choir`),
    );
  },
);

test.each([
  ['Copenhagen', 'Foo/Bar', 9, '20270602T070000Z'],
  ['New York, in the evening', 'Foo/Bar', 20, '20270603T000000Z'],
  ['Tokyo, in the morning', 'Foo/Bar', 8, '20270601T230000Z'],
  ['Kathmandu', 'Foo/Bar', 12, '20270602T061500Z'],
  ['Auckland', 'Foo/Bar', 9, '20270601T210000Z'],
])(
  'excludes and moves the occurrence of an instant beside an unknown zone, as in %s',
  async (_place, zone, hour, instant) => {
    const at = (hours: number) => String(hours).padStart(2, '0');
    const lines = [`DTSTART;TZID=${zone}:20270601T${at(hour)}0000`, 'RRULE:FREQ=DAILY;COUNT=3'];
    const shown = (day: string, title = 'Choir') =>
      `2027-06-${day} ${at(hour - 2)}:00/${at(hour - 2)}:00 ${title}`;
    const excluded = await importedEvents(iCalendar(...series(...lines, `EXDATE:${instant}`)));
    expect(excluded.events).toEqual([shown('01'), shown('03')]);
    const start = `DTSTART;TZID=${zone}:20270605T${at(hour)}0000`;
    const replaced = await importedEvents(
      iCalendar(...series(...lines), ...moved(`RECURRENCE-ID:${instant}`, start)),
    );
    expect(replaced.events).toEqual([shown('01'), shown('03'), shown('05', 'Moved')]);
  },
);

describe('a rule that no calendar has', () => {
  test.each([
    ['COUNT=-1', 'its rule (RRULE) has an invalid part: "COUNT=-1"'],
    ['UNTL=20271231', 'its rule (RRULE) has an invalid part: "UNTL=20271231"'],
    ['BYDAY=2MO;BYYEARDAY=100', 'combines BYDAY and BYYEARDAY, which cannot be read together'],
  ])('is refused with its reason: %s', async (part, reason) => {
    const { output } = await importedEvents(
      iCalendar(...series('DTSTART:20270601T100000Z', `RRULE:FREQ=YEARLY;${part}`)),
    );
    expect(output).toContain('refused: Choir: ');
    expect(output).toContain(reason);
  });

  test('is left out with its reason where all its dates are excluded', async () => {
    const { output } = await importedEvents(
      iCalendar(...series('DTSTART:20270601T100000Z', 'RRULE:FREQ=DAILY;COUNT=1', 'EXDATE:20270601T100000Z')),
    );
    expect(output).toContain('1 records read: 0 new + 0 changed + 0 unchanged + 1 left out + 0 refused');
    expect(output).toContain(
      'Recurring events all of whose dates are excluded, and which are left out: "Choir".',
    );
  });
});

test('has events that share one UID, each found again', async () => {
  const { calendar, output } = await importedEvents(
    iCalendar(
      ...series('DTSTART;VALUE=DATE:20270910'),
      ...series('DTSTART;VALUE=DATE:20270608'),
      ...vevent('s@o', 'SUMMARY:Play', 'DTSTART;VALUE=DATE:20270608'),
    ),
  );
  expect(output).toContain('import: 3 new');
  expect(output).toContain('UIDs that several events have, which are told apart by their starts: "s@o".');
  expect(await calendar.import('a.ics', undefined)).toContain('import: 0 new, 0 changed, 3 unchanged.');
});
