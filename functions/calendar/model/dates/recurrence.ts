/**
 * The days of a series of events: a rule of RFC 5545 with added and excluded days, on the wall clock of its events. Each has one event, so a
 * rule counts days; the time of day is one of the values of the series.
 */

import { CodedError } from '../../../../shared/errors.ts';
import type { Recurrence } from '../records.ts';
import { invalidParameter } from '../refusals.ts';
import { horizonYears, maxSeriesDates } from '../series.ts';
import { parseRule, type Rule, ruleDates } from './rule.ts';
import { formatWall, readWall, secondsOfDay, toInstant, toWall, wallIn, type Zone } from './wall.ts';

/** The dates of a rule, in ascending order, and what it has not. */
export interface RecurrenceDays {
  readonly days: readonly string[];
  /** Days that the rule means and no calendar has, `2027-02-31`; months without a fifth weekday, `2027-02`. */
  readonly missing: readonly string[];
}

/** What a rule needs to know of its series. */
export interface RecurrenceContext {
  readonly zone: Zone;
  /** Seconds of the day at which its events begin. */
  readonly time: number;
  /** The present instant, in seconds. */
  readonly now: number;
}

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const parts = [
  'FREQ',
  'INTERVAL',
  'BYDAY',
  'BYMONTHDAY',
  'BYMONTH',
  'BYSETPOS',
  'BYYEARDAY',
  'BYWEEKNO',
  'WKST',
];

/** Parses the text of a rule, as it is sent; returns it as it is stored, with what is read of it alone. Throws `rest_invalid_param` for what no series has. */
export function checkRule(text: string): string {
  const rule = ruleOf(text);
  const other = [...rule.parts.keys()].find((name) => !parts.includes(name));
  if (other !== undefined || !frequencies.includes(rule.parts.get('FREQ') ?? ''))
    throw invalidParameter(
      'rrule',
      `must repeat by days, weeks, months or years: FREQ=${frequencies.join(', ')}, with ${parts.slice(1).join(', ')}, and COUNT or UNTIL`,
    );
  if (rule.count !== undefined && rule.until !== undefined)
    throw invalidParameter('rrule', 'must have one end: COUNT or UNTIL');
  if (rule.until !== undefined) untilOf(rule.until);
  const { count, until: end } = rule;
  return [
    ...rule.parts,
    ...(count === undefined ? [] : [['COUNT', count]]),
    ...(end === undefined ? [] : [['UNTIL', end]]),
  ]
    .map(([name, value]) => `${name}=${value}`)
    .join(';');
}

const withoutName = (text: string) =>
  text
    .trim()
    .replace(/^RRULE:/i, '')
    .replace(/;$/, '');

function ruleOf(text: string): Rule {
  try {
    return parseRule(withoutName(text));
  } catch (error) {
    throw invalidParameter('rrule', `must be a rule of RFC 5545: ${(error as Error).message}`);
  }
}

const until = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/;

/** Returns the end of a rule as wall time, and whether it is one in UTC; the last second of a day. */
function untilOf(text: string): { readonly wall: number; readonly isUtc: boolean } {
  const [, year, month, day, hour, minute, second, zone] = until.exec(text) ?? [];
  const wall = wallIn(`${year}-${month}-${day} ${hour ?? '23'}:${minute ?? '59'}:${second ?? '59'}`);
  if (wall === undefined)
    throw invalidParameter('rrule', 'must have a day or a time as its UNTIL: 20270526, or 20270526T170000Z');
  return { wall, isUtc: zone === 'Z' };
}

/** The last year that dates are written in. */
const lastYear = 9999;

/** Returns the last day that a series may have: two years from its first date, or from today where that is later. */
export function horizonOf(first: string, { zone, now }: Pick<RecurrenceContext, 'zone' | 'now'>): string {
  const today = formatWall(toWall(zone, now)).slice(0, 10);
  const from = first > today ? first : today;
  const date = new Date(`${from}T00:00:00Z`);
  date.setUTCFullYear(date.getUTCFullYear() + horizonYears);
  return date.getUTCFullYear() > lastYear ? `${lastYear}-12-31` : date.toISOString().slice(0, 10);
}

/** Returns the days of a series. Throws `series-too-long` beyond the horizon. `first` is the first day of the whole series. */
export function daysOf(recurrence: Recurrence, first: string, context: RecurrenceContext): RecurrenceDays {
  const { start, rrule, rdate = [], exdate = [] } = recurrence;
  const horizon = horizonOf(first, context);
  const found =
    rrule === undefined ? { days: [], missing: [] } : ruleDays(ruleOf(rrule), start, horizon, context);
  const excluded = new Set(exdate);
  const days = [...new Set([...found.days, ...rdate])].filter((day) => !excluded.has(day)).sort();
  const last = days.at(-1);
  if (last !== undefined && last > horizon) throw tooLong(`its last date would be ${last}`, horizon);
  if (days.length > maxSeriesDates) throw tooLong(`it would have ${days.length}`, horizon);
  return { days, missing: found.missing };
}

function ruleDays(rule: Rule, start: string, horizon: string, context: RecurrenceContext): RecurrenceDays {
  const { count, until } = rule;
  if (count === undefined && until === undefined)
    throw tooLong('its rule has no end (COUNT or UNTIL)', horizon);
  if (count !== undefined && count > maxSeriesDates) throw tooLong(`its rule has ${count}`, horizon);
  const bounds = {
    start: wallOf(start),
    isDate: true,
    last: wallOf(horizon),
    isWithin: isWithin(until, context),
    includesStart: false,
    maxDates: maxSeriesDates,
  };
  const days = dayTexts(rule, bounds, horizon);
  if (count !== undefined && days.length < count)
    throw tooLong(`its rule has ${days.length} of its ${count} dates by then`, horizon);
  if (until !== undefined && bounds.isWithin(wallOf(horizon) + secondsOfDay))
    throw tooLong(`its rule ends with ${until}`, horizon);
  return { days, missing: missingDays(rule, start, days, bounds) };
}

function dayTexts(rule: Rule, bounds: Parameters<typeof ruleDates>[1], horizon: string): string[] {
  try {
    return ruleDates(rule, bounds).map(dayText);
  } catch (error) {
    if (/^it has more than/.test((error as Error).message)) throw tooLong('its rule has more', horizon);
    throw invalidParameter('rrule', `must have dates: ${(error as Error).message}`);
  }
}

/** Returns what checks whether the event of a day begins by the end of the rule. */
function isWithin(until: string | undefined, { zone, time }: RecurrenceContext): (day: number) => boolean {
  if (until === undefined) return () => true;
  const { wall, isUtc } = untilOf(until);
  return isUtc ? (day) => toInstant(zone, day + time) <= wall : (day) => day + time <= wall;
}

/** Returns the days of months and years that a rule means, and that are left out since no calendar has them. */
function missingDays(
  { parts, count }: Rule,
  start: string,
  days: readonly string[],
  { last, isWithin }: Pick<Parameters<typeof ruleDates>[1], 'last' | 'isWithin'>,
): string[] {
  const frequency = parts.get('FREQ');
  const end = days.at(-1);
  if ((frequency !== 'MONTHLY' && frequency !== 'YEARLY') || parts.has('BYSETPOS') || end === undefined)
    return [];
  const months = parts.get('BYMONTH')?.split(',').map(Number);
  const inMonths = frequency === 'YEARLY' ? (months ?? [Number(start.slice(5, 7))]) : months;
  const monthDays = (parts.get('BYMONTHDAY') ?? (parts.has('BYDAY') ? '' : start.slice(8)))
    .split(',')
    .map(Number)
    .filter((day) => day > 28);
  const isFifth =
    !parts.has('BYMONTHDAY') && /(?:^|,)-?5/.test(parts.get('BYDAY') ?? '') && frequency === 'MONTHLY';
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const step = frequency === 'YEARLY' ? 12 : 1;
  const [year = 0, month = 0] = start.split('-').map(Number);
  const missing: string[] = [];
  const bound = count === undefined ? dayText(last) : end;
  for (let index = 0; ; index += frequency === 'YEARLY' ? step * interval : interval) {
    const at = new Date(Date.UTC(year, (frequency === 'YEARLY' ? 0 : month - 1) + index, 1));
    if (dayText(at.getTime() / 1000) > bound) return missing;
    const inYear = frequency === 'YEARLY' ? (inMonths ?? []) : [at.getUTCMonth() + 1];
    for (const number of inYear) {
      if (inMonths !== undefined && !inMonths.includes(number)) continue;
      const name = `${at.getUTCFullYear()}-${String(number).padStart(2, '0')}`;
      const length = new Date(Date.UTC(at.getUTCFullYear(), number, 0)).getUTCDate();
      const isAsked = (day: string) => day >= start && day <= bound && isWithin(wallOf(`${name}-${length}`));
      for (const day of monthDays)
        if (day > length && isAsked(`${name}-${day}`)) missing.push(`${name}-${day}`);
      if (isFifth && !days.some((day) => day.startsWith(name)) && isAsked(`${name}-${length}`))
        missing.push(name);
    }
  }
}

const dayText = (wall: number) => formatWall(wall).slice(0, 10);
const wallOf = (day: string) => readWall(`${day} 00:00:00`);

function tooLong(found: string, horizon: string): CodedError {
  return new CodedError(
    'series-too-long',
    `Cannot make the series: ${found}. A series has up to ${maxSeriesDates} dates, the last of them within ${horizonYears} years (${horizon}).`,
    { hint: 'Give an end, and extend the series later.' },
  );
}
