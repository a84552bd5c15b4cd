/** Values behind a length of two bytes (USHORTLEN_TYPE) or four (LONGLEN_TYPE), MS-TDS 2.2.5.2.2, or in parts (PLP). */
import type { SqlValue } from '../../engine/session.ts';
import { type Read, readBytes, readUInt16, readUInt32 } from '../bytes.ts';
import type { Encoder } from './codec.ts';
import { writePlp, writePlpNull } from './plp.ts';

/** Stands for `max` where a type's length is declared. */
export const MAX_LENGTH = 0xffff;

const SHORT_NULL = 0xffff;
const LONG_NULL = 0xffff_ffff;

/** Creates a writer of values behind two bytes of length, or of max types in parts; `encode` gives a value's bytes. */
export function rawWriter(max: boolean, encode: (value: SqlValue) => Uint8Array): Encoder['value'] {
  if (max) return (out, value) => (value === null ? writePlpNull(out) : writePlp(out, encode(value)));
  return (out, value) => {
    if (value === null) return out.uint16(SHORT_NULL);
    const bytes = encode(value);
    out.uint16(bytes.length);
    out.raw(bytes);
  };
}

/** Reads bytes behind two bytes of length. */
export function readShortLength(bytes: Buffer, at: number): Read<Buffer | null> {
  const length = readUInt16(bytes, at);
  if (length.value === SHORT_NULL) return { value: null, offset: length.offset };
  return readBytes(bytes, length.offset, length.value);
}

/** Reads bytes behind four bytes of length. */
export function readLongLength(bytes: Buffer, at: number): Read<Buffer | null> {
  const length = readUInt32(bytes, at);
  if (length.value === LONG_NULL) return { value: null, offset: length.offset };
  return readBytes(bytes, length.offset, length.value);
}
