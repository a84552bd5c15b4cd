/** Date and time functions. */
import { SqlError, sqlError } from '../../tsql/sql-error.ts';
import type { SqlType, SqlValue } from '../session.ts';
import type { Typed } from '../translate/typed.ts';
import { date, datetime, int, isDateTime, nvarchar } from '../types.ts';
import { convert } from '../values/convert.ts';
import { dayNumber, type Moment, momentText, now, readMoment, roundTo } from '../values/datetime.ts';
import { add, difference, nameOf, partOf } from './date-parts.ts';
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

const partsOfTime = new Set(['hour', 'minute', 'second', 'millisecond']);

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
