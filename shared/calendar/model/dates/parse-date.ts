/** Dates as clients write them (behaviour section 7). */

import { type DraftDate, parseTokens } from './tokens.ts';
import { day, isWritable, startOfDay, wallOf } from './wall.ts';
import { toInstant, type Zone } from './zone.ts';

/** A date that was read: wall time in a zone that is still open, or an instant, when it came with an offset or as a timestamp. */
export type ParsedDate = { readonly wall: number } | { readonly instant: number };

const timestamp = /^-?\d{1,11}$/;

/**
 * Parses a date: ISO 8601 with a space or `T`, with or without time, seconds and offset; a Unix timestamp; and the
 * free English forms, token by token (`03/01/2031 5pm`, month first; `tomorrow 10am`; `+1 week`; `next Monday`).
 * Undefined when it is none of these or no such day exists. `now` is the present wall time, for the relative forms.
 */
export function parseDate(text: string, now: number): ParsedDate | undefined {
  const trimmed = text.trim();
  if (timestamp.test(trimmed)) return ranged({ instant: Number(trimmed) });
  const draft = parseTokens(trimmed);
  return draft && ranged(finished(draft, now));
}

/** Returns the instant of a date, wall times taken in the given zone. */
export function instantOf(date: ParsedDate, zone: Zone): number {
  return 'instant' in date ? date.instant : toInstant(zone, date.wall);
}

function finished(draft: DraftDate, now: number): ParsedDate | undefined {
  const wall = wallOfDraft(draft, now);
  if (wall === undefined) return undefined;
  return draft.offset === undefined ? { wall } : { instant: wall - draft.offset };
}

function ranged(date: ParsedDate | undefined): ParsedDate | undefined {
  if (date === undefined) return undefined;
  // A day of room on either side, so that the date can still be written in every zone.
  const seconds = 'instant' in date ? date.instant : date.wall;
  return isWritable(seconds - day) && isWritable(seconds + day) ? date : undefined;
}

/** Returns the wall time of a draft, or undefined when no calendar has its day. A day without a time starts at 00:00:00. */
function wallOfDraft(draft: DraftDate, now: number): number | undefined {
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
