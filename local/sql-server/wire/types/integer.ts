/** tinyint, smallint, int, bigint: INTN 0x26, INT1 0x30, INT2 0x34, INT4 0x38, INT8 0x7F (MS-TDS 2.2.5.5.1.1). */
import type { SqlType, SqlValue } from '../../engine/session.ts';
import { readUInt8 } from '../bytes.ts';
import {
  byteLengthDecoder,
  byteLengthEncoder,
  type Decoder,
  type DecoderReader,
  type Encoder,
  fixedDecoder,
  mustBeNumber,
  wrongLength,
} from './codec.ts';

const INTN = 0x26;

/** Returns the encoder of an integer type; values are numbers, of bigint also bigints. */
export function integerEncoder(name: 'tinyint' | 'smallint' | 'int' | 'bigint'): Encoder {
  switch (name) {
    case 'tinyint':
      return byteLengthEncoder([INTN, 1], (out, value) => {
        out.uint8(1);
        out.uint8(mustBeNumber(value));
      });
    case 'smallint':
      return byteLengthEncoder([INTN, 2], (out, value) => {
        out.uint8(2);
        out.int16(mustBeNumber(value));
      });
    case 'int':
      return byteLengthEncoder([INTN, 4], (out, value) => {
        out.uint8(4);
        out.int32(mustBeNumber(value));
      });
    case 'bigint':
      return byteLengthEncoder([INTN, 8], (out, value) => {
        out.uint8(8);
        out.int64(typeof value === 'bigint' ? value : BigInt(mustBeNumber(value)));
      });
  }
}

const TYPES: Readonly<Record<number, SqlType>> = {
  1: { name: 'tinyint' },
  2: { name: 'smallint' },
  4: { name: 'int' },
  8: { name: 'bigint' },
};

function readInteger(value: Buffer): SqlValue {
  switch (value.length) {
    case 1:
      return value.readUInt8(0);
    case 2:
      return value.readInt16LE(0);
    case 4:
      return value.readInt32LE(0);
    case 8:
      return value.readBigInt64LE(0);
    default:
      return wrongLength('integer', value.length);
  }
}

function typeOfLength(length: number): SqlType {
  return TYPES[length] ?? wrongLength('integer', length);
}

function fixed(length: number): DecoderReader {
  const decoder: Decoder = fixedDecoder(typeOfLength(length), length, readInteger);
  return (_bytes, offset) => ({ value: decoder, offset });
}

export const integerDecoders: Readonly<Record<number, DecoderReader>> = {
  [INTN]: (bytes, at) => {
    const { value: length, offset } = readUInt8(bytes, at);
    return { value: byteLengthDecoder(typeOfLength(length), readInteger), offset };
  },
  48: fixed(1),
  52: fixed(2),
  56: fixed(4),
  127: fixed(8),
};
