/** Dates as clients write them: timestamps, or tokens for days, times, offsets, zones and words (docs/calendar-contract.md, "Dates and time zones"). */

import { type DraftDate, emptyDate, wallOfDraft } from './draft-date.ts';
import {
  countOf,
  counts,
  type Matched,
  reversed,
  romanMonths,
  setDate,
  setMonth,
  setNthWeekday,
  setOffset,
  setOrdinalDate,
  setQuarter,
  setTime,
  setWeek,
  setWeekDate,
  setWeekday,
  setYear,
  setZone,
  shifted,
  withoutTimeOfWorkday,
} from './set-date.ts';
import { isWritable, secondsOfDay, toInstant, type Zone } from './wall.ts';

/**
 * A date that was read: an instant, when it came with an offset or as a timestamp; else wall time in a zone that is still
 * open. A zone that was named with it counts in filters, and not in what is written, as clients know it.
 */
export type ParsedDate = { readonly wall: number; readonly zone?: Zone } | { readonly instant: number };

const timestamp = /^(?:@\s*(?<marked>-?\d{1,11})(?:\.\d{1,9})?|(?<bare>-?\d{1,11}))$/;

/** A time with an offset whose plus sign a URL has turned into a space. */
const lostPlus = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?) (\d\d(?::?\d\d)?)$/i;

/** Characters of a date, at most. */
const maxLength = 100;

/**
 * Parses a date: ISO 8601 with a space or `T`, with or without time, seconds and offset, and its weeks and days of the year;
 * a Unix timestamp, also behind `@`; and the free English forms, token by token (`03/01/2031 5pm`, month first;
 * `tomorrow 10am`; `+1 week`; `monday next week`; `first monday of january 2027`; what `Date` of JavaScript writes).
 * Undefined when it is none of these or no such day exists. `now` is the present wall time, for the relative forms.
 */
export function parseDate(text: string, now: number): ParsedDate | undefined {
  const trimmed = text.trim().replace(lostPlus, '$1+$2');
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
  let remainder = text;
  while (draft !== undefined && remainder !== '') {
    const [set, match] = firstToken(remainder);
    draft = match && set?.(draft, match.groups ?? {});
    remainder = remainder.slice(match?.[0].length);
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

/** The form of a token, and what it sets of the date; undefined when that cannot be. */
export type Token = readonly [form: RegExp, set: (draft: DraftDate, match: Matched) => DraftDate | undefined];

const month =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?(?![a-z])';
const weekday =
  '(?<weekday>sun(?:day)?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs?|rsday)?|fri(?:day)?|sat(?:urday)?)(?![a-z])';
const unit = '(?<unit>(?:sec(?:ond)?|min(?:ute)?|hour|day|weekday|week|fortnight|month|year)s?)(?![a-z])';
const count = `(?<count>last|previous|first|${counts.join('|')})`;
const dayOfMonth = '(?<day>\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])';
const namedYear = '(?<year>\\d{4}|\\d{2})(?![\\d:.]|\\s*[ap]\\.?m)';
const romanMonth = `(?<month>${romanMonths.toReversed().join('|')})(?![a-z])`;
const half = '\\s*(?<half>[ap])\\.?m\\.?(?![a-z])';

export const tokens: readonly Token[] = [
  [form('(?<year>\\d{4})-(?<month>\\d{1,2})-(?<day>\\d{1,2})(?!\\d)'), setDate],
  [form('(?<year>\\d{4})-?w(?<week>\\d\\d)(?:-?(?<weekday>[0-7]))?(?!\\d)'), setWeekDate],
  [form('(?<year>\\d{4})[.-]?(?<ordinal>\\d{3})(?!\\d)'), setOrdinalDate],
  [form('(?<year>\\d{4})-(?<month>\\d{1,2})(?![\\d-])'), setMonth],
  [form('(?<year>\\d{4}):(?<month>\\d\\d):(?<day>\\d\\d)(?!\\d)'), setDate],
  [form('(?<year>\\d{4})/(?<month>\\d{1,2})/(?<day>\\d{1,2})(?!\\d)'), setDate],
  [form('(?<month>\\d{1,2})/(?<day>\\d{1,2})(?:/(?<year>\\d{4}|\\d{2}))?(?![\\d/])'), setDate],
  [form('(?<day>\\d{1,2})[.-](?<month>\\d{1,2})[.-](?<year>\\d{4})(?!\\d)'), setDate],
  [form('(?<year>\\d\\d)-(?<month>\\d{1,2})-(?<day>\\d{1,2})(?!\\d)'), setDate],
  [form(`t?(?<hour>\\d{1,2})(?:[:.](?<minute>\\d{1,2})(?:[:.](?<second>\\d{1,2}))?)?${half}`), setTime],
  // Of three numbers with dots, a time comes before a date, as clients know it.
  [form('t?(?<hour>2[0-4]|[01]?\\d)\\.(?<minute>[0-5]\\d)(?:\\.(?<second>[0-5]\\d))?(?![\\d.])'), setTime],
  [form('(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?<year>\\d\\d)(?!\\d)'), setDate],
  [form('(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})(?!\\d)'), setDate],
  [form(`(?<year>\\d{4})[\\s.-]*${month}[\\s.-]*${dayOfMonth}`), setDate],
  [form(`(?<year>\\d{4})[\\s.-]*${month}`), setMonth],
  [form(`(?<day>\\d{1,2})/${month}/(?<year>\\d{4}):?`), setDate],
  // What is no day of a month is the year.
  [form(`(?<year>3[2-9]|[4-9]\\d)-${month}-(?<day>\\d\\d)(?!\\d)`), setDate],
  [form(`${dayOfMonth}[\\s.-]*${month}[\\s.,-]*${namedYear}`), setDate],
  [form(`${dayOfMonth}[\\s.-]*${romanMonth}[\\s.-]*${namedYear}`), setDate],
  [form(`${dayOfMonth}[\\s.-]*${month}`), setDate],
  [form(`${month}[\\s.-]*${dayOfMonth}[\\s.,-]+${namedYear}`), setDate],
  [form(`${month}[\\s.-]*(?<year>\\d{4})(?![\\d:])`), setMonth],
  [form(`${month}[\\s.-]*${dayOfMonth}(?!\\s*[ap]\\.?m)`), setDate],
  [form(month), setDate],
  [form('t?(?<hour>\\d{1,2}):(?<minute>\\d{1,2})(?::(?<second>\\d{1,2})(?:[.,]\\d+)?)?(?!\\d)'), setTime],
  [form('t(?<hour>\\d\\d)(?:(?<minute>\\d\\d)(?<second>\\d\\d)?)?(?!\\d)'), setTime],
  [form(`(?<side>front|back)\\s+of\\s+(?<hour>\\d{1,2})(?:${half})?(?![\\d:])`), setQuarter],
  [
    form(`(?<sign>[+-]?)\\s*(?<number>\\d{1,5})\\s*${unit}`),
    (draft, { sign, number, unit }) => shifted(draft, (sign === '-' ? -1 : 1) * Number(number), unit),
  ],
  [form('(?<sign>[+-])(?<hour>\\d{1,2}):?(?<minute>\\d\\d)?(?!\\d)'), setOffset],
  [form('z(?![a-z])'), (draft) => ({ ...draft, offset: 0 })],
  [form('(?<year>\\d{4})(?![\\d:.])'), setYear],
  [
    form('(?<edge>first|last)\\s+day\\s+of(?![a-z])'),
    (draft, { edge }) => ({ ...draft, edge: edge?.toLowerCase() === 'first' ? 'first' : 'last' }),
  ],
  [form(`${count}\\s+${weekday}\\s+of(?![a-z])`), setNthWeekday],
  [form('(?<count>this|next|last|previous)\\s+week(?![a-z])'), setWeek],
  [
    form(`${count}\\s+${unit}`),
    (draft, { count, unit }) => withoutTimeOfWorkday(shifted(draft, countOf(count), unit), unit),
  ],
  [form(`${count}\\s+${weekday}`), (draft, { count, weekday }) => setWeekday(draft, weekday, countOf(count))],
  [form(weekday), (draft, { weekday }) => setWeekday(draft, weekday, 0)],
  [form('now(?![a-z])'), (draft) => draft],
  [form('(?:today|midnight)(?![a-z])'), (draft) => ({ ...draft, time: 0 })],
  [form('noon(?![a-z])'), (draft) => ({ ...draft, time: secondsOfDay / 2 })],
  [form('tomorrow(?![a-z])'), (draft) => ({ ...draft, time: 0, days: draft.days + 1 })],
  [form('yesterday(?![a-z])'), (draft) => ({ ...draft, time: 0, days: draft.days - 1 })],
  [form('ago(?![a-z])'), reversed],
  [form('(?<zone>(?:gmt|utc)[+-]\\d{1,2}:?(?:\\d\\d)?)(?:\\s*\\([^()]*\\))?(?!\\d)'), setZone],
  [form('\\(?(?<zone>[a-z][a-z_]*(?:[/-][a-z0-9_+]+)*)\\)?(?![a-z])'), setZone],
];

/** Matches a token at the start of a text, with what separates it from the next. */
function form(pattern: string): RegExp {
  return new RegExp(`^${pattern}[\\s,]*`, 'i');
}
