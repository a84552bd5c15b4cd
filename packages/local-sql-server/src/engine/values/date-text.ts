/** Dates and times read from text. */
import { day1900, dayNumber, type Moment, ticksPerDay, ticksPerSecond } from './datetime.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthName =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

type Groups = readonly (string | undefined)[];
type DateReader = readonly [pattern: RegExp, read: (groups: Groups) => number | undefined];

/** The ways to write a date, with the day order of us_english (mdy) where the text does not say. */
const dateReaders: readonly DateReader[] = [
  [/^(\d{4})-(\d{1,2})-(\d{1,2})(?=$|[T ])/i, ([y, m, d]) => day(y, m, d)],
  [/^(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?=$| )/, ([y, m, d]) => day(y, m, d)],
  [/^(\d{4})$/, ([y]) => day(y, '1', '1')],
  [/^(\d{4})(\d\d)(\d\d)(?=$|[T ])/i, ([y, m, d]) => day(y, m, d)],
  [/^(\d\d)(\d\d)(\d\d)(?=$| )/, ([y, m, d]) => day(y, m, d)],
  [/^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d\d)(?=$| )/, ([m, d, y]) => day(y, m, d)],
  [
    new RegExp(`^${monthName}[ ,]+(\\d{1,2})[ ,]+(\\d{4}|\\d\\d)(?=$| )`, 'i'),
    ([m, d, y]) => dayInNamedMonth(y, m, d),
  ],
  [
    new RegExp(`^(\\d{1,2})[ -]?${monthName}[ ,-]+(\\d{4}|\\d\\d)(?=$| )`, 'i'),
    ([d, m, y]) => dayInNamedMonth(y, m, d),
  ],
  [new RegExp(`^(\\d{4}) +${monthName} +(\\d{1,2})(?=$| )`, 'i'), ([y, m, d]) => dayInNamedMonth(y, m, d)],
];

function day(
  year: string | undefined,
  month: string | undefined,
  dayOfMonth: string | undefined,
): number | undefined {
  // A year of two digits is in 1950 to 2049 (the default two-digit year cutoff).
  const written = Number(year);
  const full = (year ?? '').length > 2 ? written : written + (written < 50 ? 2000 : 1900);
  return dayNumber(full, Number(month), Number(dayOfMonth));
}

function dayInNamedMonth(
  year: string | undefined,
  month: string | undefined,
  dayOfMonth: string | undefined,
): number | undefined {
  return day(year, String(months.indexOf((month ?? '').slice(0, 3).toLowerCase()) + 1), dayOfMonth);
}

const clock =
  /^(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:[.:](\d{1,9}))?)?)? ?(am|pm)?(?: ?(z|[+-]\d\d:\d\d))?$/i;

/**
 * Reads a date, a time or both as T-SQL does under us_english; undefined when it cannot.
 * The parts say what the text had, as some types refuse some parts.
 */
export function parseMoment(text: string):
  | (Moment & {
      readonly hasDate: boolean;
      readonly hasTime: boolean;
      readonly hasOffset: boolean;
      readonly digits: number;
    })
  | undefined {
  const trimmed = text.trim();
  const midnight = { ticks: 0, offset: 0, hasTime: false, hasOffset: false, digits: 0 };
  if (trimmed === '') return { ...midnight, days: day1900, hasDate: false };
  const { days, rest, hasDate } = readDate(trimmed);
  if (days === undefined) return undefined;
  if (rest === '') return { ...midnight, days, hasDate };
  const time = readTime(rest);
  return time && { days, hasDate, hasTime: true, ...time };
}

function readDate(text: string): { days: number | undefined; rest: string; hasDate: boolean } {
  for (const [pattern, read] of dateReaders) {
    const match = pattern.exec(text);
    if (match)
      return {
        days: read(match.slice(1)),
        rest: text.slice(match[0].length).replace(/^(T| +)/i, ''),
        hasDate: true,
      };
  }
  return { days: day1900, rest: text, hasDate: false };
}

function readTime(
  text: string,
): { ticks: number; offset: number; hasOffset: boolean; digits: number } | undefined {
  const match = clock.exec(text);
  if (!match) return undefined;
  const [, hour = '', minute, second = '0', fraction = '', half, zone] = match;
  if (minute === undefined && half === undefined) return undefined;
  const hours = hourOf(Number(hour), half?.toLowerCase());
  if (hours === undefined || Number(minute ?? 0) > 59 || Number(second) > 59) return undefined;
  const seconds = hours * 3600 + Number(minute ?? 0) * 60 + Number(second);
  const ticks = seconds * ticksPerSecond + Math.round(Number(`0.${fraction || '0'}`) * ticksPerSecond);
  const offset = zone === undefined ? 0 : offsetOf(zone);
  if (offset === undefined || ticks >= ticksPerDay) return undefined;
  return { ticks, offset, hasOffset: zone !== undefined, digits: fraction.length };
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour < 24 ? hour : undefined;
  if (hour > 12) return half === 'pm' && hour < 24 ? hour : undefined;
  return (hour % 12) + (half === 'pm' ? 12 : 0);
}

function offsetOf(zone: string): number | undefined {
  if (/^z$/i.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  if (minutes > 14 * 60 || Number(zone.slice(4, 6)) > 59) return undefined;
  return zone.startsWith('-') ? -minutes : minutes;
}
