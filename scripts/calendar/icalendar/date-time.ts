/** Dates, times and durations of iCalendar (RFC 5545 3.3.4 to 3.3.9). */

import {
  formatWall,
  isWritable,
  secondsOfDay,
  startOfDay,
  toInstant,
  toWall,
  wallIn,
  type Zone,
} from '../../../functions/calendar/model/dates/wall.ts';
import type { Property } from './parse-calendars.ts';

/** A time zone of a time. */
export interface EventZone extends Zone {
  /** Whether the calendar knows the zone by this name; else only the instants of its times can be stored. */
  readonly isNamed: boolean;
}

/** A day, or a time in a zone; a time without one is read in the zone of the calendar. */
export interface DateTime {
  /** Wall time in seconds; of a day its midnight. */
  readonly wall: number;
  readonly isDate: boolean;
  readonly zone: EventZone;
  /** Whether the time was written without a zone. */
  readonly isFloating: boolean;
}

/** Finds the zone of a `TZID`; undefined for an unknown one. */
export type FindZone = (tzid: string) => EventZone | undefined;

/** What reads the times of one calendar. */
export interface TimeContext {
  readonly findZone: FindZone;
  /** The zone of times without one. */
  readonly floating: EventZone;
  /** Whether the calendar names that zone; else it is a guess. */
  readonly isFloatingKnown: boolean;
}

export const utc: EventZone = {
  name: 'UTC',
  isNamed: false,
  offsetAt: () => 0,
  abbreviationAt: () => 'UTC',
};

const form =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:T?(\d{2}):?(\d{2})(?::?(\d{2}))?(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?|Z)?$/i;

/** Parses a value of a property. Throws an Error for a text that is no date, and for a date that no calendar has. */
export function parseDateTime(text: string, property: Property, context: TimeContext): DateTime {
  const value = text.trim();
  const [, year, month, day, hour, minute = '00', second = '00', suffix] = form.exec(value) ?? [];
  const date = wallIn(`${year}-${month}-${day} 00:00:00`);
  if (date === undefined) throw invalid(property, value);
  const { floating } = context;
  // Some programs write a day as its midnight, and others call a time a day.
  const isMidnight = [hour, minute, second].every((part) => Number(part) === 0);
  if (hour === undefined || (isMidnight && property.getFirstParameter('value') === 'date'))
    return { wall: date, isDate: true, zone: floating, isFloating: true };
  const wall = date + Number(hour) * 3600 + Number(minute) * 60 + Math.min(Number(second), 59);
  // Some programs end a day at 24:00.
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60 || wall > date + secondsOfDay)
    throw invalid(property, value);
  if (suffix !== undefined)
    return { wall: wall - offsetOf(suffix), isDate: false, zone: utc, isFloating: false };
  const tzid = property.getFirstParameter('tzid');
  const zone = tzid === undefined || tzid === '' ? undefined : context.findZone(tzid);
  return { wall, isDate: false, zone: zone ?? floating, isFloating: zone === undefined };
}

function offsetOf(suffix: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(suffix) ?? [];
  const seconds = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60;
  return sign === '-' ? -seconds : seconds;
}

function invalid({ name }: Property, value: string): Error {
  return new Error(`${name.toUpperCase()} is no date: "${value.slice(0, 40)}"`);
}

/** Returns the instant of a time. */
export function instantOf({ zone, wall }: DateTime): number {
  return toInstant(zone, wall);
}

/** Returns a time with another wall time. Throws an Error for one beyond the years 1 to 9999. */
export function atWall(time: DateTime, wall: number): DateTime {
  if (!isWritable(wall)) throw new Error('it takes place outside of the years 1 to 9999');
  return { ...time, wall };
}

/** Returns the time of the same instant in the zone of another time. */
export function inZoneOf(time: DateTime, { zone, isFloating }: DateTime): DateTime {
  if (time.zone === zone) return time;
  return { wall: toWall(zone, instantOf(time)), isDate: false, zone, isFloating };
}

/**
 * Returns the day that a time means for an event of whole days. Exchange writes their midnight in UTC: it is the nearest one, and the
 * last second before it is of the day before.
 */
export function dayOf(time: DateTime): number {
  if (time.zone !== utc) return startOfDay(time.wall);
  const isLastSecond = time.wall % 60 === 59;
  const wall = isLastSecond ? time.wall + 1 : time.wall;
  const nearest = startOfDay(wall + secondsOfDay / 2);
  return isLastSecond ? nearest - secondsOfDay : nearest;
}

/** A length of time: days follow the clocks of a zone, and seconds do not (RFC 5545 3.3.6). */
export interface Duration {
  readonly days: number;
  readonly seconds: number;
}

/** Days that an event lasts, at most. */
const maxDays = 36_600;

/** Some programs write weeks and days behind the T. */
const durationForm = /^([+-])?PT?(?:(\d+)W)?(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/i;

/** Parses a duration. Throws an Error for an invalid text, and for a time of more than a hundred years. */
export function parseDuration(text: string): Duration {
  const match = durationForm.exec(text.trim());
  if (match === null || !/\d/.test(text)) throw new Error(`DURATION is no duration: "${text.slice(0, 40)}"`);
  const [weeks, days, hours, minutes, seconds] = match.slice(2).map((part) => Number(part ?? 0));
  const sign = match[1] === '-' ? -1 : 1;
  const duration = {
    days: sign * ((weeks ?? 0) * 7 + (days ?? 0)),
    seconds: sign * ((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)),
  };
  if (!(Math.abs(duration.days) + Math.abs(duration.seconds) / secondsOfDay <= maxDays))
    throw new Error(`it lasts more than a hundred years: "${text.slice(0, 40)}"`);
  return duration;
}

/** Returns the end of a duration. */
export function after(time: DateTime, { days, seconds }: Duration): DateTime {
  const later = atWall(time, time.wall + days * secondsOfDay);
  if (seconds === 0) return later;
  if (time.isDate) return atWall({ ...later, isDate: false }, later.wall + seconds);
  const instant = instantOf(later) + seconds;
  return atWall(later, toWall(time.zone, instant));
}

/** Writes a time as iCalendar does: `20270131T193000Z`, of a day `20270131`. */
export function writeBasic(wall: number, isDate: boolean): string {
  const text = formatWall(wall);
  const day = text.slice(0, 10).replaceAll('-', '');
  return isDate ? day : `${day}T${text.slice(11).replaceAll(':', '')}`;
}
