/** bit: BITN 0x68, BIT 0x32 (MS-TDS 2.2.5.5.1.1). Values are 0 and 1. */
import type { SqlValue } from '../../engine/session.ts';
import { readUInt8 } from '../bytes.ts';
import {
  byteLengthDecoder,
  byteLengthEncoder,
  type DecoderReader,
  type Encoder,
  fixedDecoder,
  wrongLength,
} from './codec.ts';

const BITN = 0x68;
const TYPE = { name: 'bit' } as const;

export const bitEncoder: Encoder = byteLengthEncoder([BITN, 1], (out, value) => {
  out.uint8(1);
  out.uint8(value === 0 ? 0 : 1);
});

function readBit(value: Buffer): SqlValue {
  if (value.length !== 1) wrongLength('bit', value.length);
  return value[0] === 0 ? 0 : 1;
}

export const bitDecoders: Readonly<Record<number, DecoderReader>> = {
  [BITN]: (bytes, at) => ({ value: byteLengthDecoder(TYPE, readBit), offset: readUInt8(bytes, at).offset }),
  50: (_bytes, offset) => ({ value: fixedDecoder(TYPE, 1, readBit), offset }),
};
