/**
 * binary and varbinary: BIGBINARY 0xAD, BIGVARBINARY 0xA5 (MS-TDS 2.2.5.4.3), varbinary(max) as PLP; inbound also
 * IMAGE 0x22, which the engine sees as varbinary(max).
 */
import type { SqlValue } from '../../engine/session.ts';
import { readBytes, readUInt16 } from '../bytes.ts';
import { type DecoderReader, type Decoders, type Encoder, rawDecoder } from './codec.ts';
import { MAX_LENGTH, rawWriter, readLongLength, readShortLength } from './lengths.ts';
import { readPlp } from './plp.ts';

const TypeId = { binary: 0xad, varbinary: 0xa5 } as const;
const IMAGE = 0x22;

/** Returns the encoder of `binary` or `varbinary`. */
export function binaryEncoder(name: 'binary' | 'varbinary', length: number | 'max'): Encoder {
  const declared = length === 'max' ? MAX_LENGTH : length;
  const typeInfo = [TypeId[name], declared & 0xff, declared >> 8];
  return { typeInfo: (out) => out.uint8s(typeInfo), value: rawWriter(length === 'max', mustBeBytes) };
}

function mustBeBytes(value: SqlValue): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new TypeError(`Cannot encode a ${typeof value} as bytes`);
  return value;
}

function shortType(name: 'binary' | 'varbinary'): DecoderReader {
  return (bytes, at) => {
    const { value: declared, offset } = readUInt16(bytes, at);
    const max = declared === MAX_LENGTH;
    const type = { name, length: max ? 'max' : declared } as const;
    return { value: rawDecoder(type, max ? readPlp : readShortLength, (value) => value), offset };
  };
}

const readImageType: DecoderReader = (bytes, at) => ({
  value: rawDecoder({ name: 'varbinary', length: 'max' }, readLongLength, (value) => value),
  offset: readBytes(bytes, at, 4).offset,
});

export const binaryDecoders: Decoders = {
  [TypeId.binary]: shortType('binary'),
  [TypeId.varbinary]: shortType('varbinary'),
  [IMAGE]: readImageType,
};
