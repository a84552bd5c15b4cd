/** Date and time functions. */
import { SqlError, sqlError } from '../../tsql/sql-error.ts';
import type { SqlType, SqlValue } from '../session.ts';
import type { Typed } from '../translate/typed.ts';
import { date, datetime, int, isDateTime, nvarchar } from '../types.ts';
import { convert } from '../values/convert.ts';
import {
  atOffset,
  dayNumber,
  type Moment,
  momentText,
  now,
  readMoment,
  roundTo,
  ticksPerSecond,
} from '../values/datetime.ts';
import { add, difference, nameOf, partOf } from './date-parts.ts';
import type { FunctionLibrary, ScalarFunction } from './definition.ts';

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

const partsOfTime = new Set(['hour', 'minute', 'second', 'millisecond', 'microsecond', 'nanosecond']);

/** Throws 9810 for a part of the day of a date, and for a part of the date of a time. */
function mustHave(type: SqlType | undefined, part: string, name: string): void {
  const isMissing =
    type?.name === 'date' ? partsOfTime.has(part) : type?.name === 'time' && !partsOfTime.has(part);
  if (type && isMissing) throw sqlError(9810, part, name, type.name);
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

/** The text of a moment with an offset. Throws 517 beyond the years 1 to 9999, also of UTC. */
function offsetMoment(moment: Moment): string {
  const type: SqlType = { name: 'datetimeoffset', scale: 7 };
  const fitting = roundTo(moment, type);
  if (!fitting) throw sqlError(517, type.name);
  return momentText(fitting, type);
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
    run: (_, [part, value = null], [, type]) => {
      mustHave(type, String(part), 'datepart');
      return partOf(String(part), momentOf(value, type));
    },
  },
  DATENAME: {
    parameters: ['text', 'any'],
    returns: nvarchar(30),
    run: (_, [part, value = null], [, type]) => {
      mustHave(type, String(part), 'datename');
      return nameOf(String(part), momentOf(value, type));
    },
  },
  DATEADD: {
    parameters: ['text', int, 'any'],
    returns: (given) => dateTypeOf(given[2]),
    run: (_, [part, amount, value = null], [, , given = datetime]) => {
      const type = isDateTime(given) ? given : datetime;
      mustHave(given, String(part), 'dateadd');
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
    run: (_, [value, offset]) => offsetMoment(atOffset(readMoment(String(value)), minutesOf(String(offset)))),
  },
  TODATETIMEOFFSET: {
    parameters: [{ name: 'datetime2', scale: 7 }, 'text'],
    returns: { name: 'datetimeoffset', scale: 7 },
    run: (_, [value, offset]) =>
      offsetMoment({ ...readMoment(String(value)), offset: minutesOf(String(offset)) }),
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
