/** Dates that are not read to their end yet, and the wall time that they come to. */

import { isWritable, secondsOfDay, startOfDay, type Zone } from './wall.ts';

const daysOfWeek = 7;
const workingDays = 5;

/** What the tokens of a date set, and what is counted from the present. */
export interface DraftDate {
  /** The day, where one is set; what it leaves out is that of the present. */
  readonly date?: { readonly year?: number; readonly month?: number; readonly day?: number };
  /** Seconds of the day. */
  readonly time?: number;
  /** The offset from UTC that was written, in seconds. */
  readonly offset?: number;
  /** The zone that was named. */
  readonly zone?: Zone;
  readonly months: number;
  readonly days: number;
  readonly seconds: number;
  /** Days from Monday to Friday, counted after all others. */
  readonly workdays: number;
  /** A day of the week, 0 for Sunday, that is looked for from the day on; or after it. */
  readonly weekday?: { readonly number: number; readonly isAfter: boolean };
  /** Whether the day of the week lies in the week, Monday to Sunday, that `days` leads to; `this` week is its Monday. */
  readonly week?: 'this' | 'other';
  /** The first or last day of the month. */
  readonly edge?: 'first' | 'last';
  /** The nth of a day of the week in the month, from 1; the last for -1. */
  readonly nth?: { readonly count: number; readonly number: number };
}

/** A date of which nothing is set yet: now. */
export const emptyDate: DraftDate = { months: 0, days: 0, seconds: 0, workdays: 0 };

/** Returns the wall time of a draft, or undefined when no calendar has its day. A day without a time starts at 00:00:00. */
export function wallOfDraft(draft: DraftDate, now: number): number | undefined {
  const present = new Date(now * 1000);
  const { year = present.getUTCFullYear(), month = present.getUTCMonth() + 1 } = draft.date ?? {};
  // Of a month alone, its day is the first where one is looked for in it.
  const isMonth = draft.edge !== undefined || draft.nth !== undefined;
  const { day = isMonth ? 1 : present.getUTCDate() } = draft.date ?? {};
  const start = wallOf(year, month, day);
  if (start === undefined) return undefined;
  const time = draft.time ?? (draft.date === undefined ? now - startOfDay(now) : 0);
  const wall = dayOf(draft, new Date(start * 1000));
  return withWorkdays(wall, draft.workdays) + time + draft.seconds;
}

/** Returns the wall time at which a day starts, or undefined when no calendar has it (February 30). Months count from 1. */
function wallOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const wall = date.getTime() / 1000;
  const isSameDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isSameDay && isWritable(wall) ? wall : undefined;
}

function dayOf(draft: DraftDate, start: Date): number {
  const { months, days, edge, nth } = draft;
  if (nth !== undefined) return nthDay(nth, start, months) + days * secondsOfDay;
  const isLast = edge === 'last';
  const dayOfMonth =
    edge === undefined ? start.getUTCDate() + days + daysToWeekday(draft, start.getUTCDay()) : isLast ? 0 : 1;
  return wallAt(start, months + (isLast ? 1 : 0), dayOfMonth);
}

/** The nth Monday of a month, or the last. */
function nthDay({ count, number }: NonNullable<DraftDate['nth']>, start: Date, months: number): number {
  const isLast = count < 0;
  const first = wallAt(start, months + (isLast ? 1 : 0), 1);
  const daysAhead = (number - new Date(first * 1000).getUTCDay() + daysOfWeek) % daysOfWeek;
  return first + (daysAhead + (isLast ? -1 : count - 1) * daysOfWeek) * secondsOfDay;
}

function wallAt(start: Date, months: number, dayOfMonth: number): number {
  const date = new Date(start);
  date.setUTCFullYear(start.getUTCFullYear(), start.getUTCMonth() + months, dayOfMonth);
  return date.getTime() / 1000;
}

function daysToWeekday({ weekday, week, days }: DraftDate, from: number): number {
  const number = weekday?.number ?? (week === 'this' ? 1 : undefined);
  if (number === undefined) return 0;
  if (week !== undefined) return (number || daysOfWeek) - (from || daysOfWeek);
  return daysTo({ number, isAfter: weekday?.isAfter ?? false }, from, days);
}

/** Days to a day of the week; those counted back are counted from the last such day before. */
function daysTo({ number, isAfter }: NonNullable<DraftDate['weekday']>, from: number, days: number): number {
  const difference = number - from;
  const isPast = days < 0 ? difference < 0 : isAfter ? difference <= 0 : difference < 0;
  return isPast ? difference + daysOfWeek : difference;
}

/** Counts days from Monday to Friday; on a weekend from the Friday before, or back from the Monday after. */
function withWorkdays(wall: number, count: number): number {
  if (count === 0) return wall;
  const sign = Math.sign(count);
  let date = wall;
  while (isWeekend(date)) date -= sign * secondsOfDay;
  date += Math.trunc(count / workingDays) * daysOfWeek * secondsOfDay;
  for (let remaining = Math.abs(count % workingDays); remaining > 0; remaining -= 1) {
    do date += sign * secondsOfDay;
    while (isWeekend(date));
  }
  return date;
}

function isWeekend(wall: number): boolean {
  const number = new Date(wall * 1000).getUTCDay();
  return number === 0 || number === 6;
}
