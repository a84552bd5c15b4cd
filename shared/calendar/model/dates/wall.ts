/** Wall time: what a clock on the wall shows, as seconds since 1970-01-01 00:00:00 on that same clock. */

/** Seconds of a day. */
export const day = 86_400;

/** First and last second that `YYYY-MM-DD` can say: years 1 to 9999. */
const first = Date.parse('0001-01-01T00:00:00Z') / 1000;
const last = Date.parse('9999-12-31T23:59:59Z') / 1000;

/** Numbers of a date and time as they are written: months from 1. */
export interface WallFields {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
}

/** Returns the wall time of numbers, or undefined when no calendar has them (February 30, hour 25). */
export function wallOf({
  year,
  month,
  day,
  hour = 0,
  minute = 0,
  second = 0,
}: WallFields): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const same = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour;
  const wall = date.getTime() / 1000;
  return same && minute < 60 && second < 60 && isWritable(wall) ? wall : undefined;
}

/** Checks whether a wall time has a year of four digits above 0000. */
export function isWritable(wall: number): boolean {
  return wall >= first && wall <= last;
}

/** Writes a wall time as `YYYY-MM-DD HH:MM:SS`. */
export function formatWall(wall: number): string {
  return new Date(wall * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Reads what `formatWall` wrote. */
export function readWall(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11)}Z`) / 1000;
}

/** Returns 00:00:00 of a wall time's day. */
export function startOfDay(wall: number): number {
  return Math.floor(wall / day) * day;
}

/** Returns 23:59:59 of a wall time's day. */
export function endOfDay(wall: number): number {
  return startOfDay(wall) + day - 1;
}

/** Parts of a date as texts, zero-padded (behaviour section 4.6). */
export interface DateDetails {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minutes: string;
  readonly seconds: string;
}

/** Takes `YYYY-MM-DD HH:MM:SS` apart. */
export function dateDetails(date: string): DateDetails {
  return {
    year: date.slice(0, 4),
    month: date.slice(5, 7),
    day: date.slice(8, 10),
    hour: date.slice(11, 13),
    minutes: date.slice(14, 16),
    seconds: date.slice(17, 19),
  };
}

/** A date while its tokens are read: what they set, and what is counted from the present. */
export interface DraftDate {
  /** The day, where one is set. */
  readonly date?: WallFields;
  /** Seconds of the day. */
  readonly time?: number;
  /** Seconds ahead of UTC. */
  readonly offset?: number;
  readonly months: number;
  readonly days: number;
  readonly seconds: number;
  /** A day of the week, 0 for Sunday, that is looked for from the day on; or after it. */
  readonly weekday?: { readonly number: number; readonly isAfter: boolean };
  /** The first or last day of the month. */
  readonly edge?: 'first' | 'last';
}

/** Returns the wall time of a draft, or undefined when no calendar has its day. A day without a time starts at 00:00:00. */
export function wallOfDraft(draft: DraftDate, now: number): number | undefined {
  const start = draft.date === undefined ? startOfDay(now) : wallOf(draft.date);
  if (start === undefined) return undefined;
  const time = draft.time ?? (draft.date === undefined ? now - startOfDay(now) : 0);
  return dayOf(draft, new Date(start * 1000)) + time + draft.seconds;
}

function dayOf({ weekday, months, days, edge }: DraftDate, start: Date): number {
  const toWeekday = weekday === undefined ? 0 : daysTo(weekday, start.getUTCDay(), days);
  const isLast = edge === 'last';
  const dayOfMonth = edge === undefined ? start.getUTCDate() + days + toWeekday : isLast ? 0 : 1;
  const date = new Date(start);
  date.setUTCFullYear(start.getUTCFullYear(), start.getUTCMonth() + months + (isLast ? 1 : 0), dayOfMonth);
  return date.getTime() / 1000;
}

/** Days to a day of the week; those counted back are counted from the last such day before. */
function daysTo({ number, isAfter }: NonNullable<DraftDate['weekday']>, from: number, days: number): number {
  const difference = number - from;
  const isPast = days < 0 ? difference < 0 : isAfter ? difference <= 0 : difference < 0;
  return isPast ? difference + 7 : difference;
}
