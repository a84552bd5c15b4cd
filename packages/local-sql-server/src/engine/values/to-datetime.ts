/** Conversions to date and time types. */
import { sqlError } from '../../tsql/sql-error.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { isCharacter, isNumeric, typeName } from '../types.ts';
import { parseMoment } from './date-text.ts';
import {
  day1900,
  type Moment,
  momentText,
  readMoment,
  roundTo,
  ticksPerDay,
  ticksPerSecond,
} from './datetime.ts';

/** Converts to a date or time type. Throws 241 for text that is no date, 242 or 8115 for what is out of range. */
export function toDateTime(
  value: NonNullable<SqlValue>,
  from: SqlType,
  to: SqlType,
  style: number | undefined,
): string {
  const rounded = roundTo(momentOf(value, from, to, style), to);
  if (!rounded) throw outOfRange(from, to);
  return momentText(rounded, to);
}

function outOfRange(from: SqlType, to: SqlType) {
  if (isNumeric(from)) return sqlError(8115, 'expression', to.name);
  return sqlError(242, typeName(from), to.name);
}

function momentOf(
  value: NonNullable<SqlValue>,
  from: SqlType,
  to: SqlType,
  style: number | undefined,
): Moment {
  if (isCharacter(from)) return textToMoment(String(value), from, to, style);
  if (isNumeric(from) || value instanceof Uint8Array) return fromDays(Number(value));
  const read = readMoment(String(value));
  const isFiner = from.name === 'datetime' && 'scale' in to && to.scale > 3;
  const moment = isFiner ? { ...read, ticks: inThirds(read.ticks) } : read;
  if (to.name === 'time') return { ...moment, days: day1900 };
  return to.name === 'datetimeoffset' ? moment : { ...moment, offset: 0 };
}

/** The ticks of a datetime, which counts in thirds of ten milliseconds but shows three digits. */
function inThirds(ticks: number): number {
  return Math.round((Math.round((ticks * 300) / ticksPerSecond) * ticksPerSecond) / 300);
}

function fromDays(value: number): Moment {
  const days = Math.floor(value);
  return { days: day1900 + days, ticks: Math.round((value - days) * ticksPerDay), offset: 0 };
}

const dayFirst = new Set([3, 4, 5, 103, 104, 105]);

function textToMoment(text: string, from: SqlType, to: SqlType, style: number | undefined): Moment {
  const ordered =
    style !== undefined && dayFirst.has(style)
      ? text.replace(/^\s*(\d{1,2})([-/.])(\d{1,2})\2/, '$3$2$1$2')
      : text;
  const moment = parseMoment(ordered);
  if (!moment) {
    if (looksLikeDate(ordered) && (to.name === 'datetime' || to.name === 'smalldatetime'))
      throw sqlError(242, from.name, to.name);
    throw sqlError(241);
  }
  const isOld = to.name === 'datetime' || to.name === 'smalldatetime';
  if (isOld && (moment.digits > 3 || (moment.hasOffset && !/z$/i.test(ordered.trim())))) throw sqlError(241);
  if (to.name === 'time') return { ...moment, days: day1900 };
  return to.name === 'datetimeoffset' ? moment : { ...moment, offset: 0 };
}

/** Well-formed, but with a month or day that there is not: the old types say 242 to that. */
function looksLikeDate(text: string): boolean {
  return /^\s*(\d{4}-?\d\d-?\d\d|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})([T ]\d{1,2}:\d\d(:\d\d(\.\d{1,3})?)?)?\s*$/.test(
    text,
  );
}
