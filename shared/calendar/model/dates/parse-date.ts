/** Dates as clients write them (behaviour section 7): timestamps, or tokens for days, times, offsets, zones and words. */

import { type Token, tokens } from './date-tokens.ts';
import { type DraftDate, emptyDate, wallOfDraft } from './draft-date.ts';
import { isWritable } from './wall.ts';
import { toInstant, type Zone } from './zone.ts';

/**
 * A date that was read: an instant, when it came with an offset or as a timestamp; else wall time in a zone that is still
 * open. A zone that was named with it counts in filters, and not in what is written, as clients know it.
 */
export type ParsedDate = { readonly wall: number; readonly zone?: Zone } | { readonly instant: number };

const timestamp = /^(?:@\s*(?<marked>-?\d{1,11})(?:\.\d{1,9})?|(?<bare>-?\d{1,11}))$/;

/** Characters of a date, at most. */
const maxLength = 100;

/**
 * Parses a date: ISO 8601 with a space or `T`, with or without time, seconds and offset, and its weeks and days of the year;
 * a Unix timestamp, also behind `@`; and the free English forms, token by token (`03/01/2031 5pm`, month first;
 * `tomorrow 10am`; `+1 week`; `monday next week`; `first monday of january 2027`; what `Date` of JavaScript writes).
 * Undefined when it is none of these or no such day exists. `now` is the present wall time, for the relative forms.
 */
export function parseDate(text: string, now: number): ParsedDate | undefined {
  const trimmed = text.trim();
  const { marked, bare = marked } = timestamp.exec(trimmed)?.groups ?? {};
  if (bare !== undefined) return inRange({ instant: Number(bare) });
  const draft = parseTokens(trimmed);
  return draft && inRange(finished(draft, now));
}

/** Returns the instant of a date, wall times taken in the given zone. */
export function instantOf(date: ParsedDate, zone: Zone): number {
  return 'instant' in date ? date.instant : toInstant(zone, date.wall);
}

function finished(draft: DraftDate, now: number): ParsedDate | undefined {
  const wall = wallOfDraft(draft, now);
  if (wall === undefined) return undefined;
  if (draft.offset !== undefined) return { instant: wall - draft.offset };
  return draft.zone === undefined ? { wall } : { wall, zone: draft.zone };
}

function inRange(date: ParsedDate | undefined): ParsedDate | undefined {
  if (date === undefined) return undefined;
  return isWritable('instant' in date ? date.instant : date.wall) ? date : undefined;
}

/** Parses a text of tokens with whitespace or commas between them; undefined when something else stands in it, and when it is empty or long. */
function parseTokens(text: string): DraftDate | undefined {
  let draft: DraftDate | undefined = text === '' || text.length > maxLength ? undefined : emptyDate;
  let rest = text;
  while (draft !== undefined && rest !== '') {
    const [set, match] = firstToken(rest);
    draft = match && set?.(draft, match.groups ?? {});
    rest = rest.slice(match?.[0].length);
  }
  return draft;
}

function firstToken(text: string): readonly [Token[1]?, RegExpExecArray?] {
  for (const [form, set] of tokens) {
    const match = form.exec(text);
    if (match !== null) return [set, match];
  }
  return [];
}
