/** Lengths of values in bytes. */
import type { SqlType, SqlValue } from '../session.ts';
import { factsOf, isCharacter, isUnicode } from '../types.ts';
import { isUtf8 } from '../values/collation.ts';

/** Bytes that a value of a type takes at most, -1 for max (`sys.columns.max_length`). */
export function maximumLength(type: SqlType): number {
  if ('length' in type) return type.length === 'max' ? -1 : type.length * (isUnicode(type) ? 2 : 1);
  if (type.name === 'decimal')
    return type.precision <= 9 ? 5 : type.precision <= 19 ? 9 : type.precision <= 28 ? 13 : 17;
  const fraction = 'scale' in type ? (type.scale <= 2 ? 0 : type.scale <= 4 ? 1 : 2) : 0;
  return (factsOf(type).bytes ?? 0) + fraction;
}

/** DATALENGTH: bytes of a value. */
export function dataLength(value: SqlValue, type: SqlType): number {
  if (value instanceof Uint8Array) return value.length;
  if (!isCharacter(type)) return maximumLength(type);
  const text = String(value);
  if (isUnicode(type)) return text.length * 2;
  return isUtf8(type.collation) ? Buffer.byteLength(text) : text.length;
}
