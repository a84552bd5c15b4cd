/** Conversions to number types. */
import { sqlError } from '../../tsql/sql-error.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { asDecimal, familyOf, isCharacter, typeName } from '../types.ts';
import { day1900, readMoment, ticksPerDay } from './datetime.ts';
import { type Decimal, fitDecimal, parseDecimal, rescale, toDecimal } from './decimal.ts';
import { integerRanges } from './integer.ts';

const storageNames: Readonly<Record<string, string>> = { tinyint: 'INT1', smallint: 'INT2' };

/** Converts to a number type. Throws 244, 245, 248, 8114, 8115, 220, 235. */
export function toNumber(value: NonNullable<SqlValue>, from: SqlType, to: SqlType): SqlValue {
  if (to.name === 'bit') return toBit(value, from);
  const family = familyOf(to);
  if (family === 'integer') return toInteger(value, from, to);
  if (family === 'float') return toFloat(value, from, to);
  if (family === 'money') return toMoney(value, from, to);
  const decimal = exact(value, from) ?? failure(from, to);
  return fitDecimal(decimal, asDecimal(to), false, fittingFrom(from));
}

/** What a message calls the source of an overflow. */
function fittingFrom(from: SqlType): string {
  return ['decimal', 'float', 'money', 'character'].includes(familyOf(from)) ? typeName(from) : from.name;
}

function failure(from: SqlType, to: SqlType): never {
  throw sqlError(8114, typeName(from), typeName(to));
}

/** The exact value of a number, a text or bytes; undefined for text that is no number. */
function exact(value: NonNullable<SqlValue>, from: SqlType): Decimal | undefined {
  if (value instanceof Uint8Array) return { units: bytesToInteger(value), scale: 0 };
  if (familyOf(from) === 'datetime') return fromNumberText(daysSince1900(String(value)).toFixed(9));
  if (familyOf(from) === 'float') return fromNumberText(Number(value).toPrecision(17));
  return isCharacter(from) ? fromNumberText(String(value), false) : toDecimal(value);
}

function fromNumberText(text: string, withExponent = true): Decimal | undefined {
  const match = /^\s*([^eE]*)(?:[eE]([+-]?\d+))?\s*$/.exec(text);
  if (!match?.[1] || (match[2] !== undefined && !withExponent)) return undefined;
  const mantissa = parseDecimal(match[1]);
  if (!mantissa || match[2] === undefined) return mantissa;
  const exponent = Number(match[2]);
  const scale = mantissa.scale - exponent;
  return scale >= 0
    ? { units: mantissa.units, scale }
    : { units: mantissa.units * 10n ** BigInt(-scale), scale: 0 };
}

function daysSince1900(text: string): number {
  const { days, ticks } = readMoment(text);
  return days - day1900 + ticks / ticksPerDay;
}

function bytesToInteger(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes.slice(-8)).toString('hex');
  const unsigned = hex === '' ? 0n : BigInt(`0x${hex}`);
  return bytes.length >= 8 ? BigInt.asIntN(64, unsigned) : unsigned;
}

function toBit(value: NonNullable<SqlValue>, from: SqlType): number {
  if (!isCharacter(from))
    return Number(value instanceof Uint8Array ? bytesToInteger(value) !== 0n : !isZero(value, from));
  const text = String(value).trim().toLowerCase();
  if (text === 'true') return 1;
  if (text === 'false' || text === '') return 0;
  if (!/^[+-]?\d+$/.test(text)) throw sqlError(245, from.name, String(value), 'bit');
  return /[1-9]/.test(text) ? 1 : 0;
}

function isZero(value: NonNullable<SqlValue>, from: SqlType): boolean {
  return (exact(value, from)?.units ?? 0n) === 0n;
}

function toInteger(value: NonNullable<SqlValue>, from: SqlType, to: SqlType): number | bigint {
  if (isCharacter(from)) return textToInteger(String(value), from, to);
  if (value instanceof Uint8Array)
    return inRange(BigInt.asIntN(to.name === 'bigint' ? 64 : 32, bytesToInteger(value)), from, to);
  const family = familyOf(from);
  if (family === 'integer') return inRange(BigInt(value), from, to);
  if (family === 'float') return floatToInteger(Number(value), from, to);
  const decimal = exact(value, from) ?? failure(from, to);
  // Money and datetime round, decimal cuts.
  return inRange(rescale(decimal, 0, family === 'decimal').units, from, to);
}

function floatToInteger(value: number, from: SqlType, to: SqlType): number | bigint {
  const [low, high] = integerRanges[to.name] ?? [0n, 0n];
  const whole = Math.trunc(value);
  if (!(whole >= Number(low) && whole <= Number(high))) overflow(String(value), from, to);
  return inRange(BigInt(whole), from, to);
}

function inRange(value: bigint, from: SqlType, to: SqlType): number | bigint {
  const [low, high] = integerRanges[to.name] ?? [0n, 0n];
  if (value < low || value > high) overflow(String(value), from, to);
  return to.name === 'bigint' ? value : Number(value);
}

function overflow(value: string, from: SqlType, to: SqlType): never {
  if (to.name === 'tinyint' || to.name === 'smallint') {
    if (familyOf(from) === 'integer') throw sqlError(220, to.name, value);
    if (familyOf(from) === 'float') throw sqlError(232, to.name, Number(value).toFixed(6));
  }
  if (familyOf(from) === 'float') throw sqlError(232, to.name, Number(value).toFixed(6));
  throw sqlError(8115, familyOf(from) === 'integer' ? 'expression' : typeName(from), to.name);
}

function textToInteger(text: string, from: SqlType, to: SqlType): number | bigint {
  const trimmed = text.trim().replace(/^([+-]) +/, '$1');
  if (!/^[+-]?\d*$/.test(trimmed)) {
    if (to.name === 'bigint') failure(from, to);
    throw sqlError(245, from.name, text, to.name);
  }
  const value = /\d/.test(trimmed) ? BigInt(trimmed.replace('+', '')) : 0n;
  const [low, high] = integerRanges[to.name] ?? [0n, 0n];
  if (value >= low && value <= high) return to.name === 'bigint' ? value : Number(value);
  if (to.name === 'int') throw sqlError(248, from.name, text);
  if (to.name === 'bigint') throw sqlError(8115, 'expression', 'bigint');
  throw sqlError(244, from.name, text, storageNames[to.name] ?? to.name);
}

function toFloat(value: NonNullable<SqlValue>, from: SqlType, to: SqlType): number {
  const number = isCharacter(from) ? textToFloat(String(value), from, to) : floatOf(value, from);
  const rounded = to.name === 'real' ? Math.fround(number) : number;
  if (!Number.isFinite(rounded)) throw sqlError(8115, 'expression', to.name);
  return rounded;
}

function floatOf(value: NonNullable<SqlValue>, from: SqlType): number {
  if (value instanceof Uint8Array) return failure(from, { name: 'float' });
  return familyOf(from) === 'datetime' ? daysSince1900(String(value)) : Number(value);
}

function textToFloat(text: string, from: SqlType, to: SqlType): number {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eEdD][+-]?\d+)?$/.test(trimmed)) failure(from, to);
  return Number(trimmed.replace(/[dD]/, 'e'));
}

function toMoney(value: NonNullable<SqlValue>, from: SqlType, to: SqlType): string {
  const decimal = isCharacter(from) ? textToMoney(String(value)) : (exact(value, from) ?? failure(from, to));
  const fitted = rescale(decimal, 4);
  const limit = to.name === 'smallmoney' ? 2n ** 31n : 2n ** 63n;
  if (fitted.units >= limit || fitted.units < -limit) throw sqlError(8115, typeName(from), to.name);
  return fitDecimal(fitted, asDecimal(to));
}

function textToMoney(text: string): Decimal {
  const decimal = parseDecimal(text.replace(/[$€£,\s]/g, '') || '0');
  if (!decimal) throw sqlError(235);
  return decimal;
}
