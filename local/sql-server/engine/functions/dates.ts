import { type Position, SqlError, sqlError, sqlErrorAt } from '../../tsql/sql-error.ts';
import type { SqlType, SqlValue } from '../session.ts';
import type { Typed } from '../translate/typed.ts';
import { date, datetime, int, isDateTime, nvarchar } from '../types.ts';
import { convert } from '../values/convert.ts';
import { monthNames } from '../values/date-format.ts';
import {
  addTicks,
  atOffset,
  dayNumber,
  type Moment,
  momentText,
  now,
  offsetText,
  readMoment,
  roundTo,
  ticksPerDay,
  ticksPerMinute,
  ticksPerSecond,
  yearMonthDay,
} from '../values/datetime.ts';
import type { FunctionLibrary, ScalarFunction } from './definition.ts';

const aliases: Readonly<Record<string, string>> = {
  yy: 'year',
  yyyy: 'year',
  qq: 'quarter',
  q: 'quarter',
  mm: 'month',
  m: 'month',
  dy: 'dayofyear',
  y: 'dayofyear',
  dd: 'day',
  d: 'day',
  wk: 'week',
  ww: 'week',
  dw: 'weekday',
  w: 'weekday',
  hh: 'hour',
  mi: 'minute',
  n: 'minute',
  ss: 'second',
  s: 'second',
  ms: 'millisecond',
  mcs: 'microsecond',
  ns: 'nanosecond',
  tz: 'tzoffset',
  isowk: 'iso_week',
  isoww: 'iso_week',
};
const parts = new Set([...Object.values(aliases)]);

/** The full name of a date part, as written in DATEADD and its kin. Throws 155. */
export function datePart(word: string, functionName: string, at: Position): string {
  const folded = word.toLowerCase();
  const part = aliases[folded] ?? folded;
  if (!parts.has(part)) throw sqlErrorAt(at, 155, word, functionName.toLowerCase());
  return part;
}

/** Functions whose first argument is a date part, not an expression. */
export const takesDatePart: ReadonlySet<string> = new Set([
  'DATEADD',
  'DATEDIFF',
  'DATEDIFF_BIG',
  'DATEPART',
  'DATENAME',
  'DATETRUNC',
]);

const ticksOf: Readonly<Record<string, number>> = {
  hour: 60 * ticksPerMinute,
  minute: ticksPerMinute,
  second: ticksPerSecond,
  millisecond: 10_000,
  microsecond: 10,
  nanosecond: 0.01,
};
const monthsOf: Readonly<Record<string, number>> = { year: 12, quarter: 3, month: 1 };

function add(part: string, amount: number, moment: Moment): Moment {
  const months = monthsOf[part];
  if (months !== undefined) return addMonths(moment, amount * months);
  const ticks = ticksOf[part];
  if (ticks !== undefined) {
    const total = part === 'nanosecond' ? Math.round(amount / 100) : amount * ticks;
    const days = Math.floor(total / ticksPerDay);
    return addTicks({ ...moment, days: moment.days + days }, total - days * ticksPerDay);
  }
  return { ...moment, days: moment.days + amount * (part === 'week' ? 7 : 1) };
}

function addMonths(moment: Moment, count: number): Moment {
  const { year, month, day } = yearMonthDay(moment.days);
  const total = year * 12 + month - 1 + count;
  const [toYear, toMonth] = [Math.floor(total / 12), (((total % 12) + 12) % 12) + 1];
  if (toYear < 1 || toYear > 9999) return { ...moment, days: -1 };
  const last = new Date(Date.UTC(2000 + (toYear % 400), toMonth, 0)).getUTCDate();
  return { ...moment, days: dayNumber(toYear, toMonth, Math.min(day, last)) ?? -1 };
}

/** Counts boundaries of a part between two moments; both are taken in UTC. */
function difference(part: string, from: Moment, to: Moment): bigint {
  const [a, b] = [atOffset(from, 0), atOffset(to, 0)];
  const months = monthsOf[part];
  if (months !== undefined) return BigInt(monthIndex(b, months) - monthIndex(a, months));
  if (part === 'week') return BigInt(Math.floor((b.days + 1) / 7) - Math.floor((a.days + 1) / 7));
  const ticks = ticksOf[part];
  if (ticks === undefined) return BigInt(b.days - a.days);
  if (part === 'nanosecond')
    return (BigInt(b.days - a.days) * BigInt(ticksPerDay) + BigInt(b.ticks - a.ticks)) * 100n;
  const perDay = BigInt(ticksPerDay / ticks);
  return BigInt(b.days - a.days) * perDay + BigInt(Math.floor(b.ticks / ticks) - Math.floor(a.ticks / ticks));
}

function monthIndex(moment: Moment, months: number): number {
  const { year, month } = yearMonthDay(moment.days);
  return Math.floor((year * 12 + month - 1) / months);
}

function partOf(part: string, moment: Moment): number {
  const { year, month, day } = yearMonthDay(moment.days);
  const firstDay = dayNumber(year, 1, 1) ?? 0;
  const values: Readonly<Record<string, () => number>> = {
    year: () => year,
    quarter: () => Math.ceil(month / 3),
    month: () => month,
    day: () => day,
    dayofyear: () => moment.days - firstDay + 1,
    // Weeks begin on Sunday (DATEFIRST 7); day 0 was a Monday.
    weekday: () => ((moment.days + 1) % 7) + 1,
    week: () => Math.floor((moment.days - firstDay + ((firstDay + 1) % 7)) / 7) + 1,
    iso_week: () => isoWeek(moment.days),
    hour: () => Math.floor(moment.ticks / (60 * ticksPerMinute)),
    minute: () => Math.floor(moment.ticks / ticksPerMinute) % 60,
    second: () => Math.floor(moment.ticks / ticksPerSecond) % 60,
    millisecond: () => Math.floor((moment.ticks % ticksPerSecond) / 10_000),
    microsecond: () => Math.floor((moment.ticks % ticksPerSecond) / 10),
    nanosecond: () => (moment.ticks % ticksPerSecond) * 100,
    tzoffset: () => moment.offset,
  };
  return values[part]?.() ?? 0;
}

function isoWeek(days: number): number {
  const thursday = days - (days % 7) + 3;
  const { year } = yearMonthDay(thursday);
  return Math.floor((thursday - (dayNumber(year, 1, 1) ?? 0)) / 7) + 1;
}

function nameOf(part: string, moment: Moment): string {
  if (part === 'month') return monthNames[partOf('month', moment) - 1] ?? '';
  const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  if (part === 'weekday') return weekdays[partOf('weekday', moment) - 1] ?? '';
  return part === 'tzoffset' ? offsetText(moment.offset) : String(partOf(part, moment));
}

/** A date argument as a moment: texts are read as datetime2(7) or with their offset, numbers as datetime. */
function momentOf(value: SqlValue, type: SqlType | undefined): Moment {
  if (type && isDateTime(type)) return readMoment(String(value));
  const isText = type !== undefined && 'collation' in type;
  const target: SqlType = isText ? { name: 'datetimeoffset', scale: 7 } : datetime;
  return readMoment(String(convert(value, type ?? datetime, target, undefined, 'implicit')));
}

const dateTypeOf = (typed: Typed | undefined): SqlType =>
  typed && isDateTime(typed.type) ? typed.type : datetime;

function clock(type: SqlType): ScalarFunction {
  return {
    parameters: [],
    neverNull: true,
    returns: type,
    run: ({ statementTime }) => momentText(roundTo(statementTime, type) ?? now(), type),
  };
}

function shownPart(part: string): ScalarFunction {
  return {
    parameters: ['any'],
    returns: int,
    run: (_, [value = null], [type]) => partOf(part, momentOf(value, type)),
  };
}

/** Throws 289 for parts that make no date or time. */
function fromParts(
  type: (given: readonly SqlValue[]) => SqlType,
  name: string,
  build: (given: readonly number[]) => Moment | undefined,
) {
  return (given: readonly SqlValue[]): string => {
    const moment = build(given.map(Number));
    const rounded = moment && roundTo(moment, type(given));
    if (!rounded) throw sqlError(289, name);
    return momentText(rounded, type(given));
  };
}

function timeTicks(hour = 0, minute = 0, second = 0, fraction = 0, scale = 7): number | undefined {
  if (hour > 23 || minute > 59 || second > 59 || hour < 0 || minute < 0 || second < 0 || fraction < 0)
    return undefined;
  return (hour * 3600 + minute * 60 + second) * ticksPerSecond + fraction * 10 ** (7 - scale);
}

function dateAndTime(
  [year = 0, month = 0, day = 0, ...time]: readonly number[],
  scale: number,
): Moment | undefined {
  const days = dayNumber(year, month, day);
  const ticks = timeTicks(time[0], time[1], time[2], time[3], scale);
  return days === undefined || ticks === undefined ? undefined : { days, ticks, offset: 0 };
}

/** Date and time functions. A date part comes as text. */
export const dateFunctions: FunctionLibrary = {
  GETDATE: clock(datetime),
  GETUTCDATE: clock(datetime),
  CURRENT_TIMESTAMP: clock(datetime),
  SYSDATETIME: clock({ name: 'datetime2', scale: 7 }),
  SYSUTCDATETIME: clock({ name: 'datetime2', scale: 7 }),
  SYSDATETIMEOFFSET: clock({ name: 'datetimeoffset', scale: 7 }),
  YEAR: shownPart('year'),
  MONTH: shownPart('month'),
  DAY: shownPart('day'),
  DATEPART: {
    parameters: ['text', 'any'],
    returns: int,
    run: (_, [part, value = null], [, type]) => partOf(String(part), momentOf(value, type)),
  },
  DATENAME: {
    parameters: ['text', 'any'],
    returns: nvarchar(30),
    run: (_, [part, value = null], [, type]) => nameOf(String(part), momentOf(value, type)),
  },
  DATEADD: {
    parameters: ['text', int, 'any'],
    returns: (given) => dateTypeOf(given[2]),
    run: (_, [part, amount, value = null], [, , given = datetime]) => {
      const type = isDateTime(given) ? given : datetime;
      const moment = isDateTime(given)
        ? readMoment(String(value))
        : readMoment(String(convert(value, given, datetime)));
      const result = roundTo(add(String(part), Number(amount), moment), type);
      if (!result) throw sqlError(517, type.name);
      return momentText(result, type);
    },
  },
  DATEDIFF: {
    parameters: ['text', 'any', 'any'],
    returns: int,
    run: (_, [part, from = null, to = null], [, fromType, toType]) => {
      const result = difference(String(part), momentOf(from, fromType), momentOf(to, toType));
      if (result > 2_147_483_647n || result < -2_147_483_648n) throw sqlError(535);
      return Number(result);
    },
  },
  DATEDIFF_BIG: {
    parameters: ['text', 'any', 'any'],
    returns: { name: 'bigint' },
    run: (_, [part, from = null, to = null], [, fromType, toType]) =>
      difference(String(part), momentOf(from, fromType), momentOf(to, toType)),
  },
  EOMONTH: {
    parameters: ['any', int],
    optional: 1,
    returns: date,
    run: (_, [value = null, months], [type]) => {
      const moment = add('month', Number(months ?? 0) + 1, momentOf(value, type));
      return momentText({ ...moment, days: moment.days - partOf('day', moment) }, date);
    },
  },
  DATEFROMPARTS: {
    parameters: [int, int, int],
    returns: date,
    run: (_, given) =>
      fromParts(
        () => date,
        'date',
        (numbers) => dateAndTime(numbers, 7),
      )(given),
  },
  DATETIMEFROMPARTS: {
    parameters: [int, int, int, int, int, int, int],
    returns: datetime,
    run: (_, given) =>
      fromParts(
        () => datetime,
        'datetime',
        (numbers) => dateAndTime(numbers, 3),
      )(given),
  },
  DATETIME2FROMPARTS: {
    parameters: [int, int, int, int, int, int, int, int],
    returns: { name: 'datetime2', scale: 7 },
    run: (_, given) =>
      fromParts(
        () => ({ name: 'datetime2', scale: 7 }),
        'datetime2',
        (numbers) => dateAndTime(numbers, numbers[7] ?? 7),
      )(given),
  },
  TIMEFROMPARTS: {
    parameters: [int, int, int, int, int],
    returns: { name: 'time', scale: 7 },
    run: (_, given) =>
      fromParts(
        () => ({ name: 'time', scale: 7 }),
        'time',
        ([h, m, s, f, scale]) => dateAndTime([1900, 1, 1, h ?? 0, m ?? 0, s ?? 0, f ?? 0], scale ?? 7),
      )(given),
  },
  ISDATE: {
    parameters: ['any'],
    neverNull: true,
    takesNull: true,
    returns: int,
    run: (_, [value = null], [type = datetime]) => {
      try {
        return value === null ? 0 : Number(convert(value, type, datetime) !== null);
      } catch (error) {
        if (error instanceof SqlError) return 0;
        throw error;
      }
    },
  },
  SWITCHOFFSET: {
    parameters: [{ name: 'datetimeoffset', scale: 7 }, 'text'],
    returns: { name: 'datetimeoffset', scale: 7 },
    run: (_, [value, offset]) =>
      momentText(atOffset(readMoment(String(value)), minutesOf(String(offset))), {
        name: 'datetimeoffset',
        scale: 7,
      }),
  },
  TODATETIMEOFFSET: {
    parameters: [{ name: 'datetime2', scale: 7 }, 'text'],
    returns: { name: 'datetimeoffset', scale: 7 },
    run: (_, [value, offset]) =>
      momentText(
        { ...readMoment(String(value)), offset: minutesOf(String(offset)) },
        { name: 'datetimeoffset', scale: 7 },
      ),
  },
};

/** Minutes of `+hh:mm`, or a number of minutes. */
function minutesOf(text: string): number {
  const match = /^([+-])(\d\d):(\d\d)$/.exec(text.trim());
  const minutes = match
    ? (Number(match[2]) * 60 + Number(match[3])) * (match[1] === '-' ? -1 : 1)
    : Number(text);
  if (!Number.isInteger(minutes) || Math.abs(minutes) > 840) throw sqlError(9812);
  return minutes;
}
