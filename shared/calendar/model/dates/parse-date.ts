/** Dates as clients write them (behaviour section 7): in tokens for days, times, offsets and words. */

import { type DraftDate, day, isWritable, wallOfDraft } from './wall.ts';
import { toInstant, type Zone } from './zone.ts';

/** A date that was read: wall time in a zone that is still open, or an instant, when it came with an offset or as a timestamp. */
export type ParsedDate = { readonly wall: number } | { readonly instant: number };

const timestamp = /^-?\d{1,11}$/;

/** A date of which nothing is set yet: now. */
const emptyDate: DraftDate = { months: 0, days: 0, seconds: 0 };

/** The form of a token, and what it sets of the date; undefined when that cannot be. */
type Token = readonly [form: RegExp, set: (draft: DraftDate, match: Matched) => DraftDate | undefined];
type Matched = Readonly<Record<string, string | undefined>>;
type Shift = Pick<DraftDate, 'months' | 'days' | 'seconds'>;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const counts = 'this next second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(
  ' ',
);

const units: readonly (readonly [start: string, shift: Partial<Shift>])[] = [
  ['sec', { seconds: 1 }],
  ['min', { seconds: 60 }],
  ['hour', { seconds: 3600 }],
  ['day', { days: 1 }],
  ['week', { days: 7 }],
  ['fortnight', { days: 14 }],
  ['month', { months: 1 }],
  ['year', { months: 12 }],
];

const month =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?(?![a-z])';
const weekday =
  '(?<weekday>sun(?:day)?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs?|rsday)?|fri(?:day)?|sat(?:urday)?)(?![a-z])';
const unit = '(?<unit>(?:sec(?:ond)?|min(?:ute)?|hour|day|week|fortnight|month|year)s?)(?![a-z])';
const count = `(?<count>last|previous|first|${counts.join('|')})`;
const dayOfMonth = '(?<day>\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])';

const tokens: readonly Token[] = [
  [form('(?<year>\\d{4})-(?<month>\\d{1,2})-(?<day>\\d{1,2})(?!\\d)'), setDate],
  [form('(?<year>\\d{4})/(?<month>\\d{1,2})/(?<day>\\d{1,2})(?!\\d)'), setDate],
  [form('(?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{4})(?!\\d)'), setDate],
  [form('(?<day>\\d{1,2})[.-](?<month>\\d{1,2})[.-](?<year>\\d{4})(?!\\d)'), setDate],
  [form('(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})(?!\\d)'), setDate],
  [form(`${dayOfMonth}[\\s.-]*${month}[\\s.,-]*(?<year>\\d{4})(?![\\d:])`), setDate],
  [form(`${month}[\\s.-]*${dayOfMonth}[\\s.,-]+(?<year>\\d{4})(?![\\d:])`), setDate],
  [form(`${month}[\\s.-]*(?<year>\\d{4})(?![\\d:])`), setDate],
  [
    form(
      't?(?<hour>\\d{1,2})(?::(?<minute>\\d\\d)(?::(?<second>\\d\\d))?)?\\s*(?<half>[ap])\\.?m\\.?(?![a-z])',
    ),
    setTime,
  ],
  [form('t?(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,]\\d+)?)?(?!\\d)'), setTime],
  [form('t(?<hour>\\d\\d)(?<minute>\\d\\d)(?<second>\\d\\d)?(?!\\d)'), setTime],
  [
    form(`(?<sign>[+-]?)\\s*(?<number>\\d{1,5})\\s*${unit}`),
    (draft, { sign, number, unit }) => shifted(draft, (sign === '-' ? -1 : 1) * Number(number), unit),
  ],
  [form('(?:gmt|utc)?(?<sign>[+-])(?<hour>\\d{1,2}):?(?<minute>\\d\\d)?(?!\\d)'), setOffset],
  [form('(?:z|gmt|utc)(?![a-z])'), (draft) => ({ ...draft, offset: 0 })],
  [
    form('(?<edge>first|last) day of(?![a-z])'),
    (draft, { edge }) => ({ ...draft, edge: edge === 'first' ? 'first' : 'last' }),
  ],
  [form(`${count}\\s+${unit}`), (draft, { count, unit }) => shifted(draft, counted(count), unit)],
  [form(`${count}\\s+${weekday}`), (draft, { count, weekday }) => setWeekday(draft, weekday, counted(count))],
  [form(weekday), (draft, { weekday }) => setWeekday(draft, weekday, 0)],
  [form('now(?![a-z])'), (draft) => draft],
  [form('(?:today|midnight)(?![a-z])'), (draft) => ({ ...draft, time: 0 })],
  [form('noon(?![a-z])'), (draft) => ({ ...draft, time: day / 2 })],
  [form('tomorrow(?![a-z])'), (draft) => ({ ...draft, time: 0, days: draft.days + 1 })],
  [form('yesterday(?![a-z])'), (draft) => ({ ...draft, time: 0, days: draft.days - 1 })],
  [
    form('ago(?![a-z])'),
    ({ months, days, seconds, ...draft }) => ({ ...draft, months: -months, days: -days, seconds: -seconds }),
  ],
];

/** Characters of a date, at most. */
const maxLength = 100;

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

/** Matches a token at the start of a text, with what separates it from the next. */
function form(pattern: string): RegExp {
  return new RegExp(`^${pattern}[\\s,]*`, 'i');
}

/** A date is set once. A month without a day is its first. */
function setDate(draft: DraftDate, { year, month = '', day = '1' }: Matched): DraftDate | undefined {
  if (draft.date !== undefined) return undefined;
  const named = months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return { ...draft, date: { year: Number(year), month: named || Number(month), day: Number(day) } };
}

function setTime(
  draft: DraftDate,
  { hour, minute = '0', second = '0', half }: Matched,
): DraftDate | undefined {
  const hours = Number(hour);
  const isHour = half === undefined ? hours <= 24 : hours >= 1 && hours <= 12;
  if (!isHour || Number(minute) > 59 || Number(second) > 59) return undefined;
  const hourOfDay = half === undefined ? hours : (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return { ...draft, time: hourOfDay * 3600 + Number(minute) * 60 + Number(second) };
}

/** Hours alone, or hours and minutes; `+130` is half past one. */
function setOffset(draft: DraftDate, { sign, hour, minute = '0' }: Matched): DraftDate {
  const seconds = Number(hour) * 3600 + Number(minute) * 60;
  return { ...draft, offset: sign === '-' ? -seconds : seconds };
}

function setWeekday(draft: DraftDate, name = '', count: number): DraftDate {
  const number = weekdays.indexOf(name.slice(0, 3).toLowerCase());
  const weeks = count > 0 ? count - 1 : count;
  return { ...draft, time: 0, days: draft.days + weeks * 7, weekday: { number, isAfter: count !== 0 } };
}

/** `last` is -1, `this` 0, `next` and `first` 1, `second` 2. */
function counted(word = ''): number {
  const name = word.toLowerCase();
  if (name === 'last' || name === 'previous') return -1;
  return name === 'first' ? 1 : counts.indexOf(name);
}

function shifted(draft: DraftDate, amount: number, name = ''): DraftDate {
  const [, shift = {}] = units.find(([start]) => name.toLowerCase().startsWith(start)) ?? [];
  const { months = 0, days = 0, seconds = 0 } = shift;
  return {
    ...draft,
    months: draft.months + amount * months,
    days: draft.days + amount * days,
    seconds: draft.seconds + amount * seconds,
  };
}
