/** real and float: FLTN 0x6D, FLT4 0x3B, FLT8 0x3E (MS-TDS 2.2.5.5.1.5). */
import type { SqlType, SqlValue } from '../../engine/session.ts';
import { readUInt8 } from '../bytes.ts';
import {
  byteLengthDecoder,
  byteLengthEncoder,
  type DecoderReader,
  type Encoder,
  fixedDecoder,
  mustBeNumber,
  wrongLength,
} from './codec.ts';

const FLTN = 0x6d;

/** Returns the encoder of `real` (4 bytes) or `float` (8 bytes). */
export function floatEncoder(name: 'real' | 'float'): Encoder {
  if (name === 'real') {
    return byteLengthEncoder([FLTN, 4], (out, value) => {
      out.uint8(4);
      out.float32(mustBeNumber(value));
    });
  }
  return byteLengthEncoder([FLTN, 8], (out, value) => {
    out.uint8(8);
    out.float64(mustBeNumber(value));
  });
}

function typeOfLength(length: number): SqlType {
  if (length === 4) return { name: 'real' };
  if (length === 8) return { name: 'float' };
  return wrongLength('float', length);
}

function readFloat(value: Buffer): SqlValue {
  if (value.length === 4) return value.readFloatLE(0);
  if (value.length === 8) return value.readDoubleLE(0);
  return wrongLength('float', value.length);
}

export const floatDecoders: Readonly<Record<number, DecoderReader>> = {
  [FLTN]: (bytes, at) => {
    const { value: length, offset } = readUInt8(bytes, at);
    return { value: byteLengthDecoder(typeOfLength(length), readFloat), offset };
  },
  59: (_bytes, offset) => ({ value: fixedDecoder({ name: 'real' }, 4, readFloat), offset }),
  62: (_bytes, offset) => ({ value: fixedDecoder({ name: 'float' }, 8, readFloat), offset }),
};
