/** Moments in time. */
import type { SqlType } from '../session.ts';

/** A moment: days since 0001-01-01, ticks (100 ns) in the day, and minutes east of UTC. The clock is local to the offset. */
export interface Moment {
  readonly days: number;
  readonly ticks: number;
  readonly offset: number;
}

export const ticksPerDay = 864_000_000_000;
export const ticksPerSecond = 10_000_000;
export const ticksPerMinute = 600_000_000;
const dayOfUnixEpoch = 719_162;
const lastDay = 3_652_058;
/** 1900-01-01, what a bare time and the number 0 mean, and 1753-01-01, where datetime begins. */
export const day1900 = 693_595;
const day1753 = 639_905;

export function dayNumber(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const valid = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1 && year <= 9999;
  return valid ? Math.floor(date.getTime() / 86_400_000) + dayOfUnixEpoch : undefined;
}

export function yearMonthDay(days: number): { year: number; month: number; day: number } {
  const date = new Date((days - dayOfUnixEpoch) * 86_400_000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** The present, in UTC. */
export function now(): Moment {
  const milliseconds = performance.timeOrigin + performance.now();
  const days = Math.floor(milliseconds / 86_400_000);
  const ticks = Math.floor((milliseconds - days * 86_400_000) * 10_000);
  return { days: days + dayOfUnixEpoch, ticks, offset: 0 };
}

const two = (value: number): string => String(value).padStart(2, '0');

export function dateText(days: number): string {
  const { year, month, day } = yearMonthDay(days);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

export function timeText(ticks: number, scale: number): string {
  const seconds = Math.floor(ticks / ticksPerSecond);
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const fraction = String(ticks % ticksPerSecond)
    .padStart(7, '0')
    .slice(0, scale);
  return scale ? `${clock}.${fraction}` : clock;
}

export function offsetText(minutes: number): string {
  const absolute = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`;
}

/** Decimals of the second that a type keeps. */
export function scaleOf(type: SqlType): number {
  if (type.name === 'datetime') return 3;
  return 'scale' in type ? type.scale : 0;
}

/** Rounds to what the type keeps, and carries into the day. Undefined when the result is out of the type's range. */
export function roundTo(moment: Moment, type: SqlType): Moment | undefined {
  if (type.name === 'date') return isInRange(moment.days, type) ? { ...moment, ticks: 0 } : undefined;
  const step =
    type.name === 'smalldatetime' ? ticksPerMinute : type.name === 'datetime' ? 0 : 10 ** (7 - scaleOf(type));
  // datetime counts in three-hundredths of a second, shown as .000, .003 and .007.
  // smalldatetime is rounded from a datetime: 29.998 seconds down, 29.999 up.
  const given =
    type.name === 'smalldatetime'
      ? datetimeTicks(Math.round((moment.ticks * 300) / ticksPerSecond))
      : moment.ticks;
  const ticks = step
    ? Math.round(given / step) * step
    : datetimeTicks(Math.round((moment.ticks * 300) / ticksPerSecond));
  const days = moment.days + Math.floor(ticks / ticksPerDay);
  const rounded = { ...moment, days: type.name === 'time' ? moment.days : days, ticks: ticks % ticksPerDay };
  // What has an offset must be within the years 1 to 9999 in UTC too.
  const utc = type.name === 'datetimeoffset' ? atOffset(rounded, 0) : rounded;
  return isInRange(rounded.days, type) && isInRange(utc.days, type) ? rounded : undefined;
}

function datetimeTicks(units: number): number {
  return Math.round((units * 1000) / 300) * 10_000;
}

function isInRange(days: number, type: SqlType): boolean {
  if (type.name === 'datetime') return days >= day1753 && days <= lastDay;
  if (type.name === 'smalldatetime') return days >= day1900 && days <= day1900 + 65_535;
  return days >= 0 && days <= lastDay;
}

/** The canonical text of a moment in a type; see `SqlValue`. */
export function momentText(moment: Moment, type: SqlType): string {
  if (type.name === 'date') return dateText(moment.days);
  if (type.name === 'time') return timeText(moment.ticks, type.scale);
  const local = `${dateText(moment.days)} ${timeText(moment.ticks, scaleOf(type))}`;
  return type.name === 'datetimeoffset' ? `${local} ${offsetText(moment.offset)}` : local;
}

/** Reads canonical text of any date or time type; a bare time is on 1900-01-01. */
export function readMoment(text: string): Moment {
  const match =
    /^(?:(\d{4})-(\d\d)-(\d\d))? ?(?:(\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?(?: ([+-])(\d\d):(\d\d))?$/.exec(text);
  if (!match) throw new RangeError(`Not a canonical date or time: ${text}`);
  const [
    ,
    year,
    month,
    day,
    hour = '0',
    minute = '0',
    second = '0',
    fraction = '',
    sign,
    east = '0',
    eastMinute = '0',
  ] = match;
  const days = year ? (dayNumber(Number(year), Number(month), Number(day)) ?? 0) : day1900;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const ticks = seconds * ticksPerSecond + Number(fraction.padEnd(7, '0').slice(0, 7));
  const offset = (Number(east) * 60 + Number(eastMinute)) * (sign === '-' ? -1 : 1);
  return { days, ticks, offset };
}

/** The same moment with its clock moved to another offset. */
export function atOffset(moment: Moment, offset: number): Moment {
  return { ...addTicks(moment, (offset - moment.offset) * ticksPerMinute), offset };
}

export function addTicks(moment: Moment, ticks: number): Moment {
  const total = moment.ticks + ticks;
  const carried = Math.floor(total / ticksPerDay);
  return { ...moment, days: moment.days + carried, ticks: total - carried * ticksPerDay };
}
