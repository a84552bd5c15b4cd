/** real and float: FLTN 0x6D, FLT4 0x3B, FLT8 0x3E (MS-TDS 2.2.5.5.1.5). */
import { byteLengthEncoder, mustBeNumber, sizedDecoders } from './codec.ts';

const FLTN = 0x6d;

export const floatEncoders = {
  real: byteLengthEncoder([FLTN, 4], 4, (out, value) => out.float32(mustBeNumber(value)), 0x3b),
  float: byteLengthEncoder([FLTN, 8], 8, (out, value) => out.float64(mustBeNumber(value)), 0x3e),
};

export const floatDecoders = sizedDecoders(FLTN, {
  4: { type: { name: 'real' }, fixed: 0x3b, read: (value) => value.readFloatLE(0) },
  8: { type: { name: 'float' }, fixed: 0x3e, read: (value) => value.readDoubleLE(0) },
});
