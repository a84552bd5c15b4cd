/** decimal and numeric: DECIMALN 0x6A, NUMERICN 0x6C (MS-TDS 2.2.5.5.1.6): sign, then the magnitude in 4, 8, 12 or 16 bytes. */
import { readBytes } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';
import {
  byteLengthDecoder,
  byteLengthEncoder,
  type DecoderReader,
  type Decoders,
  type Encoder,
  mustBeText,
} from './codec.ts';
import { fromUnits, toUnits } from './scaled.ts';

const DECIMALN = 0x6a;
const NUMERICN = 0x6c;
const MAX_DIGITS = 38;
/** The lengths that values may have, for any precision. */
const LENGTHS = [5, 9, 13, 17];
const WORD = 32n;
const WORD_MASK = (1n << WORD) - 1n;

/** Bytes of a value, its sign included. */
function valueLength(precision: number): number {
  if (precision <= 9) return 5;
  if (precision <= 19) return 9;
  return precision <= 28 ? 13 : 17;
}

/** Returns the encoder of `decimal(precision, scale)`; values are text. */
export function decimalEncoder({ precision, scale }: { precision: number; scale: number }): Encoder {
  const length = valueLength(precision);
  return byteLengthEncoder([DECIMALN, length, precision, scale], length, (out, value) => {
    const units = toUnits(mustBeText(value), scale);
    let magnitude = units < 0n ? -units : units;
    out.uint8(units < 0n ? 0 : 1);
    for (let at = 1; at < length; at += 4) {
      out.uint32(Number(magnitude & WORD_MASK));
      magnitude >>= WORD;
    }
    if (magnitude !== 0n)
      throw new RangeError(`Cannot encode a decimal: it has more than ${precision} digits`);
  });
}

function readDecimal(value: Buffer, scale: number): string {
  let magnitude = 0n;
  for (let at = value.length - 4; at >= 1; at -= 4) {
    magnitude = (magnitude << WORD) | BigInt(value.readUInt32LE(at));
  }
  return fromUnits(value[0] === 0 ? -magnitude : magnitude, scale);
}

const readDecimalType: DecoderReader = (bytes, at) => {
  const { value: info, offset } = readBytes(bytes, at, 3);
  const [, precision = 0, scale = 0] = info;
  if (precision < 1 || precision > MAX_DIGITS || scale > precision) {
    throw new ProtocolError(`Cannot read a decimal type: precision ${precision}, scale ${scale}`);
  }
  const type = { name: 'decimal', precision, scale } as const;
  return {
    value: byteLengthDecoder(type, LENGTHS, (value) => readDecimal(value, scale)),
    offset,
  };
};

export const decimalDecoders: Decoders = { [DECIMALN]: readDecimalType, [NUMERICN]: readDecimalType };
