import type { SqlType, SqlValue } from '../session.ts';
import { isCharacter, isUnicode } from '../types.ts';
import { convert } from '../values/convert.ts';

const text = String;

/** DATALENGTH: bytes of a value. */
export function dataLength(value: SqlValue, type: SqlType | undefined): number {
  if (value instanceof Uint8Array) return value.length;
  if (type && isCharacter(type)) return text(value).length * (isUnicode(type) ? 2 : 1);
  const bytes = convertedBytes(value, type);
  return bytes instanceof Uint8Array ? bytes.length : 8;
}

const fixedSizes: Readonly<Record<string, number>> = {
  float: 8,
  real: 4,
  money: 8,
  smallmoney: 4,
  date: 3,
  datetime: 8,
  smalldatetime: 4,
  datetime2: 8,
  datetimeoffset: 10,
  time: 5,
};

function convertedBytes(value: SqlValue, type: SqlType | undefined): SqlValue {
  if (!type) return null;
  const size =
    type.name === 'decimal'
      ? type.precision <= 9
        ? 5
        : type.precision <= 19
          ? 9
          : type.precision <= 28
            ? 13
            : 17
      : fixedSizes[type.name];
  return size === undefined
    ? convert(value, type, { name: 'varbinary', length: 'max' })
    : new Uint8Array(size);
}
