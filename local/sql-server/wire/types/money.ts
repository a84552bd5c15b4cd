/** money and smallmoney: MONEYN 0x6E, MONEY 0x3C, MONEY4 0x7A (MS-TDS 2.2.5.5.1.2): ten-thousandths; money has its high word first. */
import type { SqlType, SqlValue } from '../../engine/session.ts';
import { readUInt8 } from '../bytes.ts';
import {
  byteLengthDecoder,
  byteLengthEncoder,
  type DecoderReader,
  type Encoder,
  fixedDecoder,
  mustBeText,
  wrongLength,
} from './codec.ts';
import { fromUnits, toUnits } from './scaled.ts';

const MONEYN = 0x6e;
const SCALE = 4;

/** Returns the encoder of `money` or `smallmoney`; values are text. */
export function moneyEncoder(name: 'money' | 'smallmoney'): Encoder {
  if (name === 'smallmoney') {
    return byteLengthEncoder([MONEYN, 4], (out, value) => {
      out.uint8(4);
      out.int32(Number(toUnits(mustBeText(value), SCALE)));
    });
  }
  return byteLengthEncoder([MONEYN, 8], (out, value) => {
    const units = toUnits(mustBeText(value), SCALE);
    out.uint8(8);
    out.int32(Number(units >> 32n));
    out.uint32(Number(units & 0xffff_ffffn));
  });
}

function typeOfLength(length: number): SqlType {
  if (length === 4) return { name: 'smallmoney' };
  if (length === 8) return { name: 'money' };
  return wrongLength('money', length);
}

function readMoney(value: Buffer): SqlValue {
  if (value.length === 4) return fromUnits(BigInt(value.readInt32LE(0)), SCALE);
  if (value.length !== 8) return wrongLength('money', value.length);
  return fromUnits((BigInt(value.readInt32LE(0)) << 32n) | BigInt(value.readUInt32LE(4)), SCALE);
}

export const moneyDecoders: Readonly<Record<number, DecoderReader>> = {
  [MONEYN]: (bytes, at) => {
    const { value: length, offset } = readUInt8(bytes, at);
    return { value: byteLengthDecoder(typeOfLength(length), readMoney), offset };
  },
  60: (_bytes, offset) => ({ value: fixedDecoder({ name: 'money' }, 8, readMoney), offset }),
  122: (_bytes, offset) => ({ value: fixedDecoder({ name: 'smallmoney' }, 4, readMoney), offset }),
};
