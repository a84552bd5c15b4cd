/** The pieces that free dates are written in: days, times, offsets and words. */

import { type DraftDate, nothingSaid } from './draft-date.ts';
import { day } from './wall.ts';

/** A form of a piece, and what it says of the date; undefined when that cannot be. */
type Piece = readonly [form: RegExp, say: (draft: DraftDate, match: Matched) => DraftDate | undefined];
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

const pieces: readonly Piece[] = [
  [form('(?<year>\\d{4})-(?<month>\\d{1,2})-(?<day>\\d{1,2})(?!\\d)'), sayDate],
  [form('(?<year>\\d{4})/(?<month>\\d{1,2})/(?<day>\\d{1,2})(?!\\d)'), sayDate],
  [form('(?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{4})(?!\\d)'), sayDate],
  [form('(?<day>\\d{1,2})[.-](?<month>\\d{1,2})[.-](?<year>\\d{4})(?!\\d)'), sayDate],
  [form('(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})(?!\\d)'), sayDate],
  [form(`${dayOfMonth}[\\s.-]*${month}[\\s.,-]*(?<year>\\d{4})(?![\\d:])`), sayDate],
  [form(`${month}[\\s.-]*${dayOfMonth}[\\s.,-]+(?<year>\\d{4})(?![\\d:])`), sayDate],
  [form(`${month}[\\s.-]*(?<year>\\d{4})(?![\\d:])`), sayDate],
  [
    form(
      't?(?<hour>\\d{1,2})(?::(?<minute>\\d\\d)(?::(?<second>\\d\\d))?)?\\s*(?<half>[ap])\\.?m\\.?(?![a-z])',
    ),
    sayTime,
  ],
  [form('t?(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,]\\d+)?)?(?!\\d)'), sayTime],
  [form('t(?<hour>\\d\\d)(?<minute>\\d\\d)(?<second>\\d\\d)?(?!\\d)'), sayTime],
  [
    form(`(?<sign>[+-]?)\\s*(?<number>\\d{1,5})\\s*${unit}`),
    (draft, { sign, number, unit }) => shifted(draft, (sign === '-' ? -1 : 1) * Number(number), unit),
  ],
  [form('(?:gmt|utc)?(?<sign>[+-])(?<hour>\\d{1,2}):?(?<minute>\\d\\d)?(?!\\d)'), sayOffset],
  [form('(?:z|gmt|utc)(?![a-z])'), (draft) => ({ ...draft, offset: 0 })],
  [
    form('(?<edge>first|last) day of(?![a-z])'),
    (draft, { edge }) => ({ ...draft, edge: edge === 'first' ? 'first' : 'last' }),
  ],
  [form(`${count}\\s+${unit}`), (draft, { count, unit }) => shifted(draft, counted(count), unit)],
  [form(`${count}\\s+${weekday}`), (draft, { count, weekday }) => sayWeekday(draft, weekday, counted(count))],
  [form(weekday), (draft, { weekday }) => sayWeekday(draft, weekday, 0)],
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

/** Characters of a date, at the most. */
const longest = 100;

/** Reads a text of pieces with blanks or commas between them; undefined when something else stands in it, and when it is empty or long. */
export function readPieces(text: string): DraftDate | undefined {
  let draft: DraftDate | undefined = text === '' || text.length > longest ? undefined : nothingSaid;
  let rest = text;
  while (draft !== undefined && rest !== '') {
    const [say, match] = firstPiece(rest);
    draft = match && say?.(draft, match.groups ?? {});
    rest = rest.slice(match?.[0].length);
  }
  return draft;
}

function firstPiece(text: string): readonly [Piece[1]?, RegExpExecArray?] {
  for (const [form, say] of pieces) {
    const match = form.exec(text);
    if (match !== null) return [say, match];
  }
  return [];
}

/** A piece at the start of a text, with what separates it from the next. */
function form(pattern: string): RegExp {
  return new RegExp(`^${pattern}[\\s,]*`, 'i');
}

/** A date is said once. A month without a day starts it. */
function sayDate(draft: DraftDate, { year, month = '', day = '1' }: Matched): DraftDate | undefined {
  if (draft.date !== undefined) return undefined;
  const named = months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return { ...draft, date: { year: Number(year), month: named || Number(month), day: Number(day) } };
}

function sayTime(
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
function sayOffset(draft: DraftDate, { sign, hour, minute = '0' }: Matched): DraftDate {
  const seconds = Number(hour) * 3600 + Number(minute) * 60;
  return { ...draft, offset: sign === '-' ? -seconds : seconds };
}

function sayWeekday(draft: DraftDate, name = '', count: number): DraftDate {
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
