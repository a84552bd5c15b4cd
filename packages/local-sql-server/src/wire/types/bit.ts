/** bit: BITN 0x68, BIT 0x32 (MS-TDS 2.2.5.5.1.1). Values are 0 and 1. */
import { byteLengthEncoder, sizedDecoders } from './codec.ts';

const BITN = 0x68;

export const bitEncoders = {
  bit: byteLengthEncoder([BITN, 1], 1, (out, value) => out.uint8(value === 0 ? 0 : 1), 0x32),
};

export const bitDecoders = sizedDecoders(BITN, {
  1: { type: { name: 'bit' }, fixed: 0x32, read: (value) => (value[0] === 0 ? 0 : 1) },
});
