/** Readers of the protocol's basic fields (MS-TDS 2.2.5.1): bytes and offset in, value and next offset out. */
import { ProtocolError } from './protocol-error.ts';

/** A decoded value and the offset of the byte behind it. */
export interface Read<T> {
  readonly value: T;
  readonly offset: number;
}

/** Throws a `ProtocolError` when the message ends before `length` bytes. */
function mustHold(bytes: Buffer, offset: number, length: number): void {
  const missing = offset + length - bytes.length;
  if (missing > 0) throw new ProtocolError(`Cannot read a message: ${missing} bytes are missing at its end`);
}

/** Returns `length` bytes as a view; throws a `ProtocolError` when the message ends before, as all readers do. */
export function readBytes(bytes: Buffer, offset: number, length: number): Read<Buffer> {
  mustHold(bytes, offset, length);
  return { value: bytes.subarray(offset, offset + length), offset: offset + length };
}

/** Reads a BYTE. */
export function readUInt8(bytes: Buffer, offset: number): Read<number> {
  mustHold(bytes, offset, 1);
  return { value: bytes.readUInt8(offset), offset: offset + 1 };
}

/** Reads a USHORT. */
export function readUInt16(bytes: Buffer, offset: number): Read<number> {
  mustHold(bytes, offset, 2);
  return { value: bytes.readUInt16LE(offset), offset: offset + 2 };
}

/** Reads a ULONG or DWORD. */
export function readUInt32(bytes: Buffer, offset: number): Read<number> {
  mustHold(bytes, offset, 4);
  return { value: bytes.readUInt32LE(offset), offset: offset + 4 };
}

/** Reads a ULONGLONG. */
export function readUInt64(bytes: Buffer, offset: number): Read<bigint> {
  mustHold(bytes, offset, 8);
  return { value: bytes.readBigUInt64LE(offset), offset: offset + 8 };
}

/**
 * Returns UTF-16 text. An odd number of bytes is a `ProtocolError`, and must never reach `toString`: from an odd address Node 24.21 then
 * writes a byte behind its buffer. That ends the process sooner or later.
 */
export function unicode(bytes: Buffer): string {
  if (bytes.length % 2 !== 0)
    throw new ProtocolError(`Cannot read text of ${bytes.length} bytes: they are odd`);
  return bytes.toString('utf16le');
}

/** Reads UTF-16 text of `length` code units. */
export function readUnicode(bytes: Buffer, offset: number, length: number): Read<string> {
  const read = readBytes(bytes, offset, length * 2);
  return { value: unicode(read.value), offset: read.offset };
}

/** Reads a B_VARCHAR: a byte that counts characters, then UTF-16. */
export function readShortText(bytes: Buffer, offset: number): Read<string> {
  const length = readUInt8(bytes, offset);
  return readUnicode(bytes, length.offset, length.value);
}
