/** Conversions between types. */
import { sqlError } from '../../tsql/sql-error.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { familyOf, isCharacter, isDateTime, isNumeric, typeName, typeText } from '../types.ts';
import { toBinary } from './to-binary.ts';
import { toCharacter } from './to-character.ts';
import { toDateTime } from './to-datetime.ts';
import { toGuid } from './to-guid.ts';
import { toNumber } from './to-number.ts';

/** The kind of conversion: CAST and CONVERT allow more than an implicit conversion does. */
export type Usage = 'explicit' | 'implicit';

export type Converter = (value: NonNullable<SqlValue>) => SqlValue;

const cache = new Map<string, Converter>();

/**
 * Converts a value from one type to another by T-SQL's rules ("CAST and CONVERT"): text is cut to its length, numbers
 * must fit. Throws the number that SQL Server gives for the pair of types: 241, 244, 245, 248, 257, 529, 8114, 8115, 8169.
 */
export function convert(
  value: SqlValue,
  from: SqlType,
  to: SqlType,
  style?: number,
  usage: Usage = 'explicit',
): SqlValue {
  if (value === null || isSame(from, to)) return value;
  return converter(from, to, style, usage)(value);
}

/** Types without a size are the same by their name. */
function isSame(from: SqlType, to: SqlType): boolean {
  return from.name === to.name && !('length' in to) && !('scale' in to);
}

/** Returns the conversion from one type to another, which is made once per pair of types. */
export function converter(from: SqlType, to: SqlType, style: number | undefined, usage: Usage): Converter {
  const key = `${typeKey(from)}>${typeKey(to)}>${style}>${usage}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const made = makeConverter(from, to, style, usage);
  cache.set(key, made);
  return made;
}

function typeKey(type: SqlType): string {
  return `${typeText(type)}${'collation' in type ? type.collation : ''}`;
}

function makeConverter(from: SqlType, to: SqlType, style: number | undefined, usage: Usage): Converter {
  checkAllowed(from, to, usage);
  const family = familyOf(to);
  if (family === 'character') return (value) => toCharacter(value, from, to, style);
  if (family === 'binary') return (value) => toBinary(value, from, to, style);
  if (family === 'guid') return (value) => toGuid(value, from);
  if (isDateTime(to)) return (value) => toDateTime(value, from, to, style);
  return (value) => toNumber(value, from, to);
}

/** Throws 206, 257 or 529 for pairs of types that have no conversion. */
export function checkAllowed(from: SqlType, to: SqlType, usage: Usage): void {
  const problem = obstacle(from, to);
  if (problem === 'never') {
    if (usage === 'explicit') throw sqlError(529, typeName(from), typeName(to));
    throw sqlError(206, typeName(from), typeName(to));
  }
  if (problem === 'explicit only' && usage === 'implicit') throw sqlError(257, typeName(from), typeName(to));
}

function obstacle(from: SqlType, to: SqlType): 'never' | 'explicit only' | undefined {
  const source = familyOf(from);
  const target = familyOf(to);
  if (source === target || (isCharacter(from) && target !== 'binary')) return undefined;
  if (isNumeric(from)) return fromNumber(source, to);
  if (isDateTime(from)) return fromDateTime(source, from, to);
  if (source === 'guid') return target === 'character' || target === 'binary' ? undefined : 'never';
  if (isCharacter(from)) return 'explicit only';
  if (source === 'binary') return target === 'float' ? 'never' : undefined;
  return undefined;
}

function fromNumber(source: string, to: SqlType): 'never' | undefined {
  const target = familyOf(to);
  if (target === 'guid' || (isDateTime(to) && to.name !== 'datetime' && to.name !== 'smalldatetime'))
    return 'never';
  return source === 'float' && target === 'binary' ? undefined : undefined;
}

function fromDateTime(source: string, from: SqlType, to: SqlType): 'never' | 'explicit only' | undefined {
  const target = familyOf(to);
  if (target === 'guid') return 'never';
  if (target === 'binary') return 'explicit only';
  if (isNumeric(to))
    return from.name === 'datetime' || from.name === 'smalldatetime' ? 'explicit only' : 'never';
  return (source === 'date' && target === 'time') || (source === 'time' && target === 'date')
    ? 'never'
    : undefined;
}
