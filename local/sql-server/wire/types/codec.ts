/** What each family of types provides: an encoder per column or output parameter, a decoder per parameter. */
import type { SqlType, SqlValue } from '../../engine/session.ts';
import type { ByteWriter } from '../byte-writer.ts';
import type { Read } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';

/** Writes one type: its TYPE_INFO (MS-TDS 2.2.5.6), then any number of values. */
export interface Encoder {
  typeInfo(out: ByteWriter): void;
  value(out: ByteWriter, value: SqlValue): void;
}

/** Reads the values of one type, which its TYPE_INFO has told. */
export interface Decoder {
  readonly type: SqlType;
  value(bytes: Buffer, offset: number): Read<SqlValue>;
}

/** Reads the rest of a TYPE_INFO, behind its first byte. */
export type DecoderReader = (bytes: Buffer, offset: number) => Read<Decoder>;

/** Makes an encoder for types whose values stand behind one length byte, which is 0 for NULL (BYTELEN_TYPE). */
export function byteLengthEncoder(
  typeInfo: readonly number[],
  write: (out: ByteWriter, value: Exclude<SqlValue, null>) => void,
): Encoder {
  const info = Uint8Array.from(typeInfo);
  return {
    typeInfo: (out) => out.raw(info),
    value: (out, value) => (value === null ? out.uint8(0) : write(out, value)),
  };
}

/** Reads a value behind one length byte; `read` gets exactly the value's bytes. */
export function byteLengthDecoder(type: SqlType, read: (value: Buffer) => SqlValue): Decoder {
  return {
    type,
    value: (bytes, offset) => {
      const length = bytes[offset];
      if (length === undefined || offset + 1 + length > bytes.length) {
        throw new ProtocolError(`Cannot read a ${type.name}: the message ends before it`);
      }
      const end = offset + 1 + length;
      return { value: length === 0 ? null : read(bytes.subarray(offset + 1, end)), offset: end };
    },
  };
}

/** Reads a value of a fixed length without a length byte (FIXEDLENTYPE). */
export function fixedDecoder(type: SqlType, length: number, read: (value: Buffer) => SqlValue): Decoder {
  return {
    type,
    value: (bytes, offset) => {
      const end = offset + length;
      if (end > bytes.length) {
        throw new ProtocolError(`Cannot read a ${type.name}: the message ends before it`);
      }
      return { value: read(bytes.subarray(offset, end)), offset: end };
    },
  };
}

/** Refuses a value whose length does not fit its type. */
export function wrongLength(type: string, length: number): never {
  throw new ProtocolError(`Cannot read a ${type}: its length is ${length}`);
}

/** Returns the value as text; an engine that hands out anything else is at fault. */
export function mustBeText(value: SqlValue): string {
  if (typeof value !== 'string') throw new TypeError(`Cannot encode a ${typeof value} as text`);
  return value;
}

/** Returns the value as a number; an engine that hands out anything else is at fault. */
export function mustBeNumber(value: SqlValue): number {
  if (typeof value !== 'number') throw new TypeError(`Cannot encode a ${typeof value} as a number`);
  return value;
}
