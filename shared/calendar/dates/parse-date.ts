/** Dates as clients write them (behaviour section 7). */

import { day, isWritable, startOfDay, wallOf } from './wall.ts';
import { toInstant, type Zone } from './zone.ts';

/** A date that was read: wall time in a zone that is still open, or an instant, when it came with an offset or as a timestamp. */
export type ParsedDate = { readonly wall: number } | { readonly instant: number };

const calendarDate = String.raw`(\d{4})-(\d{1,2})-(\d{1,2})`;
const americanDate = String.raw`(\d{1,2})/(\d{1,2})/(\d{4})`;
const clock = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?`;
const offset = String.raw`(Z|[+-]\d{2}(?::?\d{2})?)`;

const spokenForm = new RegExp(`^${calendarDate}\\s+(.+)$`);
const isoForm = new RegExp(`^${calendarDate}(?:(?:T|\\s+)${clock}\\s*${offset}?)?$`, 'i');
const americanForm = new RegExp(`^${americanDate}(?:\\s+(.+))?$`);
const relativeForm = /^(now|today|tomorrow|yesterday)(?:\s+(.+))?$/i;
const spokenClock = /^(?:at\s+)?(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?\s*([ap])?\.?m?\.?$/i;
const timestamp = /^-?\d{1,11}$/;

const relativeDays: Readonly<Record<string, number>> = { now: 0, today: 0, tomorrow: 1, yesterday: -1 };

/**
 * Reads a date: ISO 8601 with blank or `T`, with or without time, seconds and offset; a Unix timestamp; and the
 * free forms that people write most: `03/01/2031 5pm` (month first) or `2031-03-01 5pm`, and `tomorrow 10am`. Undefined when it is
 * none of these or no such day exists. `now` is the present wall time, for the relative forms.
 */
export function parseDate(text: string, now: number): ParsedDate | undefined {
  const trimmed = text.trim();
  if (timestamp.test(trimmed)) return ranged({ instant: Number(trimmed) });
  return ranged(iso(trimmed) ?? spoken(trimmed) ?? american(trimmed) ?? relative(trimmed, now));
}

/** Gives the instant of a date, wall times taken in the given zone. */
export function instantOf(date: ParsedDate, zone: Zone): number {
  return 'instant' in date ? date.instant : toInstant(zone, date.wall);
}

function iso(text: string): ParsedDate | undefined {
  const [match, year, month, dayOfMonth, hour, minute, second, zone] = isoForm.exec(text) ?? [];
  if (match === undefined) return undefined;
  const wall = wallOf({
    year: Number(year),
    month: Number(month),
    day: Number(dayOfMonth),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
  });
  if (wall === undefined || zone === undefined) return wall === undefined ? undefined : { wall };
  return { instant: wall - offsetSeconds(zone) };
}

function spoken(text: string): ParsedDate | undefined {
  const [match, year, month, dayOfMonth, time] = spokenForm.exec(text) ?? [];
  if (match === undefined) return undefined;
  const midnight = wallOf({ year: Number(year), month: Number(month), day: Number(dayOfMonth) });
  return onDay(midnight, time);
}

function american(text: string): ParsedDate | undefined {
  const [match, month, dayOfMonth, year, time] = americanForm.exec(text) ?? [];
  if (match === undefined) return undefined;
  const midnight = wallOf({ year: Number(year), month: Number(month), day: Number(dayOfMonth) });
  return onDay(midnight, time);
}

function relative(text: string, now: number): ParsedDate | undefined {
  const [match, word = '', time] = relativeForm.exec(text) ?? [];
  if (match === undefined) return undefined;
  const name = word.toLowerCase();
  if (name === 'now' && time === undefined) return { wall: now };
  return onDay(startOfDay(now) + (relativeDays[name] ?? 0) * day, time);
}

function onDay(midnight: number | undefined, time = '0'): ParsedDate | undefined {
  const [match, hour, minute, second, half] = spokenClock.exec(time) ?? [];
  if (match === undefined || midnight === undefined) return undefined;
  const seconds = clockSeconds(Number(hour), Number(minute ?? 0), Number(second ?? 0), half?.toLowerCase());
  return seconds === undefined ? undefined : { wall: midnight + seconds };
}

function clockSeconds(hour: number, minute: number, second: number, half: string | undefined) {
  const inRange = half === undefined ? hour < 24 : hour >= 1 && hour <= 12;
  if (!inRange || minute > 59 || second > 59) return undefined;
  const hours = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0);
  return hours * 3600 + minute * 60 + second;
}

function offsetSeconds(zone: string): number {
  if (/^z$/i.test(zone)) return 0;
  const digits = zone.replace(/\D/g, '').padEnd(4, '0');
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2)) * 60;
  return zone.startsWith('-') ? -seconds : seconds;
}

function ranged(date: ParsedDate | undefined): ParsedDate | undefined {
  if (date === undefined) return undefined;
  // A day of room on either side, so that the date can still be written in every zone.
  const seconds = 'instant' in date ? date.instant : date.wall;
  return isWritable(seconds - day) && isWritable(seconds + day) ? date : undefined;
}
