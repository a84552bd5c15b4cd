/** How an event is to be repeated, as a form has it, and the rule of RFC 5545 that it means. */

import { send } from '../../common/browser/api-client.ts';
import { calendar, language } from '../../common/browser/session.tsx';
import { type Repetition, weekdayOf, weekdays } from '../../common/views/repetition.ts';

/** The series that an event is a date of, as the event shows it. */
export interface SeriesLink {
  readonly id: number;
  readonly recurrence_id: string;
}

/** What a person has chosen. Days read `2027-01-05`. */
export interface Repeat {
  readonly unit: 'week' | 'month' | 'year' | 'dates';
  readonly interval: number;
  /** Of weeks: 0 for Monday. */
  readonly weekdays: readonly number[];
  /** Of months: by the day, or by a weekday, the first and so on or the last of its kind. */
  readonly by: 'day' | 'weekday' | 'last';
  readonly ends: 'until' | 'count';
  readonly until: string;
  readonly count: number;
  readonly except: readonly string[];
  readonly dates: readonly string[];
}

/** The value of the field: the series that the event is in, and the other rule that it is to have, or that of a new one. */
export interface RepeatValue {
  readonly series?: SeriesLink;
  readonly repeat?: Repeat;
}

export interface SeriesDate {
  readonly recurrence_id: string;
  readonly event: number;
  readonly status: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly changed?: readonly string[];
}

export interface SeriesView extends Repetition {
  readonly id: number;
  readonly rdate: readonly string[];
  readonly exdate: readonly string[];
  readonly dates: readonly SeriesDate[];
}

/** A date that a series would have, or would have no longer. */
export interface PlannedDate {
  readonly recurrence_id: string;
  readonly start_date: string;
  readonly odd?: 'skipped-time' | 'repeated-time' | 'clock-change';
  readonly change: 'added' | 'kept' | 'removed';
}

export interface Plan {
  readonly total: number;
  readonly dates: readonly PlannedDate[];
  /** Days that there are not, and months without a fifth weekday. */
  readonly missing: readonly string[];
}

export type Scope = 'this' | 'later' | 'all';

const ofLanguage = language === 'en' ? '' : `?translation_language=${language}`;

/** Returns the path of a series, or of all, in the language of the page. */
export const seriesPath = (id?: number) =>
  `${calendar}/series${id === undefined ? '' : `/${id}`}${ofLanguage}`;

export const readSeries = async (id: number) => (await send<SeriesView>(seriesPath(id))).value;

/** Returns what a form begins with that repeats an event by weeks, months, years or chosen dates. */
export function newRepeat(unit: Repeat['unit'], start: string): Repeat {
  return {
    unit,
    interval: 1,
    weekdays: start === '' ? [] : [weekdayOf(start)],
    by: 'day',
    ends: 'until',
    until: '',
    count: 10,
    except: [],
    dates: [],
  };
}

const basic = (day: string) => day.replaceAll('-', '');
const monthDay = (day: string) => Number(day.slice(8, 10));

/** Returns the number of a day among those of its weekday in its month. */
export const placeOf = (day: string) => Math.ceil(monthDay(day) / 7);

/** Checks whether a day is the last of its weekday in its month. */
export function isLastOfItsKind(day: string): boolean {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return monthDay(day) + 7 > new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Returns the rule, without its end. `start` is the day of the event. */
export function ruleOf({ unit, interval, weekdays: chosen, by }: Repeat, start: string): string {
  const every = interval === 1 ? '' : `;INTERVAL=${interval}`;
  const weekday = weekdays[weekdayOf(start)];
  switch (unit) {
    case 'week':
      return `FREQ=WEEKLY${every};BYDAY=${chosen.toSorted().map((number) => weekdays[number])}`;
    case 'month':
      if (by === 'day') return `FREQ=MONTHLY${every};BYMONTHDAY=${monthDay(start)}`;
      return `FREQ=MONTHLY${every};BYDAY=${by === 'last' ? -1 : placeOf(start)}${weekday}`;
    case 'year':
      return `FREQ=YEARLY${every}`;
    default:
      return '';
  }
}

/** Returns what is sent of a repetition; undefined while something is missing. */
export function rulesOf(repeat: Repeat, start: string): Readonly<Record<string, unknown>> | undefined {
  const { unit, ends, until, count, except, dates } = repeat;
  if (start === '') return undefined;
  if (unit === 'dates')
    return dates.length === 0 ? undefined : { rrule: '', rdate: [start, ...dates], exdate: [] };
  const isEnded = ends === 'until' ? until !== '' : count >= 1;
  if (!isEnded || (unit === 'week' && repeat.weekdays.length === 0)) return undefined;
  const end = ends === 'until' ? `UNTIL=${basic(until)}` : `COUNT=${count}`;
  return { rrule: `${ruleOf(repeat, start)};${end}`, rdate: dates, exdate: except };
}

/** Returns the repetition that a series has from one of its days on; chosen dates where a form cannot say its rule. */
export function repeatOf(
  { rrule, rdate, exdate, dates, last_date, rule_start }: SeriesView,
  day: string,
): Repeat {
  const parts = new Map(rrule.split(';').map((part) => part.split('=') as [string, string]));
  const later = dates.map((date) => date.recurrence_id).filter((other) => other > day);
  const common = {
    ...newRepeat('week', day),
    interval: Number(parts.get('INTERVAL') ?? 1),
    until: last_date.slice(0, 10),
    except: exdate.filter((other) => other > day),
    dates: rdate.filter((other) => other > day),
  };
  const names = [...parts.keys()].filter(
    (name) => !['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST'].includes(name),
  );
  const frequency = `${parts.get('FREQ')} ${names}`;
  const byDay = parts.get('BYDAY') ?? '';
  const numbers = byDay.split(',').map((name) => weekdays.indexOf(name as (typeof weekdays)[number]));
  if (frequency === 'WEEKLY BYDAY' && !numbers.includes(-1)) return { ...common, weekdays: numbers };
  if (frequency === 'WEEKLY ') return { ...common, weekdays: [weekdayOf(rule_start)] };
  if (frequency === 'YEARLY ' && rule_start.slice(5) === day.slice(5)) return { ...common, unit: 'year' };
  if (frequency === 'MONTHLY BYMONTHDAY' && Number(parts.get('BYMONTHDAY')) === monthDay(day))
    return { ...common, unit: 'month', by: 'day' };
  const weekday = weekdays[weekdayOf(day)];
  if (frequency === 'MONTHLY BYDAY' && byDay === `-1${weekday}`)
    return { ...common, unit: 'month', by: 'last' };
  if (frequency === 'MONTHLY BYDAY' && byDay === `${placeOf(day)}${weekday}`)
    return { ...common, unit: 'month', by: 'weekday' };
  return { ...common, unit: 'dates', interval: 1, except: [], dates: later };
}
