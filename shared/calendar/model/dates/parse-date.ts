/** Dates as clients write them (behaviour section 7). */

import { readPieces } from './date-pieces.ts';
import { type DraftDate, wallOfDraft } from './draft-date.ts';
import { day, isWritable } from './wall.ts';
import { toInstant, type Zone } from './zone.ts';

/** A date that was read: wall time in a zone that is still open, or an instant, when it came with an offset or as a timestamp. */
export type ParsedDate = { readonly wall: number } | { readonly instant: number };

const timestamp = /^-?\d{1,11}$/;

/**
 * Reads a date: ISO 8601 with blank or `T`, with or without time, seconds and offset; a Unix timestamp; and the
 * free English forms, piece by piece (`03/01/2031 5pm`, month first; `tomorrow 10am`; `+1 week`; `next Monday`).
 * Undefined when it is none of these or no such day exists. `now` is the present wall time, for the relative forms.
 */
export function parseDate(text: string, now: number): ParsedDate | undefined {
  const trimmed = text.trim();
  if (timestamp.test(trimmed)) return ranged({ instant: Number(trimmed) });
  const draft = readPieces(trimmed);
  return draft && ranged(finished(draft, now));
}

/** Gives the instant of a date, wall times taken in the given zone. */
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
