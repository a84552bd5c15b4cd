/** What each family of types provides: an encoder per column or output parameter, a decoder per parameter. */
import type { SqlType, SqlValue } from '../../engine/session.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { type Read, readBytes, readUInt8 } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';

/** Writes one type: its TYPE_INFO (MS-TDS 2.2.5.6), then any number of values. */
export interface Encoder {
  typeInfo(out: ByteWriter): void;
  value(out: ByteWriter, value: SqlValue): void;
  /** The same type in a column that is never NULL (FIXEDLENTYPE), where it has one. */
  readonly fixed?: Encoder;
}

/** Reads the values of one type, which its TYPE_INFO has told. */
export interface Decoder {
  readonly type: SqlType;
  value(bytes: Buffer, offset: number): Read<SqlValue>;
}

/** Reads the rest of a TYPE_INFO, behind its first byte. */
export type DecoderReader = (bytes: Buffer, offset: number) => Read<Decoder>;

/** The readers of a family, by the first byte of TYPE_INFO. */
export type Decoders = Readonly<Record<number, DecoderReader>>;

/**
 * Creates an encoder of values of one length, which a byte before them tells: 0 for NULL (BYTELEN_TYPE). `fixed` is the
 * number of the same type without that byte.
 */
export function byteLengthEncoder(
  typeInfo: readonly number[],
  length: number,
  write: (out: ByteWriter, value: Exclude<SqlValue, null>) => void,
  fixed?: number,
): Encoder {
  const value: Encoder['value'] = (out, value) => {
    out.uint8(value === null ? 0 : length);
    if (value !== null) write(out, value);
  };
  const encoder = { typeInfo: (out: ByteWriter) => out.uint8s(typeInfo), value };
  return fixed === undefined ? encoder : { ...encoder, fixed: fixedEncoder(fixed, write) };
}

function fixedEncoder(id: number, write: (out: ByteWriter, value: Exclude<SqlValue, null>) => void): Encoder {
  const value: Encoder['value'] = (out, value) => {
    if (value === null) throw new TypeError('Cannot encode NULL in a column that is never NULL');
    write(out, value);
  };
  return { typeInfo: (out) => out.uint8(id), value };
}

/** Creates the decoder of such values, of any of some lengths; `read` gets exactly the value's bytes. */
export function byteLengthDecoder(
  type: SqlType,
  lengths: readonly number[],
  read: (value: Buffer) => SqlValue,
): Decoder {
  const value: Decoder['value'] = (bytes, at) => {
    const found = readUInt8(bytes, at);
    if (found.value === 0) return { value: null, offset: found.offset };
    if (!lengths.includes(found.value))
      throw new ProtocolError(`Cannot read a ${type.name} of ${found.value} bytes`);
    const { value: raw, offset } = readBytes(bytes, found.offset, found.value);
    return { value: read(raw), offset };
  };
  return { type, value };
}

interface Size {
  readonly type: SqlType;
  /** The number of the same type in a column that is never NULL: it stands without lengths (FIXEDLENTYPE). */
  readonly fixed?: number;
  readonly read: (value: Buffer) => SqlValue;
}

/** Creates the decoders of types that share the number `id` and differ by the length of their values, in bytes. */
export function sizedDecoders(id: number, sizes: Readonly<Record<number, Size>>): Decoders {
  const decoders: Record<number, DecoderReader> = {};
  decoders[id] = (bytes, at) => {
    const { value: length, offset } = readUInt8(bytes, at);
    const size = sizes[length];
    if (!size) throw new ProtocolError(`Cannot read a type: 0x${id.toString(16)} has no length of ${length}`);
    return { value: byteLengthDecoder(size.type, [length], size.read), offset };
  };
  for (const [length, { type, fixed, read }] of Object.entries(sizes)) {
    if (fixed !== undefined) decoders[fixed] = fixedDecoder(type, Number(length), read);
  }
  return decoders;
}

function fixedDecoder(type: SqlType, length: number, read: Size['read']): DecoderReader {
  const value: Decoder['value'] = (bytes, at) => {
    const { value: raw, offset } = readBytes(bytes, at, length);
    return { value: read(raw), offset };
  };
  return (_bytes, offset) => ({ value: { type, value }, offset });
}

/** Creates a decoder of values whose bytes `raw` finds, `null` for NULL. */
export function rawDecoder(
  type: SqlType,
  raw: (bytes: Buffer, at: number) => Read<Buffer | null>,
  decode: (value: Buffer) => SqlValue,
): Decoder {
  const value: Decoder['value'] = (bytes, at) => {
    const found = raw(bytes, at);
    return { value: found.value && decode(found.value), offset: found.offset };
  };
  return { type, value };
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
