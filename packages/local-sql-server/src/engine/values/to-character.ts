/** Conversions to character types. */
import { sqlError } from '../../tsql/sql-error.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { familyOf, isUnicode, type SizedType, typeName } from '../types.ts';
import { isUtf8, toCodePage } from './collation.ts';
import { momentToText } from './date-format.ts';
import { readMoment } from './datetime.ts';
import { formatDecimal, rescale, toDecimal } from './decimal.ts';

/** Converts to a character type: formats, cuts or refuses what is too long, pads what is of fixed length. */
export function toCharacter(
  value: NonNullable<SqlValue>,
  from: SqlType,
  to: SqlType,
  style: number | undefined,
): string {
  const type = to as SizedType;
  const text = format(value, from, type, style);
  return sized(isUnicode(to) || isUtf8(type.collation) ? text : toCodePage(text), from, type);
}

function format(
  value: NonNullable<SqlValue>,
  from: SqlType,
  to: SizedType,
  style: number | undefined,
): string {
  const family = familyOf(from);
  if (value instanceof Uint8Array) return bytesToText(value, to, style);
  if (family === 'float') return formatFloat(Number(value));
  if (family === 'money') return formatMoney(String(value), style ?? 0);
  if (['date', 'time', 'datetime', 'offset'].includes(family))
    return momentToText(readMoment(String(value)), from, style);
  return String(value);
}

/** Two decimals; style 1 groups the digits, style 2 shows all four decimals. */
function formatMoney(text: string, style: number): string {
  if (style === 2) return text;
  const rounded = formatDecimal(rescale(toDecimal(text), 2));
  return style === 1 ? rounded.replace(/\B(?=(\d{3})+\.)/g, ',') : rounded;
}

function bytesToText(bytes: Uint8Array, to: SizedType, style: number | undefined): string {
  const buffer = Buffer.from(bytes);
  if (style === 1) return `0x${buffer.toString('hex').toUpperCase()}`;
  if (style === 2) return buffer.toString('hex').toUpperCase();
  return isUnicode(to) ? buffer.toString('utf16le') : new TextDecoder('windows-1252').decode(buffer);
}

/** At most 6 digits. */
function formatFloat(value: number): string {
  const short = Number(value.toPrecision(6));
  const magnitude = Math.abs(short);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e6)) return exponent(short.toExponential());
  return String(short);
}

function exponent(text: string): string {
  return text.replace(
    /e([+-])(\d+)$/,
    (_, sign: string, digits: string) => `e${sign}${digits.padStart(3, '0')}`,
  );
}

function sized(text: string, from: SqlType, to: SizedType): string {
  if (to.length === 'max') return text;
  const isInBytes = isUtf8('collation' in to ? to.collation : undefined) && !isUnicode(to);
  const lengthOf = (given: string) => (isInBytes ? Buffer.byteLength(given) : given.length);
  const filled = (fitting: string) =>
    to.name.includes('var')
      ? fitting
      : fitting + ' '.repeat(Math.max(0, Number(to.length) - lengthOf(fitting)));
  if (lengthOf(text) <= to.length) return filled(text);
  const family = familyOf(from);
  if (family === 'integer' && !isUnicode(to)) return filled('*');
  if (family === 'guid') throw sqlError(8115, 'expression', to.name);
  if (family === 'float' || family === 'decimal' || family === 'money' || family === 'integer')
    throw sqlError(8115, family === 'integer' ? 'expression' : typeName(from), to.name);
  if (!isInBytes) return text.slice(0, to.length);
  // A character whose bytes do not all fit is left out.
  let fitting = '';
  for (const character of text) {
    if (lengthOf(fitting + character) > to.length) break;
    fitting += character;
  }
  return filled(fitting);
}
