/**
 * money and smallmoney: MONEYN 0x6E, MONEY 0x3C, MONEY4 0x7A (MS-TDS 2.2.5.5.1.2): ten-thousandths, of money the high
 * word first. Values are text.
 */
import { byteLengthEncoder, mustBeText, sizedDecoders } from './codec.ts';
import { fromUnits, toUnits } from './scaled.ts';

const MONEYN = 0x6e;
const SCALE = 4;
const WORD = 32n;
const WORD_MASK = (1n << WORD) - 1n;

export const moneyEncoders = {
  smallmoney: byteLengthEncoder(
    [MONEYN, 4],
    4,
    (out, value) => out.int32(Number(toUnits(mustBeText(value), SCALE))),
    0x7a,
  ),
  money: byteLengthEncoder(
    [MONEYN, 8],
    8,
    (out, value) => {
      const units = toUnits(mustBeText(value), SCALE);
      out.int32(Number(units >> WORD));
      out.uint32(Number(units & WORD_MASK));
    },
    0x3c,
  ),
};

function readMoney(value: Buffer): string {
  return fromUnits((BigInt(value.readInt32LE(0)) << WORD) | BigInt(value.readUInt32LE(4)), SCALE);
}

export const moneyDecoders = sizedDecoders(MONEYN, {
  4: {
    type: { name: 'smallmoney' },
    fixed: 0x7a,
    read: (value) => fromUnits(BigInt(value.readInt32LE(0)), SCALE),
  },
  8: { type: { name: 'money' }, fixed: 0x3c, read: readMoney },
});
