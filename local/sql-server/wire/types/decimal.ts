/** decimal and numeric: DECIMALN 0x6A, NUMERICN 0x6C (MS-TDS 2.2.5.5.1.6): sign, then the magnitude in 4, 8, 12 or 16 bytes. */
import type { SqlValue } from '../../engine/session.ts';
import { readBytes } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';
import {
  byteLengthDecoder,
  byteLengthEncoder,
  type DecoderReader,
  type Encoder,
  mustBeText,
  wrongLength,
} from './codec.ts';
import { fromUnits, toUnits } from './scaled.ts';

const DECIMALN = 0x6a;
const NUMERICN = 0x6c;
const WORD = 32n;
const WORD_MASK = (1n << WORD) - 1n;

/** Returns how many bytes the magnitude takes at a precision of 1 to 38 digits. */
function magnitudeLength(precision: number): number {
  if (precision <= 9) return 4;
  if (precision <= 19) return 8;
  if (precision <= 28) return 12;
  return 16;
}

/** Returns the encoder of `decimal(precision, scale)`; values are text. */
export function decimalEncoder(precision: number, scale: number): Encoder {
  const length = magnitudeLength(precision);
  return byteLengthEncoder([DECIMALN, length + 1, precision, scale], (out, value) => {
    const units = toUnits(mustBeText(value), scale);
    out.uint8(length + 1);
    out.uint8(units < 0n ? 0 : 1);
    let magnitude = units < 0n ? -units : units;
    for (let at = 0; at < length; at += 4) {
      out.uint32(Number(magnitude & WORD_MASK));
      magnitude >>= WORD;
    }
    if (magnitude !== 0n)
      throw new RangeError(`Cannot encode a decimal: it has more than ${precision} digits`);
  });
}

function readDecimal(value: Buffer, scale: number): SqlValue {
  const length = value.length - 1;
  if (length < 4 || length > 16 || length % 4 !== 0) wrongLength('decimal', value.length);
  let magnitude = 0n;
  for (let at = length - 3; at >= 1; at -= 4)
    magnitude = (magnitude << WORD) | BigInt(value.readUInt32LE(at));
  return fromUnits(value[0] === 0 ? -magnitude : magnitude, scale);
}

const readDecimalType: DecoderReader = (bytes, at) => {
  const { value: info, offset } = readBytes(bytes, at, 3);
  const [, precision = 0, scale = 0] = info;
  if (precision < 1 || precision > 38 || scale > precision) {
    throw new ProtocolError(`Cannot read a decimal type: precision ${precision}, scale ${scale}`);
  }
  const type = { name: 'decimal', precision, scale } as const;
  return { value: byteLengthDecoder(type, (value) => readDecimal(value, scale)), offset };
};

export const decimalDecoders: Readonly<Record<number, DecoderReader>> = {
  [DECIMALN]: readDecimalType,
  [NUMERICN]: readDecimalType,
};
