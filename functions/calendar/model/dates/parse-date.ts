/** Dates as clients write them: ISO 8601, Unix timestamps, and a few words (docs/calendar-contract.md, "Dates and time zones"). */

import { isWritable, secondsOfDay, startOfDay, toInstant, type Zone } from './wall.ts';

/** A date that was read: an instant, when it came with an offset or as a timestamp; else wall time in a zone that is still open. */
export type ParsedDate = { readonly wall: number } | { readonly instant: number };

const timestamp = /^@?(-?\d{1,11})$/;

const day = String.raw`(?<year>\d{4})(?:(?<mark>[-/])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})|(?<month2>\d\d)(?<day2>\d\d))`;
const time = String.raw`(?<hour>\d{1,2})(?::?(?<minute>\d\d)(?::?(?<second>\d\d)(?:[.,]\d{1,9})?)?)?`;
/** The plus sign of an offset may have been turned into a space by a URL. */
const offset = String.raw`\s*(?<utc>z)|\s?(?<sign>[+-]| (?=\d\d))(?<offsetHour>\d\d):?(?<offsetMinute>\d\d)?`;
const iso = new RegExp(String.raw`^${day}(?:(?:\s*t\s*|\s+)${time}(?:${offset})?)?$`, 'i');

/** Characters of a date, at most. */
const maxLength = 100;

/**
 * Parses a date: ISO 8601 with a space or `T`, with or without time, seconds and offset; a Unix timestamp, also behind `@`; or words that
 * are counted from `now`, the present wall time: `now`, `today`, `tomorrow`, `yesterday`, `noon`, `+2 weeks`, `-1 month`, `next year`, one
 * after the other, with a time at the end, and `first day of` or `last day of` before them, or before a month (`last day of june 2027`). Undefined when it is none of these or no such day exists.
 */
export function parseDate(text: string, now: number): ParsedDate | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return undefined;
  const [, seconds] = timestamp.exec(trimmed) ?? [];
  if (seconds !== undefined) return inRange({ instant: Number(seconds) });
  const groups = iso.exec(trimmed)?.groups;
  return inRange(groups === undefined ? fromWords(trimmed, now) : fromIso(groups));
}

/** Returns the instant of a date, wall times taken in the given zone. */
export function instantOf(date: ParsedDate, zone: Zone): number {
  return 'instant' in date ? date.instant : toInstant(zone, date.wall);
}

function inRange(date: ParsedDate | undefined): ParsedDate | undefined {
  if (date === undefined) return undefined;
  return isWritable('instant' in date ? date.instant : date.wall) ? date : undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

function fromIso(groups: Groups): ParsedDate | undefined {
  const { year, month = groups['month2'], day = groups['day2'], utc, sign, offsetHour = '0' } = groups;
  const start = dayAt(Number(year), Number(month), Number(day));
  const time = timeOf(groups);
  const offsetMinutes = Number(offsetHour) * 60 + Number(groups['offsetMinute'] ?? 0);
  if (start === undefined || time === undefined || offsetMinutes > 14 * 60) return undefined;
  const wall = start + time;
  if (utc === undefined && sign === undefined) return { wall };
  return { instant: wall - (sign === '-' ? -1 : 1) * offsetMinutes * 60 };
}

/** Returns the wall time at which a day starts; undefined when no calendar has it (February 30). Months count from 1. */
function dayAt(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isSameDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isSameDay ? date.getTime() / 1000 : undefined;
}

/** Returns the seconds of the day; undefined where no clock has them. 24:00 is the end of the day. */
function timeOf({ hour = '0', minute = '0', second = '0' }: Groups): number | undefined {
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  const isTime = Number(minute) < 60 && Number(second) < 60 && seconds <= secondsOfDay;
  return isTime ? seconds : undefined;
}

/** A date that is counted from the present. */
interface Relative {
  readonly day: Date;
  /** Seconds of the day. */
  readonly time: number;
}

/** What a word changes of a date; undefined where it cannot. */
type Change = (date: Relative, groups: Groups) => Relative | undefined;

const unit = '(?<unit>second|minute|hour|day|week|month|year)s?';

const words: readonly (readonly [form: RegExp, change: Change])[] = [
  [/^now$/, (date) => date],
  [/^(?:today|midnight)$/, (date) => ({ ...date, time: 0 })],
  [/^noon$/, (date) => ({ ...date, time: secondsOfDay / 2 })],
  [/^tomorrow$/, (date) => ({ ...shifted(date, 1, 'day'), time: 0 })],
  [/^yesterday$/, (date) => ({ ...shifted(date, -1, 'day'), time: 0 })],
  [
    new RegExp(`^(?<sign>[+-]?)\\s*(?<count>\\d{1,5})\\s*${unit}$`),
    (date, { sign, count, unit }) => shifted(date, (sign === '-' ? -1 : 1) * Number(count), unit),
  ],
  [
    new RegExp(`^(?<which>this|next|last|previous) ${unit}$`),
    (date, { which, unit }) => shifted(date, which === 'this' ? 0 : which === 'next' ? 1 : -1, unit),
  ],
  [
    /^t?(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))?$/,
    (date, groups) => {
      const time = timeOf(groups);
      return time === undefined ? undefined : { ...date, time };
    },
  ],
];

/** One word, with its number and unit. */
const wordAtStart = new RegExp(
  `^(?:[a-z]+ ${unit}(?![a-z])|[+-]?\\s*\\d{1,5}\\s*${unit}(?![a-z])|[a-z]+|t?[\\d:]+)(?:\\s+|$)`,
);
const monthNames =
  'january february march april may june july august september october november december'.split(' ');
const edgeAtStart = new RegExp(
  `^(?<edge>first|last) day of(?:\\s+(?<month>${monthNames.join('|')})(?:\\s+(?<year>\\d{4}))?)?(?:\\s+|$)`,
);

function fromWords(text: string, now: number): ParsedDate | undefined {
  let remainder = text.toLowerCase().replaceAll(/\s+/g, ' ');
  const edge = edgeAtStart.exec(remainder);
  remainder = remainder.slice(edge?.[0].length ?? 0);
  const present = new Date(startOfDay(now) * 1000);
  let date: Relative | undefined = ofMonth(present, edge?.groups) ?? {
    day: present,
    time: now - startOfDay(now),
  };
  if (remainder === '' && edge === null) return undefined;
  while (date !== undefined && remainder !== '') {
    const [part = ''] = wordAtStart.exec(remainder) ?? [];
    date = part === '' ? undefined : changed(date, part.trim());
    remainder = remainder.slice(part.length);
  }
  if (date === undefined) return undefined;
  const day = edge === null ? date.day : edgeOf(date.day, edge.groups?.['edge'] === 'last');
  return { wall: day.getTime() / 1000 + date.time };
}

/** Returns the start of a month that was named; undefined where none was. */
function ofMonth(present: Date, { month, year }: Groups = {}): Relative | undefined {
  if (month === undefined) return undefined;
  const day = new Date(present);
  day.setUTCFullYear(Number(year ?? present.getUTCFullYear()), monthNames.indexOf(month), 1);
  return { day, time: 0 };
}

function changed(date: Relative, word: string): Relative | undefined {
  for (const [form, change] of words) {
    const match = form.exec(word);
    if (match !== null) return change(date, match.groups ?? {});
  }
  return undefined;
}

const seconds: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600 };
const days: Readonly<Record<string, number>> = { day: 1, week: 7 };
const months: Readonly<Record<string, number>> = { month: 1, year: 12 };

function shifted({ day, time }: Relative, count: number, unit = ''): Relative {
  const next = new Date(day);
  next.setUTCMonth(next.getUTCMonth() + count * (months[unit] ?? 0));
  next.setUTCDate(next.getUTCDate() + count * (days[unit] ?? 0));
  return { day: next, time: time + count * (seconds[unit] ?? 0) };
}

/** Returns the first or last day of the month of a day. */
function edgeOf(day: Date, isLast: boolean): Date {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + (isLast ? 1 : 0), isLast ? 0 : 1));
}
