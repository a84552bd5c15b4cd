/** Conversions to binary types. */
import { sqlError } from '../../tsql/sql-error.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { factsOf, familyOf, isCharacter, isUnicode, type SizedType, typeName } from '../types.ts';
import { guidToBytes } from './to-guid.ts';

/** Converts to binary or varbinary. Integers are big-endian; styles 1 and 2 read hexadecimal text. */
export function toBinary(
  value: NonNullable<SqlValue>,
  from: SqlType,
  to: SqlType,
  style: number | undefined,
): Uint8Array {
  const type = to as SizedType;
  const bytes = bytesOf(value, from, type, style);
  if (type.length === 'max') return bytes;
  const cut =
    familyOf(from) === 'integer' && bytes.length > type.length
      ? bytes.slice(-type.length)
      : bytes.slice(0, type.length);
  if (type.name === 'varbinary' || cut.length === type.length) return cut;
  const padded = new Uint8Array(type.length);
  padded.set(cut, familyOf(from) === 'integer' ? type.length - cut.length : 0);
  return padded;
}

function bytesOf(
  value: NonNullable<SqlValue>,
  from: SqlType,
  to: SizedType,
  style: number | undefined,
): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (isCharacter(from)) return textToBytes(String(value), from, to, style ?? 0);
  if (familyOf(from) === 'guid') return guidToBytes(String(value));
  const { family, bytes: width = 0 } = factsOf(from);
  if (family !== 'integer') throw sqlError(529, typeName(from), typeName(to));
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return Uint8Array.from(bytes.subarray(8 - width));
}

function textToBytes(text: string, from: SqlType, to: SizedType, style: number): Uint8Array {
  if (style === 0)
    return Uint8Array.from(isUnicode(from) ? Buffer.from(text, 'utf16le') : codePageBytes(text));
  const hex = style === 1 ? text.replace(/^0x/i, '') : text;
  if (hex.length % 2 || !/^[0-9a-f]*$/i.test(hex) || (style === 1 && hex === text))
    throw sqlError(8114, from.name, to.name);
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}

const windows1252 = new TextDecoder('windows-1252');
const codes = new Map(
  Array.from({ length: 256 }, (_, byte) => [windows1252.decode(Uint8Array.of(byte)), byte]),
);

export function codePageBytes(text: string): number[] {
  return Array.from(text, (character) => codes.get(character) ?? 0x3f);
}
