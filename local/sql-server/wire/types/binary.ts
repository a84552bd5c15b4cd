/**
 * binary and varbinary: BIGBINARY 0xAD, BIGVARBINARY 0xA5 (MS-TDS 2.2.5.4.3), varbinary(max) as PLP; inbound also
 * IMAGE 0x22, which the engine sees as varbinary(max).
 */
import type { SqlType, SqlValue } from '../../engine/session.ts';
import { readBytes, readUInt16 } from '../bytes.ts';
import type { DecoderReader, Encoder } from './codec.ts';
import { readLongLength, readShortLength } from './lengths.ts';
import { readPlp, writePlp, writePlpNull } from './plp.ts';

const TypeId = { binary: 0xad, varbinary: 0xa5 } as const;
const IMAGE = 0x22;
const MAX = 0xffff;
const NULL = 0xffff;

/** Returns the encoder of `binary` or `varbinary`. */
export function binaryEncoder(type: { name: 'binary' | 'varbinary'; length: number | 'max' }): Encoder {
  const declared = type.length === 'max' ? MAX : type.length;
  const info = Uint8Array.from([TypeId[type.name], declared & 0xff, declared >> 8]);
  return { typeInfo: (out) => out.raw(info), value: type.length === 'max' ? writeLarge : writeShort };
}

const writeLarge: Encoder['value'] = (out, value) => {
  if (value === null) return writePlpNull(out);
  const bytes = mustBeBytes(value);
  writePlp(out, bytes.length, () => out.raw(bytes));
};

const writeShort: Encoder['value'] = (out, value) => {
  if (value === null) return out.uint16(NULL);
  const bytes = mustBeBytes(value);
  out.uint16(bytes.length);
  out.raw(bytes);
};

function mustBeBytes(value: SqlValue): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new TypeError(`Cannot encode a ${typeof value} as bytes`);
  return value;
}

function shortType(name: 'binary' | 'varbinary'): DecoderReader {
  return (bytes, at) => {
    const declared = readUInt16(bytes, at);
    const max = declared.value === MAX;
    const type: SqlType = { name, length: max ? 'max' : declared.value };
    return { value: { type, value: max ? readPlp : readShortLength }, offset: declared.offset };
  };
}

export const binaryDecoders: Readonly<Record<number, DecoderReader>> = {
  [TypeId.binary]: shortType('binary'),
  [TypeId.varbinary]: shortType('varbinary'),
  [IMAGE]: (bytes, at) => ({
    value: { type: { name: 'varbinary', length: 'max' }, value: readLongLength },
    offset: readBytes(bytes, at, 4).offset,
  }),
};
