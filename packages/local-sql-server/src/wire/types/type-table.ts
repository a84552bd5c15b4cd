/** All data types in one place (MS-TDS 2.2.5.5): the encoder of a type, and the decoder that a TYPE_INFO asks for. */
import type { SqlType } from '../../engine/session.ts';
import { type Read, readUInt8 } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';
import { binaryDecoders, binaryEncoder } from './binary.ts';
import { bitDecoders, bitEncoders } from './bit.ts';
import type { Decoder, DecoderReader, Decoders, Encoder } from './codec.ts';
import { dateEncoders, dateTimeDecoders, scaledTimeEncoder } from './date-time.ts';
import { datetimeDecoders, datetimeEncoders } from './datetime.ts';
import { decimalDecoders, decimalEncoder } from './decimal.ts';
import { floatDecoders, floatEncoders } from './float.ts';
import { integerDecoders, integerEncoders } from './integer.ts';
import { moneyDecoders, moneyEncoders } from './money.ts';
import { textDecoders, textEncoder } from './text.ts';
import { uniqueidentifierDecoders, uniqueidentifierEncoders } from './uniqueidentifier.ts';

/** The encoders of types without precision, scale or length. */
const PLAIN_ENCODERS = {
  ...bitEncoders,
  ...integerEncoders,
  ...floatEncoders,
  ...moneyEncoders,
  ...dateEncoders,
  ...datetimeEncoders,
  ...uniqueidentifierEncoders,
};

/** NULL without a type (NULLTYPE 0x1F); it converts to anything, so the engine sees it as an int. */
const untypedNull: DecoderReader = (_bytes, offset) => ({
  value: { type: { name: 'int' }, value: (_source, at) => ({ value: null, offset: at }) },
  offset,
});

const DECODERS: Decoders = {
  31: untypedNull,
  ...bitDecoders,
  ...integerDecoders,
  ...floatDecoders,
  ...decimalDecoders,
  ...moneyDecoders,
  ...textDecoders,
  ...binaryDecoders,
  ...dateTimeDecoders,
  ...datetimeDecoders,
  ...uniqueidentifierDecoders,
};

const UNSUPPORTED: Readonly<Record<number, string>> = {
  98: 'sql_variant',
  240: 'CLR types',
  241: 'xml',
  243: 'table-valued parameters',
};

/** A parameter of a type that SQL Server has and this server does not; the request fails, the connection lives on. */
export class UnsupportedType extends Error {
  override readonly name = 'UnsupportedType';
}

/** Returns the encoder of a type. */
export function encoderOf(type: SqlType): Encoder {
  switch (type.name) {
    case 'decimal':
      return decimalEncoder(type);
    case 'time':
    case 'datetime2':
    case 'datetimeoffset':
      return scaledTimeEncoder(type);
    case 'binary':
    case 'varbinary':
      return binaryEncoder(type.name, type.length);
    case 'char':
    case 'varchar':
    case 'nchar':
    case 'nvarchar':
      return textEncoder({ ...type, name: type.name });
    default:
      return PLAIN_ENCODERS[type.name];
  }
}

/** Reads a TYPE_INFO; throws `UnsupportedType` for a type of SQL Server that this server lacks. */
export function readDecoder(bytes: Buffer, at: number): Read<Decoder> {
  const { value: id, offset } = readUInt8(bytes, at);
  const reader = DECODERS[id];
  if (reader) return reader(bytes, offset);
  const name = UNSUPPORTED[id];
  if (name) throw new UnsupportedType(`${name} are not supported by the local SQL server`);
  throw new ProtocolError(`Cannot read a type: there is none with the number ${id}`);
}
