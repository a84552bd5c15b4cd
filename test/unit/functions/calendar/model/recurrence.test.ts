/** The days of rules, held against a reader that looks at each day by itself. */

import { describe, expect, test } from 'vitest';
import { checkRule, daysOf } from '../../../../../functions/calendar/model/dates/recurrence.ts';
import { findZone } from '../../../../../functions/calendar/model/dates/wall.ts';
import { isCodedError } from '../../../../../shared/errors.ts';
import { fc, numRuns } from '../../../../support/properties.ts';

const zone = findZone('Europe/Copenhagen');
if (zone === undefined) throw new Error('The zone must exist.');
const context = { zone, time: 19 * 3600, now: Date.parse('2026-12-01T12:00:00Z') / 1000 };
const names = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const dayMs = 86_400_000;
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);
const textOf = (date: Date) => date.toISOString().slice(0, 10);

interface Parts {
  readonly freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  readonly interval: number;
  readonly byday: readonly string[];
  readonly bymonthday: readonly number[];
  readonly bymonth: readonly number[];
}

/** The reader: whether a day is one of a rule, found without any other day. */
function hasDay({ freq, interval, byday, bymonthday, bymonth }: Parts, start: Date, day: Date): boolean {
  const months =
    (day.getUTCFullYear() - start.getUTCFullYear()) * 12 + day.getUTCMonth() - start.getUTCMonth();
  const mondayOf = (date: Date) => date.getTime() - ((date.getUTCDay() + 6) % 7) * dayMs;
  const period = {
    DAILY: (day.getTime() - start.getTime()) / dayMs,
    WEEKLY: (mondayOf(day) - mondayOf(start)) / (7 * dayMs),
    MONTHLY: months,
    YEARLY: day.getUTCFullYear() - start.getUTCFullYear(),
  }[freq];
  if (period % interval !== 0) return false;
  if (bymonth.length > 0 && !bymonth.includes(day.getUTCMonth() + 1)) return false;
  const length = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
  const number = day.getUTCDate();
  if (
    bymonthday.length > 0 &&
    !bymonthday.some((asked) => (asked > 0 ? asked : length + 1 + asked) === number)
  )
    return false;
  if (byday.length > 0)
    return byday.some((asked) => {
      if (asked.slice(-2) !== names[day.getUTCDay()]) return false;
      const position = Number(asked.slice(0, -2));
      if (position === 0) return true;
      return position > 0
        ? Math.ceil(number / 7) === position
        : Math.ceil((length - number + 1) / 7) === -position;
    });
  if (bymonthday.length > 0) return true;
  if (freq === 'WEEKLY') return day.getUTCDay() === start.getUTCDay();
  if (freq === 'MONTHLY') return number === start.getUTCDate();
  if (freq !== 'YEARLY') return true;
  const isMonth = bymonth.length > 0 || day.getUTCMonth() === start.getUTCMonth();
  return isMonth && number === start.getUTCDate();
}

const weekdays = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });
const positions = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom(1, 2, 3, 4, 5, -1, -2), fc.constantFrom(...names))
    .map(([at, name]) => `${at}${name}`),
  { minLength: 1, maxLength: 2 },
);
const monthDays = fc.uniqueArray(fc.constantFrom(1, 7, 15, 28, 29, 30, 31, -1, -3), {
  minLength: 1,
  maxLength: 3,
});
const months = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 });
const none = fc.constant([]);

const rules: fc.Arbitrary<Parts> = fc.oneof(
  ...(
    [
      { freq: 'DAILY', byday: none, bymonthday: none, bymonth: none },
      { freq: 'DAILY', byday: weekdays, bymonthday: none, bymonth: months },
      { freq: 'WEEKLY', byday: none, bymonthday: none, bymonth: none },
      { freq: 'WEEKLY', byday: weekdays, bymonthday: none, bymonth: none },
      { freq: 'MONTHLY', byday: none, bymonthday: none, bymonth: none },
      { freq: 'MONTHLY', byday: positions, bymonthday: none, bymonth: none },
      { freq: 'MONTHLY', byday: weekdays, bymonthday: monthDays, bymonth: none },
      { freq: 'MONTHLY', byday: none, bymonthday: monthDays, bymonth: months },
      { freq: 'YEARLY', byday: none, bymonthday: none, bymonth: none },
      { freq: 'YEARLY', byday: positions, bymonthday: none, bymonth: months },
      { freq: 'YEARLY', byday: none, bymonthday: monthDays, bymonth: months },
    ] as const
  ).map(({ freq, byday, bymonthday, bymonth }) =>
    fc.record({
      freq: fc.constant(freq),
      interval: fc.integer({ min: 1, max: freq === 'YEARLY' ? 2 : 5 }),
      byday: byday as fc.Arbitrary<readonly string[]>,
      bymonthday: bymonthday as fc.Arbitrary<readonly number[]>,
      bymonth: bymonth as fc.Arbitrary<readonly number[]>,
    }),
  ),
);

function ruleText({ freq, interval, byday, bymonthday, bymonth }: Parts): string {
  const lists = [
    ['BYDAY', byday],
    ['BYMONTHDAY', bymonthday],
    ['BYMONTH', bymonth],
  ] as const;
  const written = lists.filter(([, list]) => list.length > 0).map(([name, list]) => `${name}=${list.join()}`);
  return [`FREQ=${freq}`, `INTERVAL=${interval}`, ...written].join(';');
}

const starts = fc
  .integer({ min: 0, max: 1_500 })
  .map((days) => textOf(new Date(Date.UTC(2026, 11, 1) + days * dayMs)));

describe('the days of a rule', () => {
  test('are those that a reader finds who looks at each day by itself', () => {
    fc.assert(
      fc.property(
        rules,
        starts,
        fc.integer({ min: 0, max: 700 }),
        fc.option(fc.integer({ min: 1, max: 60 })),
        fc.uniqueArray(fc.integer({ min: 0, max: 700 }), { maxLength: 3 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 700 }), { maxLength: 3 }),
        (parts, start, length, count, added, excluded) => {
          const first = dateOf(start);
          const at = (days: number) => textOf(new Date(first.getTime() + days * dayMs));
          const rdate = added.map(at);
          const exdate = excluded.map(at);
          const horizon = new Date(first);
          horizon.setUTCFullYear(first.getUTCFullYear() + 2);
          const days = Array.from({ length: 732 }, (_, number) => at(number)).filter(
            (day) => day <= textOf(horizon),
          );
          const all = days.filter((day) => hasDay(parts, first, dateOf(day)));
          const until = at(length);
          const ruled = count === null ? all.filter((day) => day <= until) : all.slice(0, count);
          const wanted = [...new Set([...ruled, ...rdate])].filter((day) => !exdate.includes(day)).sort();
          const end = count === null ? `UNTIL=${until.replaceAll('-', '')}` : `COUNT=${count}`;
          const found = outcome(
            () =>
              daysOf({ start, rrule: checkRule(`${ruleText(parts)};${end}`), rdate, exdate }, start, context)
                .days,
          );
          const isBeyond =
            ruled.length > 500 || wanted.length > 500 || (count !== null && ruled.length < count);
          expect(found).toEqual(isBeyond ? 'series-too-long' : wanted);
        },
      ),
      numRuns(150),
    );
  });
});

function outcome<T>(find: () => T): T | string {
  try {
    return find();
  } catch (error) {
    if (isCodedError(error)) return error.code;
    throw error;
  }
}

describe('what a rule means and no calendar has', () => {
  test.each([
    ['FREQ=MONTHLY;COUNT=5', '2027-01-31', ['2027-02-31', '2027-04-31', '2027-06-31']],
    ['FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=4', '2027-01-01', ['2027-02-30']],
    ['FREQ=MONTHLY;BYDAY=5TU;COUNT=2', '2027-03-01', ['2027-04', '2027-05']],
    ['FREQ=YEARLY;UNTIL=20290228', '2028-02-29', ['2029-02-29']],
    ['FREQ=WEEKLY;COUNT=5', '2027-01-31', []],
  ])('%s from %s', (rrule, start, missing) => {
    expect(daysOf({ start, rrule }, start, context).missing).toEqual(missing);
  });
});

describe('refuses', () => {
  test.each([
    ['FREQ=WEEKLY', 'series-too-long'],
    ['FREQ=DAILY;COUNT=501', 'series-too-long'],
    ['FREQ=DAILY;UNTIL=20281231', 'series-too-long'],
    ['FREQ=YEARLY;COUNT=4', 'series-too-long'],
    ['FREQ=WEEKLY;UNTIL=20300101', 'series-too-long'],
    ['FREQ=HOURLY;COUNT=3', 'rest_invalid_param'],
    ['FREQ=DAILY;BYHOUR=3;COUNT=3', 'rest_invalid_param'],
    ['FREQ=WEEKLY;COUNT=3;UNTIL=20270301', 'rest_invalid_param'],
    ['FREQ=WEEKLY;UNTIL=soon', 'rest_invalid_param'],
    ['every week', 'rest_invalid_param'],
    ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=1', 'series-too-long'],
  ])('%s', (rrule, code) => {
    expect(
      outcome(() => daysOf({ start: '2027-01-05', rrule: checkRule(rrule) }, '2027-01-05', context)),
    ).toBe(code);
  });

  test('no end in UTC that is the start of the last event', () => {
    const rrule = checkRule('RRULE:FREQ=WEEKLY;UNTIL=20270119T180000Z');
    expect(daysOf({ start: '2027-01-05', rrule }, '2027-01-05', context).days).toEqual([
      '2027-01-05',
      '2027-01-12',
      '2027-01-19',
    ]);
  });
});
