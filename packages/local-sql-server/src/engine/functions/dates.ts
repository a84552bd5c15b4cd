/** Date and time functions. */
import { SqlError, sqlError } from '../../tsql/sql-error.ts';
import type { SqlType, SqlValue } from '../session.ts';
import type { Typed } from '../translate/typed.ts';
import { bigint, date, datetime, int, isDateTime, nvarchar } from '../types.ts';
import { convert } from '../values/convert.ts';
import {
  atOffset,
  dayNumber,
  type Moment,
  momentText,
  now,
  readMoment,
  roundTo,
  scaleOf,
  ticksPerSecond,
} from '../values/datetime.ts';
import { inZone, localInZone, timeZoneNamed } from '../values/time-zones.ts';
import { add, difference, nameOf, partOf, truncated } from './date-parts.ts';
import { type FunctionLibrary, type ScalarFunction, scalar } from './definition.ts';

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

const datetime2: SqlType = { name: 'datetime2', scale: 7 };
const dateTimeOffset: SqlType = { name: 'datetimeoffset', scale: 7 };

/** A function of whole numbers that are the parts of a date or time; its scale, where it has one, is the literal at the end. Throws 289. */
function fromParts(
  count: number,
  type: SqlType,
  build: (given: readonly number[]) => Moment | undefined,
): ScalarFunction {
  const scaled = (scale: number): SqlType => ('scale' in type ? { ...type, scale } : type) as SqlType;
  return {
    parameters: Array.from({ length: count }, () => int),
    returns: (given) => scaled(Number(given.at(-1)?.sql)),
    run: (_, given) => {
      const numbers = given.map(Number);
      const moment = build(numbers);
      const result = scaled(numbers.at(-1) ?? 7);
      const rounded = moment && roundTo(moment, result);
      if (!rounded) throw sqlError(289, type.name);
      return momentText(rounded, result);
    },
  };
}

function dateAndTime(
  [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, fraction = 0]: readonly number[],
  scale: number,
): Moment | undefined {
  const days = dayNumber(year, month, day);
  const isClock = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
  if (days === undefined || !isClock || fraction < 0 || fraction >= 10 ** scale) return undefined;
  const ticks = (hour * 3600 + minute * 60 + second) * ticksPerSecond + fraction * 10 ** (7 - scale);
  return { days, ticks, offset: 0 };
}

/** The text of a moment with an offset. Throws 517 beyond the years 1 to 9999, also of UTC. */
function offsetMoment(moment: Moment): string {
  const fitting = roundTo(moment, dateTimeOffset);
  if (!fitting) throw sqlError(517, dateTimeOffset.name);
  return momentText(fitting, dateTimeOffset);
}

/** Minutes of `+hh:mm`, or a number of minutes. Throws 9812. */
function minutesOf(text: string): number {
  const match = /^([+-])(\d\d):(\d\d)$/.exec(text.trim());
  const minutes = match
    ? (Number(match[2]) * 60 + Number(match[3])) * (match[1] === '-' ? -1 : 1)
    : Number(text);
  if (!Number.isInteger(minutes) || Math.abs(minutes) > 840) throw sqlError(9812);
  return minutes;
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
  DATEPART: scalar(['text', 'any'], int, (_, [part, value = null], [, type]) => {
    mustHave(type, String(part), 'datepart');
    return partOf(String(part), momentOf(value, type));
  }),
  DATENAME: scalar(['text', 'any'], nvarchar(30), (_, [part, value = null], [, type]) => {
    mustHave(type, String(part), 'datename');
    return nameOf(String(part), momentOf(value, type));
  }),
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
  DATEDIFF: scalar(['text', 'any', 'any'], int, (_, [part, from = null, to = null], [, fromType, toType]) => {
    const result = difference(String(part), momentOf(from, fromType), momentOf(to, toType));
    if (result > 2_147_483_647n || result < -2_147_483_648n) throw sqlError(535);
    return Number(result);
  }),
  DATEDIFF_BIG: scalar(['text', 'any', 'any'], bigint, (_, [part, from = null, to = null], [, a, b]) =>
    difference(String(part), momentOf(from, a), momentOf(to, b)),
  ),
  DATETRUNC: {
    parameters: ['text', 'any'],
    returns: (given) => {
      const type = given[1]?.type ?? datetime2;
      return isDateTime(type) ? type : datetime2;
    },
    run: (_, [part, value = null], [, given = datetime2]) => {
      mustHave(given, String(part), 'datetrunc');
      const type = isDateTime(given) ? given : datetime2;
      return momentText(truncated(String(part), momentOf(value, given)), type);
    },
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
  DATEFROMPARTS: scalar([int, int, int], date, (_, [year, month, day]) => {
    const days = dayNumber(Number(year), Number(month), Number(day));
    if (days === undefined) throw sqlError(289, 'date');
    return momentText({ days, ticks: 0, offset: 0 }, date);
  }),
  DATETIMEFROMPARTS: fromParts(7, datetime, (numbers) => dateAndTime(numbers, 3)),
  SMALLDATETIMEFROMPARTS: fromParts(5, { name: 'smalldatetime' }, (numbers) => dateAndTime(numbers, 7)),
  DATETIME2FROMPARTS: fromParts(8, datetime2, (numbers) => dateAndTime(numbers, numbers[7] ?? 7)),
  TIMEFROMPARTS: fromParts(5, { name: 'time', scale: 7 }, ([hour, minute, second, fraction, scale = 7]) =>
    dateAndTime([1900, 1, 1, hour ?? 0, minute ?? 0, second ?? 0, fraction ?? 0], scale),
  ),
  SWITCHOFFSET: scalar([dateTimeOffset, 'text'], dateTimeOffset, (_, [value, offset]) =>
    offsetMoment(atOffset(readMoment(String(value)), minutesOf(String(offset)))),
  ),
  TODATETIMEOFFSET: scalar([datetime2, 'text'], dateTimeOffset, (_, [value, offset]) =>
    offsetMoment({ ...readMoment(String(value)), offset: minutesOf(String(offset)) }),
  ),
  '@@AT_TIME_ZONE': {
    parameters: ['any', nvarchar(128)],
    returns: ([given]) => ({
      name: 'datetimeoffset',
      scale: given && 'scale' in given.type ? scaleOf(given.type) : 3,
    }),
    run: (_, [value = null, name], [type = datetime]) => {
      if (!['datetime', 'smalldatetime', 'datetime2', 'datetimeoffset'].includes(type.name))
        throw sqlError(8116, type.name, 1, 'AT TIME ZONE');
      const zone = timeZoneNamed(String(name));
      if (!zone && /standard time$/i.test(String(name))) throw sqlError(40_517, `AT TIME ZONE ${name}`, 1, 1);
      if (!zone) throw sqlError(9820, String(name));
      const moment = readMoment(String(value));
      const zoned = type.name === 'datetimeoffset' ? inZone(moment, zone) : localInZone(moment, zone);
      return momentText(zoned, { name: 'datetimeoffset', scale: 'scale' in type ? scaleOf(type) : 3 });
    },
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
};
