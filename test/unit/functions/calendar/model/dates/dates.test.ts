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
  // A Saturday.
  const now = readWall('2026-11-21 10:00:00');
  const read = (text: string) => {
    const date = parseDate(text, now);
    if (date === undefined) return undefined;
    return 'instant' in date ? `${formatWall(date.instant)} UTC` : formatWall(date.wall);
  };

  test('reads ISO forms, timestamps and a few words', () => {
    const rows = [
      ['2040-01-10', '2040-01-10 00:00:00'],
      ['2040-01-10 09:00', '2040-01-10 09:00:00'],
      ['2040-01-10T09:00:30', '2040-01-10 09:00:30'],
      ['2040-01-10t09:00:30', '2040-01-10 09:00:30'],
      ['2040-1-5 9:05:01', '2040-01-05 09:05:01'],
      ['2040-01-10T09:00:00+05:00', '2040-01-10 04:00:00 UTC'],
      ['2040-01-10T09:00:00 05:00', '2040-01-10 04:00:00 UTC'],
      ['2040-01-10T09:00:00+05', '2040-01-10 04:00:00 UTC'],
      ['2040-01-10T09:00:00.123Z', '2040-01-10 09:00:00 UTC'],
      ['2031-03-10 10:00z', '2031-03-10 10:00:00 UTC'],
      ['2040-01-10 09:00:00-0330', '2040-01-10 12:30:00 UTC'],
      ['2209899600', '2040-01-11 13:00:00 UTC'],
      ['@1806192000', '2027-03-28 00:00:00 UTC'],
      ['0', '1970-01-01 00:00:00 UTC'],
      ['-86400', '1969-12-31 00:00:00 UTC'],
      ['2028-02-29', '2028-02-29 00:00:00'],
      ['2031-03-10 24:00', '2031-03-11 00:00:00'],
      ['20310310T101500', '2031-03-10 10:15:00'],
      ['20310310T101500Z', '2031-03-10 10:15:00 UTC'],
      ['2031/03/10', '2031-03-10 00:00:00'],
      ['2026/11/25T15:05', '2026-11-25 15:05:00'],
      ['2027-03-28T10', '2027-03-28 10:00:00'],
      ['2031-03-10 1530', '2031-03-10 15:30:00'],
      [`2031-03-10${' '.repeat(85)}10:00`, '2031-03-10 10:00:00'],
      ['9999-12-31 23:59:59', '9999-12-31 23:59:59'],
      ['0001-01-01', '0001-01-01 00:00:00'],
      ['now', '2026-11-21 10:00:00'],
      ['NOW', '2026-11-21 10:00:00'],
      ['today', '2026-11-21 00:00:00'],
      ['midnight', '2026-11-21 00:00:00'],
      ['noon', '2026-11-21 12:00:00'],
      ['yesterday', '2026-11-20 00:00:00'],
      ['tomorrow', '2026-11-22 00:00:00'],
      ['tomorrow 10:00', '2026-11-22 10:00:00'],
      ['tomorrow  noon', '2026-11-22 12:00:00'],
      ['today +14 days', '2026-12-05 00:00:00'],
      ['10:00', '2026-11-21 10:00:00'],
      ['+1 week', '2026-11-28 10:00:00'],
      ['+1week', '2026-11-28 10:00:00'],
      ['2 weeks', '2026-12-05 10:00:00'],
      ['+1 day 2 hours', '2026-11-22 12:00:00'],
      ['+90 minutes', '2026-11-21 11:30:00'],
      ['-1 month', '2026-10-21 10:00:00'],
      ['next month', '2026-12-21 10:00:00'],
      ['last year', '2025-11-21 10:00:00'],
      ['next week', '2026-11-28 10:00:00'],
      ['previous day', '2026-11-20 10:00:00'],
      ['this month', '2026-11-21 10:00:00'],
      ['first day of next month', '2026-12-01 10:00:00'],
      ['last day of this month 23:59:59', '2026-11-30 23:59:59'],
      ['last day of', '2026-11-30 10:00:00'],
      ['First day of +2 months', '2027-01-01 10:00:00'],
      ['first day of January 2031', '2031-01-01 00:00:00'],
      ['last day of february 2028 12:00', '2028-02-29 12:00:00'],
      ['last day of june', '2026-06-30 00:00:00'],
    ] as const;
    expect(rows.map(([text]) => [text, read(text)])).toEqual(rows);
  });

  test('does not read other texts', () => {
    const rows = [
      '',
      ' ',
      'a',
      'soon',
      '2031-02-30',
      '2027-02-29',
      '2031-04-31',
      '2031-13-01',
      '2031-00-10',
      '2031-01-00',
      '2031-01-32',
      '2031-01/02',
      '2031-01-01 25:00',
      '2031-01-01 10:60',
      '2031-01-01 10:00:60',
      '2031-01-01 24:00:01',
      '2031-01-01 10:00+15:00',
      '0000-00-00',
      '2031-01-01 2032-01-01',
      '2031-01-01 +1 day',
      '10:00 1530',
      '+1 lightyear',
      'next',
      'days',
      '+ days',
      '99999 years',
      'january 2031',
      'constructor',
      'next constructor',
      'now '.repeat(40),
      `2031-03-10${' '.repeat(86)}10:00`,
      // The free forms of the platform that the plugin runs on.
      '03/01/2031 5pm',
      'tomorrow 10am',
      '10 March 2031',
      'monday next week',
      'first monday of january 2027',
      'front of 5pm',
      '2 weeks ago',
      '+1 fortnight',
      '2027-W12',
      '2027-087',
      '14 III 1979',
      '2027-03-28 10:00 Europe/Paris',
    ];
    expect(rows.filter((text) => read(text) !== undefined)).toEqual([]);
  });

  test('counts days and months whatever is added before and after', () => {
    const count = fc.integer({ min: -2_000, max: 2_000 });
    fc.assert(
      fc.property(count, count, (days, weeks) => {
        const sign = (number: number) => (number < 0 ? String(number) : `+${number}`);
        expect(read(`${sign(days)} days ${sign(weeks)} weeks`)).toBe(
          formatWall(now + (days + 7 * weeks) * 86_400),
        );
      }),
    );
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
