/** Values as JSON. */
import type { SqlType, SqlValue } from '../session.ts';
import { familyOf, isDateTime } from '../types.ts';

/** A JSON string as SQL Server escapes it: the solidus too. */
export function quoteJson(text: string): string {
  return JSON.stringify(text).replaceAll('/', '\\/');
}

/** A value as FOR JSON and JSON_MODIFY write it: dates in ISO 8601, floats with 16 digits, bytes in base 64. */
export function asJson(value: NonNullable<SqlValue>, type: SqlType): string {
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('base64')}"`;
  const family = familyOf(type);
  if (type.name === 'bit') return Number(value) ? 'true' : 'false';
  if (family === 'float') return floatText(Number(value), type.name === 'real' ? 7 : 15);
  if (['integer', 'decimal', 'money'].includes(family)) return String(value);
  return quoteJson(isDateTime(type) ? dateText(String(value), type) : String(value));
}

function floatText(value: number, digits: number): string {
  return value
    .toExponential(digits)
    .replace(/e([+-])(\d+)$/, (_, sign: string, power: string) => `e${sign}${power.padStart(3, '0')}`);
}

function dateText(text: string, type: SqlType): string {
  if (type.name === 'date' || type.name === 'time') return trimFraction(text);
  const iso = text.replace(' ', 'T');
  if (type.name === 'datetimeoffset')
    return (
      trimFraction(iso.replace(/ ([+-]\d\d:\d\d)$/, '')) +
      (/ \+00:00$/.test(iso) ? 'Z' : (/ ([+-]\d\d:\d\d)$/.exec(iso)?.[1] ?? ''))
    );
  return trimFraction(iso);
}

/** A fraction of zeros is left out. */
function trimFraction(text: string): string {
  return text.replace(/\.0+$/, '');
}
