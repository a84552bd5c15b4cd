/** tinyint, smallint, int, bigint: INTN 0x26, INT1 0x30, INT2 0x34, INT4 0x38, INT8 0x7F (MS-TDS 2.2.5.5.1.1). */
import { byteLengthEncoder, mustBeNumber, sizedDecoders } from './codec.ts';

const INTN = 0x26;

/** Values are numbers; of bigint they are bigints, or numbers too. */
export const integerEncoders = {
  tinyint: byteLengthEncoder([INTN, 1], 1, (out, value) => out.uint8(mustBeNumber(value)), 0x30),
  smallint: byteLengthEncoder([INTN, 2], 2, (out, value) => out.int16(mustBeNumber(value)), 0x34),
  int: byteLengthEncoder([INTN, 4], 4, (out, value) => out.int32(mustBeNumber(value)), 0x38),
  bigint: byteLengthEncoder(
    [INTN, 8],
    8,
    (out, value) => out.int64(typeof value === 'bigint' ? value : BigInt(mustBeNumber(value))),
    0x7f,
  ),
};

export const integerDecoders = sizedDecoders(INTN, {
  1: { type: { name: 'tinyint' }, fixed: 0x30, read: (value) => value.readUInt8(0) },
  2: { type: { name: 'smallint' }, fixed: 0x34, read: (value) => value.readInt16LE(0) },
  4: { type: { name: 'int' }, fixed: 0x38, read: (value) => value.readInt32LE(0) },
  8: { type: { name: 'bigint' }, fixed: 0x7f, read: (value) => value.readBigInt64LE(0) },
});
