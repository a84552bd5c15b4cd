/** Values behind a length of two bytes (USHORTLEN_TYPE) or four (LONGLEN_TYPE), MS-TDS 2.2.5.2.2. */
import { type Read, readBytes, readUInt16, readUInt32 } from '../bytes.ts';

const SHORT_NULL = 0xffff;
const LONG_NULL = 0xffff_ffff;

export function readShortLength(bytes: Buffer, at: number): Read<Buffer | null> {
  const length = readUInt16(bytes, at);
  if (length.value === SHORT_NULL) return { value: null, offset: length.offset };
  return readBytes(bytes, length.offset, length.value);
}

export function readLongLength(bytes: Buffer, at: number): Read<Buffer | null> {
  const length = readUInt32(bytes, at);
  if (length.value === LONG_NULL) return { value: null, offset: length.offset };
  return readBytes(bytes, length.offset, length.value);
}
