import { describe, expect, test } from 'vitest';
import { parseDate } from '../../../../../../functions/calendar/model/dates/parse-date.ts';
import {
  dateDetails,
  findZone,
  formatWall,
  readWall,
  toInstant,
  toWall,
  wallIn,
  type Zone,
} from '../../../../../../functions/calendar/model/dates/wall.ts';
import zoneAbbreviations from '../../../../../../functions/calendar/model/dates/zone-abbreviations.json' with {
  type: 'json',
};
import { siteOf } from '../../../../../../functions/calendar/model/site.ts';
import { zoneAbbreviations as generated } from '../../../../../../scripts/zone-abbreviations.ts';
import { fc, numRuns } from '../../../../../support/properties.ts';

function zone(name: string): Zone {
  const found = findZone(name);
  if (found === undefined) throw new TypeError(`no zone ${name}`);
  return found;
}

const utc = (name: string, wall: string) => formatWall(toInstant(zone(name), readWall(wall)));

describe('toInstant()', () => {
  test('reads a wall time in a zone as UTC', () => {
    const rows = [
      ['Europe/Paris', '2040-01-10 09:00:00', '2040-01-10 08:00:00'],
      ['Europe/Paris', '2040-07-10 09:00:00', '2040-07-10 07:00:00'],
      ['America/New_York', '2040-01-10 09:00:00', '2040-01-10 14:00:00'],
      ['UTC', '2040-01-10 09:00:00', '2040-01-10 09:00:00'],
      ['UTC+5:30', '2040-01-10 09:00:00', '2040-01-10 03:30:00'],
      ['UTC-5', '2040-07-10 09:00:00', '2040-07-10 14:00:00'],
      ['EST', '2040-07-10 09:00:00', '2040-07-10 14:00:00'],
      ['CET', '2040-07-10 09:00:00', '2040-07-10 08:00:00'],
      ['cest', '2040-01-10 09:00:00', '2040-01-10 07:00:00'],
      ['+02:00', '2040-01-10 09:00:00', '2040-01-10 07:00:00'],
      ['-0530', '2040-01-10 09:00:00', '2040-01-10 14:30:00'],
      ['europe/paris', '2040-07-10 09:00:00', '2040-07-10 07:00:00'],
    ] as const;
    expect(rows.map(([name, wall]) => [name, wall, utc(name, wall)])).toEqual(rows);
  });

  test('moves a wall time in the spring gap one hour on', () => {
    const instant = toInstant(zone('America/New_York'), readWall('2026-03-08 02:30:00'));
    expect(formatWall(toWall(zone('America/New_York'), instant))).toBe('2026-03-08 03:30:00');
  });

  test('takes the first pass of the autumn overlap', () => {
    expect(utc('America/New_York', '2026-11-01 01:30:00')).toBe('2026-11-01 05:30:00');
    expect(utc('Europe/Copenhagen', '2026-10-25 02:30:00')).toBe('2026-10-25 00:30:00');
  });

  test('is undone by toWall() in every zone, except in gaps, where it moves on by the length of the gap', () => {
    const names = [
      'Europe/Copenhagen',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'UTC+5:30',
    ];
    const walls = fc.integer({ min: readWall('2020-01-01 00:00:00'), max: readWall('2035-12-31 23:59:59') });
    fc.assert(
      fc.property(fc.constantFrom(...names), walls, (name, wall) => {
        const instant = toInstant(zone(name), wall);
        const shown = toWall(zone(name), instant);
        if (shown !== wall) expect([1800, 3600]).toContain(shown - wall);
        const earlier = instant - 3600;
        expect(toWall(zone(name), earlier)).not.toBe(wall);
      }),
      numRuns(2000),
    );
  });

  test('keeps order around the change of clocks: a later wall time is never an earlier instant', () => {
    const near = fc.integer({ min: readWall('2026-03-29 00:00:00'), max: readWall('2026-03-29 05:00:00') });
    const autumn = fc.integer({ min: readWall('2026-10-25 00:00:00'), max: readWall('2026-10-25 02:59:59') });
    fc.assert(
      fc.property(fc.oneof(fc.tuple(near, near), fc.tuple(autumn, autumn)), ([a, b]) => {
        const low = Math.min(a, b);
        const high = Math.max(a, b);
        const copenhagen = zone('Europe/Copenhagen');
        const gap = [low, high].some((wall) => toWall(copenhagen, toInstant(copenhagen, wall)) !== wall);
        if (!gap) expect(toInstant(copenhagen, low)).toBeLessThanOrEqual(toInstant(copenhagen, high));
      }),
    );
  });
});

describe('findZone()', () => {
  test('remembers zones, also after thousands of spellings of one', () => {
    const letters = [...'america/argentina/comodrivadavia'];
    const spelled = (number: number) =>
      letters.map((letter, index) => ((number >> index) % 2 === 1 ? letter.toUpperCase() : letter)).join('');
    const spellings = Array.from({ length: 2_500 }, (_, number) => spelled(number));
    expect(spellings.every((name) => findZone(name) !== undefined)).toBe(true);
    expect(findZone('Pacific/Chatham')).toBe(findZone('Pacific/Chatham'));
  });

  test('finds no zone of another name', () => {
    const rows = ['Mars/Base', '', 'UTC+15', '+15:00', 'UTC+2:75', 'XYZ', '../etc'];
    expect(rows.filter((name) => findZone(name) !== undefined)).toEqual([]);
  });

  test('abbreviates a zone in January and in July', () => {
    for (const [name, january, july] of [
      ['Europe/Paris', 'CET', 'CEST'],
      ['America/New_York', 'EST', 'EDT'],
      ['Asia/Tokyo', 'JST', 'JST'],
      ['America/St_Johns', 'NST', 'NDT'],
      ['America/Mazatlan', 'MST', 'MST'],
      ['Pacific/Midway', 'SST', 'SST'],
      ['Europe/Jersey', 'GMT', 'BST'],
      ['Israel', 'IST', 'IDT'],
      ['PRC', 'CST', 'CST'],
      ['America/Adak', 'HST', 'HDT'],
      ['America/Bogota', '-05', '-05'],
      ['Asia/Kathmandu', '+0545', '+0545'],
      ['Asia/Kolkata', 'IST', 'IST'],
      ['Asia/Jerusalem', 'IST', 'IDT'],
      ['Europe/London', 'GMT', 'BST'],
      ['Europe/Dublin', 'GMT', 'IST'],
      ['UTC', 'UTC', 'UTC'],
      ['UTC+5:30', 'UTC+5:30', 'UTC+5:30'],
      ['EST', 'EST', 'EST'],
      ['CET', 'CET', 'CET'],
      ['cest', 'CEST', 'CEST'],
      ['GMT', 'GMT', 'GMT'],
      ['+0200', '+02:00', '+02:00'],
      ['-3', '-03:00', '-03:00'],
    ] as const) {
      const at = (wall: string) => zone(name).abbreviationAt(readWall(wall));
      expect([at('2040-01-10 12:00:00'), at('2040-07-10 12:00:00')], name).toEqual([january, july]);
    }
  });
});

test('siteOf() refuses a zone that nobody knows', () => {
  expect(siteOf('https://example.org', 'Europe/Paris')).toMatchObject({
    url: 'https://example.org',
    zone: zone('Europe/Paris'),
  });
  expect(() => siteOf('', 'Mars/Base')).toThrow(
    new RangeError('Cannot use the time zone "Mars/Base": there is none of that name.'),
  );
});

describe('the tables of zones', () => {
  test('have the abbreviations of the present time zone database', () => {
    expect(zoneAbbreviations).toEqual(generated());
  });

  test('an abbreviation has one offset all year, that of a zone which is called so', () => {
    const groups = Object.keys(zoneAbbreviations).flatMap((group) => group.split(', '));
    const names =
      'WET CET EET EST MST HST EDT CST CDT MDT PST PDT AKST AKDT AST ADT BST CEST EEST WEST MSK IST JST KST AEST AEDT ACST AWST NZST NZDT SAST';
    for (const name of names.split(' ')) {
      const january = zone(name.toLowerCase()).offsetAt(readWall('2040-01-10 12:00:00'));
      const july = zone(name.toLowerCase()).offsetAt(readWall('2040-07-10 12:00:00'));
      expect([groups.includes(`${name} ${january / 60}`), january], name).toEqual([true, july]);
    }
  });

  test('offsets are zones', () => {
    for (const [name, hours] of [
      ['UTC+14', 14],
      ['UTC-14', -14],
      ['+14:00', 14],
      ['-14', -14],
      ['UTC+13:59', 13 + 59 / 60],
      ['UTC+5.5', 5.5],
      ['UTC+5.75', 5.75],
      ['UTC-3.25', -3.25],
      ['UTC+0', 0],
      ['utc+2', 2],
    ] as const) {
      expect(zone(name).offsetAt(0), name).toBe(hours * 3600);
    }
  });

  test('other offsets are no zones', () => {
    const rows = [
      'UTC+14:01',
      'UTC-14:01',
      'UTC+14.25',
      '+1401',
      '-15',
      'UTC+5.3',
      'UTC+5:60',
      'UTC+100',
      '+5:300',
    ];
    expect(rows.filter((name) => findZone(name) !== undefined)).toEqual([]);
  });
});

describe('parseDate()', () => {
  const now = readWall('2026-11-21 10:00:00');
  const read = (text: string) => {
    const date = parseDate(text, now);
    if (date === undefined) return undefined;
    if ('instant' in date) return `${formatWall(date.instant)} UTC`;
    return [formatWall(date.wall), ...(date.zone ? ['in', date.zone.name] : [])].join(' ');
  };

  test('reads dates, times and words', () => {
    const rows = [
      ['2040-01-10', '2040-01-10 00:00:00'],
      ['2040-01-10 09:00', '2040-01-10 09:00:00'],
      ['2040-01-10T09:00:30', '2040-01-10 09:00:30'],
      ['2040-1-5 9:05:01', '2040-01-05 09:05:01'],
      ['2040-01-10T09:00:00+05:00', '2040-01-10 04:00:00 UTC'],
      ['2040-01-10T09:00:00.123Z', '2040-01-10 09:00:00 UTC'],
      ['2040-01-10 09:00:00-0330', '2040-01-10 12:30:00 UTC'],
      ['2209899600', '2040-01-11 13:00:00 UTC'],
      ['tomorrow 10am', '2026-11-22 10:00:00'],
      ['tomorrow 10.30pm', '2026-11-22 22:30:00'],
      ['28.03.27 9.05.30 a.m.', '2027-03-28 09:05:30'],
      ['yesterday', '2026-11-20 00:00:00'],
      ['now', '2026-11-21 10:00:00'],
      ['03/01/2031 5pm', '2031-03-01 17:00:00'],
      ['2031-03-01 12am', '2031-03-01 00:00:00'],
      ['2028-02-29', '2028-02-29 00:00:00'],
      ['2031-03-10 24:00', '2031-03-11 00:00:00'],
      ['20310310T101500', '2031-03-10 10:15:00'],
      ['2031/03/10', '2031-03-10 00:00:00'],
      ['10.03.2031 9:30', '2031-03-10 09:30:00'],
      ['31-03-2031', '2031-03-31 00:00:00'],
      ['10 March 2031', '2031-03-10 00:00:00'],
      ['March 10th, 2031, 5:30 PM', '2031-03-10 17:30:00'],
      ['1 Sept. 2031', '2031-09-01 00:00:00'],
      ['Mar 2031', '2031-03-01 00:00:00'],
      ['Mon, 10 Mar 2031 10:15:00 GMT', '2031-03-10 10:15:00 in GMT'],
      ['2031-03-10 10:15 UTC+2', '2031-03-10 10:15:00 in UTC+2'],
      ['10:00', '2026-11-21 10:00:00'],
      ['noon', '2026-11-21 12:00:00'],
      ['midnight', '2026-11-21 00:00:00'],
      ['tomorrow noon', '2026-11-22 12:00:00'],
      ['+1 week', '2026-11-28 10:00:00'],
      ['+1 day 2 hours', '2026-11-22 12:00:00'],
      ['2 weeks ago', '2026-11-07 10:00:00'],
      ['-1 month', '2026-10-21 10:00:00'],
      ['2027-01-31 +1 month', '2027-03-03 00:00:00'],
      ['next month', '2026-12-21 10:00:00'],
      ['last year', '2025-11-21 10:00:00'],
      ['first day of next month', '2026-12-01 10:00:00'],
      ['last day of February 2028', '2028-02-29 00:00:00'],
      ['saturday', '2026-11-21 00:00:00'],
      ['this saturday', '2026-11-21 00:00:00'],
      ['next saturday', '2026-11-28 00:00:00'],
      ['last saturday', '2026-11-14 00:00:00'],
      ['monday 9:00', '2026-11-23 09:00:00'],
      ['last friday', '2026-11-20 00:00:00'],
      ['third sunday', '2026-12-06 00:00:00'],
      ['2031-01-01 23:59:59', '2031-01-01 23:59:59'],
      ['2031-01-01 10:00:59', '2031-01-01 10:00:59'],
      ['2031-01-01 12pm', '2031-01-01 12:00:00'],
      ['2031-01-01 11:59:59 PM', '2031-01-01 23:59:59'],
      ['2031-01-01 1am', '2031-01-01 01:00:00'],
      ['9999-12-31', '9999-12-31 00:00:00'],
      ['9999-12-31 23:59:59', '9999-12-31 23:59:59'],
      ['0001-01-01', '0001-01-01 00:00:00'],
      ['2027-03', '2027-03-01 00:00:00'],
      ['2027 March', '2027-03-01 00:00:00'],
      ['2027-W12', '2027-03-22 00:00:00'],
      ['2027-W12-3', '2027-03-24 00:00:00'],
      ['2027W123T10:00', '2027-03-24 10:00:00'],
      ['2026-W53-5', '2027-01-01 00:00:00'],
      ['2026-W53-7', '2027-01-03 00:00:00'],
      ['2032-W53', '2032-12-27 00:00:00'],
      ['2020-W53-7', '2021-01-03 00:00:00'],
      ['2027-W01', '2027-01-04 00:00:00'],
      ['2027-W52', '2027-12-27 00:00:00'],
      ['2027-001', '2027-01-01 00:00:00'],
      ['2027-365', '2027-12-31 00:00:00'],
      ['2027-087', '2027-03-28 00:00:00'],
      ['2027.087', '2027-03-28 00:00:00'],
      ['78-Dec-22', '1978-12-22 00:00:00'],
      ['22-Dec-78', '1978-12-22 00:00:00'],
      ['14 III 1979', '1979-03-14 00:00:00'],
      ['1-VIII-2027 10:30', '2027-08-01 10:30:00'],
      ['31.XII.27', '2027-12-31 00:00:00'],
      ['2028-366', '2028-12-31 00:00:00'],
      ['2027-03-28T10', '2027-03-28 10:00:00'],
      ['2027-03-28 9:5', '2027-03-28 09:05:00'],
      ['@1806192000', '2027-03-28 00:00:00 UTC'],
      ['2027-03-28 10:00 Europe/Paris', '2027-03-28 10:00:00 in Europe/Paris'],
      ['2027-03-28 10:00:00 EST', '2027-03-28 10:00:00 in EST'],
      [
        '2027-03-28 10:00 America/Argentina/Buenos_Aires',
        '2027-03-28 10:00:00 in America/Argentina/Buenos_Aires',
      ],
      [
        'Sun Mar 28 2027 10:00:00 GMT+0200 (Central European Summer Time)',
        '2027-03-28 10:00:00 in UTC+02:00',
      ],
      ['Sun Mar 28 10:00:00 2027', '2027-03-28 10:00:00'],
      ['first monday of january 2027', '2027-01-04 00:00:00'],
      ['last friday of next month', '2026-12-25 00:00:00'],
      ['first monday of january 2027 +2 days', '2027-01-06 00:00:00'],
      ['March 28', '2026-03-28 00:00:00'],
      ['28 March 10:00', '2026-03-28 10:00:00'],
      ['28.03.27', '2027-03-28 00:00:00'],
      ['3/8/27', '2027-03-08 00:00:00'],
      ['28-Mar-27', '2027-03-28 00:00:00'],
      ['12/31/99', '1999-12-31 00:00:00'],
      ['12/31/70', '1970-12-31 00:00:00'],
      ['12/31/69', '2069-12-31 00:00:00'],
      [`2031-03-10${' '.repeat(85)}10:00`, '2031-03-10 10:00:00'],
      ['+1 weekday', '2026-11-23 10:00:00'],
      ['-6 weekdays', '2026-11-13 10:00:00'],
      ['11 weekdays ago', '2026-11-06 10:00:00'],
      ['monday next week', '2026-11-23 00:00:00'],
      ['next week', '2026-11-28 10:00:00'],
      ['this week', '2026-11-16 10:00:00'],
      ['sunday this week', '2026-11-22 00:00:00'],
      ['monday last week', '2026-11-09 00:00:00'],
      ['next week friday 9:00', '2026-11-27 09:00:00'],
      ['back of 7pm', '2026-11-21 19:15:00'],
      ['front of 5pm', '2026-11-21 16:45:00'],
      ['Front Of 5pm', '2026-11-21 16:45:00'],
      ['BACK OF 7PM', '2026-11-21 19:15:00'],
      ['next weekday', '2026-11-23 00:00:00'],
      ['March', '2026-03-21 00:00:00'],
      ['+1 day 1530', '2026-11-22 15:30:00'],
      ['2031-03-10 1530', '2031-03-10 15:30:00'],
      ['2031-03-10 10:00z', '2031-03-10 10:00:00 UTC'],
      ['9999-12-30', '9999-12-30 00:00:00'],
      ['0001-01-02', '0001-01-02 00:00:00'],
      ['0', '1970-01-01 00:00:00 UTC'],
      ['-86400', '1969-12-31 00:00:00 UTC'],
    ] as const;
    expect(rows.map(([text]) => [text, read(text)])).toEqual(rows);
  });

  test('does not read other texts', () => {
    const rows = [
      '14 iii 1979',
      '14 IIII 1979',
      '',
      ' ',
      'a',
      'soon',
      '2031-02-30',
      '2031-13-01',
      '2031-01-01 25:00',
      '2031-01-01 10:60',
      '0000-00-00',
      '2031-01-01 2032-01-01',
      '30 February 2031',
      '+1 lightyear',
      'mondays',
      'next',
      '99999 years',
      'now '.repeat(40),
      '13/13/2031',
      'today 13pm',
      '10:00 1530',
      '2027-W12 2027-W13',
      'this monday of march',
      'today 0am',
      '2031-01-01 10:00:60',
      '2031-01-01 10:00:99',
      '20310101T101560',
      '2031-01-01 5:00:60pm',
      '2031-04-31',
      '2027-W53',
      '2025-W53',
      '2027-W00',
      '2027-000',
      `2031-03-10${' '.repeat(86)}10:00`,
      '2027-366',
      '2027-03-28 10:00 Europe/Nowhere',
      '2027-02-29',
      '2031-00-10',
      '2031-01-00',
      '2031-01-32',
    ];
    expect(rows.filter((text) => read(text) !== undefined)).toEqual([]);
  });
});

describe('wallIn()', () => {
  const digits = (length: number, max: number) =>
    fc.integer({ min: 0, max }).map((number) => String(number).padStart(length, '0'));
  const text = fc
    .tuple(digits(4, 9999), digits(2, 13), digits(2, 32), digits(2, 25), digits(2, 61), digits(2, 61))
    .map(([year, month, day, ...time]) => `${year}-${month}-${day} ${time.join(':')}`);

  test('reads every date that is written as dates are shown, as parseDate() does, and no other', () => {
    fc.assert(
      fc.property(text, (text) => {
        const date = parseDate(text, 0);
        const shown = date !== undefined && 'wall' in date ? formatWall(date.wall) : undefined;
        expect(wallIn(text)).toEqual(shown === text ? readWall(text) : undefined);
        // Parameters read it with a T in the same way.
        expect(parseDate(text.replace(' ', 'T'), 0)).toEqual(date);
      }),
    );
  });

  test('does not read other forms', () => {
    const rows = [
      '2027-01-31',
      '2027-01-31T19:30:00',
      '2027-01-31 19:30:00 ',
      '2027-02-30 00:00:00',
      '',
      'now',
    ];
    expect(rows.filter((text) => wallIn(text) !== undefined)).toEqual([]);
  });
});

describe('the words of parseDate()', () => {
  // A Saturday.
  const now = readWall('2026-11-21 10:00:00');
  const read = (text: string) => {
    const date = parseDate(text, now);
    return date !== undefined && 'wall' in date ? formatWall(date.wall) : date;
  };

  const months = [
    'jan january',
    'feb february',
    'mar march',
    'apr april',
    'may',
    'jun june',
    'jul july',
    'aug august',
    'sep sept september',
    'oct october',
    'nov november',
    'dec december',
  ].map((names) => names.split(' '));
  test('take 100 characters, and no more', () => {
    expect(read(`now${','.repeat(97)}`)).toBe('2026-11-21 10:00:00');
    expect(read(`now${','.repeat(98)}`)).toBeUndefined();
    expect(read(`  now${','.repeat(97)}  `)).toBe('2026-11-21 10:00:00');
  });

  test('name the months', () => {
    for (const [index, names] of months.entries()) {
      const month = index + 1;
      const expected = `2031-${String(month).padStart(2, '0')}-05 00:00:00`;
      for (const name of names)
        expect([read(`5 ${name} 2031`), read(`${name.toUpperCase()} 5, 2031`)], `month ${month}`).toEqual([
          expected,
          expected,
        ]);
    }
  });

  const weekdays = [
    'sat saturday',
    'sun sunday',
    'mon monday',
    'tue tues tuesday',
    'wed wednesday',
    'thu thur thurs thursday',
    'fri friday',
  ].map((names) => names.split(' '));
  test('name the days of the week', () => {
    for (const [days, names] of weekdays.entries()) {
      for (const name of names) expect(read(name), `${days} days on`).toBe(`2026-11-${21 + days} 00:00:00`);
    }
  });

  test('count by units', () => {
    for (const [unit, expected] of [
      ['sec', '2026-11-21 10:00:02'],
      ['second', '2026-11-21 10:00:02'],
      ['min', '2026-11-21 10:02:00'],
      ['minute', '2026-11-21 10:02:00'],
      ['hour', '2026-11-21 12:00:00'],
      ['day', '2026-11-23 10:00:00'],
      ['week', '2026-12-05 10:00:00'],
      ['fortnight', '2026-12-19 10:00:00'],
      ['month', '2027-01-21 10:00:00'],
      ['year', '2028-11-21 10:00:00'],
    ] as const) {
      expect([read(`+2 ${unit}`), read(`2 ${unit}s`)], unit).toEqual([expected, expected]);
      expect([read(`-2 ${unit}s ago`), read(`2 ${unit}s`)], unit).toEqual([expected, expected]);
      expect([read(`+2 ${unit}s ago`), read(`1 ${unit} ago`)], unit).toEqual([
        read(`-2 ${unit}`),
        read(`-1 ${unit}`),
      ]);
    }
  });

  test('number the days', () => {
    const ordinals =
      'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');
    const numbered = ordinals.map((word, index): [string, number] => [word, index + 1]);
    const relative: [string, number][] = [
      ['this', 0],
      ['next', 1],
      ['last', -1],
      ['previous', -1],
    ];
    for (const [word, count] of [...relative, ...numbered]) {
      expect(read(`${word} day`), word).toBe(formatWall(now + count * 86_400));
    }
  });
});

describe('dateDetails()', () => {
  test('takes a date apart into padded texts', () => {
    expect(dateDetails('2040-01-10 09:00:05')).toEqual({
      year: '2040',
      month: '01',
      day: '10',
      hour: '09',
      minutes: '00',
      seconds: '05',
    });
  });
});
