/** What the tokens of a date set of it. */

import type { DraftDate } from './draft-date.ts';
import { findZone } from './wall.ts';

/** The groups of a token that matched. */
export type Matched = Readonly<Record<string, string | undefined>>;
type Shift = Pick<DraftDate, 'months' | 'days' | 'seconds' | 'workdays'>;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** As clients know them: upper case only. */
export const romanMonths = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** Words for a number of times, `this` for 0. */
export const counts =
  'this next second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

/** Units by how they start; the longer ones first. */
const units: readonly (readonly [start: string, shift: Partial<Shift>])[] = [
  ['sec', { seconds: 1 }],
  ['min', { seconds: 60 }],
  ['hour', { seconds: 3600 }],
  ['day', { days: 1 }],
  ['weekday', { workdays: 1 }],
  ['week', { days: 7 }],
  ['fortnight', { days: 14 }],
  ['month', { months: 1 }],
  ['year', { months: 12 }],
];

/** Two digits of a year below this are of this century. */
const centuryTurn = 70;
/** Seconds from the hour that `front of` and `back of` mean. */
const quarterSeconds = 900;

/** A date is set once. */
export function setDate(draft: DraftDate, { year, month = '', day }: Matched): DraftDate | undefined {
  if (draft.date !== undefined) return undefined;
  const monthIndex = Math.max(romanMonths.indexOf(month), months.indexOf(month.slice(0, 3).toLowerCase()));
  const date = {
    ...(year === undefined ? {} : { year: fullYear(year) }),
    month: monthIndex + 1 || Number(month),
    ...(day === undefined ? {} : { day: Number(day) }),
  };
  return { ...draft, date };
}

/** A month of a year without a day is its first. */
export function setMonth(draft: DraftDate, matched: Matched): DraftDate | undefined {
  return setDate(draft, { ...matched, day: '1' });
}

/** A week starts on Monday; the first of a year has its first Thursday (ISO 8601). */
export function setWeekDate(draft: DraftDate, { year, week, weekday = '1' }: Matched): DraftDate | undefined {
  const january4 = new Date(0);
  january4.setUTCFullYear(Number(year), 0, 4);
  const toMonday = -((january4.getUTCDay() + 6) % 7);
  const days = (Number(week) - 1) * 7 + Number(weekday) - 1;
  const isWeek = Number(week) >= 1 && Number(week) <= weeksOf(january4);
  return isWeek ? setDayOfJanuary(draft, Number(year), 4 + toMonday + days) : undefined;
}

/** A year has 53 weeks when it starts or ends on a Thursday. */
function weeksOf(january4: Date): number {
  const year = january4.getUTCFullYear();
  const edges = [new Date(january4), new Date(january4)];
  edges[0]?.setUTCFullYear(year, 0, 1);
  edges[1]?.setUTCFullYear(year, 11, 31);
  return edges.some((edge) => edge.getUTCDay() === 4) ? 53 : 52;
}

export function setOrdinalDate(draft: DraftDate, { year, ordinal }: Matched): DraftDate | undefined {
  const isLeap = new Date(Date.UTC(Number(year), 1, 29)).getUTCMonth() === 1;
  const isDay = Number(ordinal) >= 1 && Number(ordinal) <= (isLeap ? 366 : 365);
  return isDay ? setDayOfJanuary(draft, Number(year), Number(ordinal)) : undefined;
}

function setDayOfJanuary(draft: DraftDate, year: number, dayOfMonth: number): DraftDate | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, 0, dayOfMonth);
  return draft.date === undefined
    ? {
        ...draft,
        date: { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
      }
    : undefined;
}

/** Four digits by themselves are the year of a date without one, or else the time. */
export function setYear(draft: DraftDate, { year = '' }: Matched): DraftDate | undefined {
  if (draft.date !== undefined && draft.date.year === undefined)
    return { ...draft, date: { ...draft.date, year: Number(year) } };
  return draft.time === undefined
    ? setTime(draft, { hour: year.slice(0, 2), minute: year.slice(2) })
    : undefined;
}

function fullYear(year: string): number {
  if (year.length > 2) return Number(year);
  return Number(year) + (Number(year) < centuryTurn ? 2000 : 1900);
}

export function setTime(
  draft: DraftDate,
  { hour, minute = '0', second = '0', half }: Matched,
): DraftDate | undefined {
  const hours = Number(hour);
  const isHour = half === undefined ? hours <= 24 : hours >= 1 && hours <= 12;
  if (!isHour || Number(minute) > 59 || Number(second) > 59) return undefined;
  const hourOfDay = half === undefined ? hours : (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return { ...draft, time: hourOfDay * 3600 + Number(minute) * 60 + Number(second) };
}

/** `front of 5pm` is a quarter before, `back of` a quarter past. */
export function setQuarter(draft: DraftDate, { side, ...matched }: Matched): DraftDate | undefined {
  const hour = setTime(draft, matched);
  const difference = side?.toLowerCase() === 'front' ? -quarterSeconds : quarterSeconds;
  return hour && { ...hour, seconds: hour.seconds + difference };
}

/** Hours alone, or hours and minutes; `+130` is half past one. */
export function setOffset(draft: DraftDate, { sign, hour, minute = '0' }: Matched): DraftDate {
  const seconds = Number(hour) * 3600 + Number(minute) * 60;
  return { ...draft, offset: sign === '-' ? -seconds : seconds };
}

export function setZone(draft: DraftDate, { zone: name = '' }: Matched): DraftDate | undefined {
  const zone = findZone(name.replace(/^gmt(?=[+-])/i, 'UTC').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return zone && { ...draft, zone };
}

export function setWeekday(draft: DraftDate, name = '', count: number): DraftDate {
  const weeks = count > 0 ? count - 1 : count;
  const weekday = { number: numberOf(name), isAfter: count !== 0 };
  return { ...draft, time: 0, days: draft.days + weeks * 7, weekday };
}

export function setNthWeekday(draft: DraftDate, { count, weekday }: Matched): DraftDate | undefined {
  const nth = { count: countOf(count), number: numberOf(weekday) };
  return nth.count === 0 ? undefined : { ...draft, time: 0, nth };
}

function numberOf(weekday = ''): number {
  return weekdays.indexOf(weekday.slice(0, 3).toLowerCase());
}

export function setWeek(draft: DraftDate, { count }: Matched): DraftDate {
  const weeks = countOf(count);
  return { ...draft, days: draft.days + weeks * 7, week: weeks === 0 ? 'this' : 'other' };
}

/** `last` is -1, `this` 0, `next` and `first` 1, `second` 2. */
export function countOf(word = ''): number {
  const name = word.toLowerCase();
  if (name === 'last' || name === 'previous') return -1;
  return name === 'first' ? 1 : counts.indexOf(name);
}

export function shifted(draft: DraftDate, amount: number, name = ''): DraftDate {
  const [, shift = {}] = units.find(([start]) => name.toLowerCase().startsWith(start)) ?? [];
  const { months = 0, days = 0, seconds = 0, workdays = 0 } = shift;
  return {
    ...draft,
    months: draft.months + amount * months,
    days: draft.days + amount * days,
    seconds: draft.seconds + amount * seconds,
    workdays: draft.workdays + amount * workdays,
  };
}

/** `next weekday` starts at 00:00:00, `+1 weekday` keeps the time. */
export function withoutTimeOfWorkday(draft: DraftDate, unit = ''): DraftDate {
  return unit.toLowerCase().startsWith('weekday') ? { ...draft, time: 0 } : draft;
}

export function reversed({ months, days, seconds, workdays, ...draft }: DraftDate): DraftDate {
  return { ...draft, months: -months, days: -days, seconds: -seconds, workdays: -workdays };
}
