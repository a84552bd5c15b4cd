/**
 * char, varchar, nchar, nvarchar: BIGCHAR 0xAF, BIGVARCHAR 0xA7, NCHAR 0xEF, NVARCHAR 0xE7 (MS-TDS 2.2.5.4.3), the max
 * types as PLP; inbound also TEXT 0x23 and NTEXT 0x63 (2.2.5.4.4), which the engine sees as max types.
 */
import type { SqlType, SqlValue } from '../../engine/session.ts';
import { readBytes, readUInt16 } from '../bytes.ts';
import { fromCodePage1252, toCodePage1252 } from './code-page.ts';
import { type DecoderReader, type Encoder, mustBeText } from './codec.ts';
import { collationBytes, DEFAULT_COLLATION, isUtf8, isUtf8Bytes } from './collation.ts';
import { readLongLength, readShortLength } from './lengths.ts';
import { readPlp, writePlp, writePlpNull } from './plp.ts';

const TypeId = { char: 0xaf, varchar: 0xa7, nchar: 0xef, nvarchar: 0xe7 } as const;
const TEXT = 0x23;
const NTEXT = 0x63;
const MAX = 0xffff;
const NULL = 0xffff;

type TextName = keyof typeof TypeId;

/** Returns the encoder of a character type; `length` counts characters for n-types and bytes for the others. */
export function textEncoder(type: { name: TextName; length: number | 'max'; collation?: string }): Encoder {
  const collation = type.collation ?? DEFAULT_COLLATION;
  const national = type.name.startsWith('n');
  const declared = type.length === 'max' ? MAX : type.length * (national ? 2 : 1);
  const info = Buffer.from([TypeId[type.name], declared & 0xff, declared >> 8, ...collationBytes(collation)]);
  const value = national ? unicodeWriter(type.length) : bytesWriter(type.length, isUtf8(collation));
  return { typeInfo: (out) => out.raw(info), value };
}

function unicodeWriter(length: number | 'max'): Encoder['value'] {
  if (length === 'max') {
    return (out, value) => {
      if (value === null) return writePlpNull(out);
      const text = mustBeText(value);
      writePlp(out, text.length * 2, () => out.unicode(text));
    };
  }
  return (out, value) => {
    if (value === null) return out.uint16(NULL);
    const text = mustBeText(value);
    out.uint16(text.length * 2);
    out.unicode(text);
  };
}

function bytesWriter(length: number | 'max', utf8: boolean): Encoder['value'] {
  const encode = utf8 ? (text: string) => Buffer.from(text, 'utf8') : toCodePage1252;
  return (out, value) => {
    if (length === 'max') {
      if (value === null) return writePlpNull(out);
      const bytes = encode(mustBeText(value));
      return writePlp(out, bytes.length, () => out.raw(bytes));
    }
    if (value === null) return out.uint16(NULL);
    const bytes = encode(mustBeText(value));
    out.uint16(bytes.length);
    out.raw(bytes);
  };
}

function decodeUnicode(bytes: Buffer): SqlValue {
  return bytes.toString('utf16le');
}

function decoderOf(collation: Buffer): (bytes: Buffer) => SqlValue {
  return isUtf8Bytes(collation) ? (bytes) => bytes.toString('utf8') : fromCodePage1252;
}

function shortType(name: TextName): DecoderReader {
  const national = name.startsWith('n');
  return (bytes, at) => {
    const declared = readUInt16(bytes, at);
    const collation = readBytes(bytes, declared.offset, 5);
    const decode = national ? decodeUnicode : decoderOf(collation.value);
    const max = declared.value === MAX;
    const type: SqlType = { name, length: max ? 'max' : declared.value / (national ? 2 : 1) };
    const read = max ? readPlp : readShortLength;
    const value = (source: Buffer, offset: number) => {
      const raw = read(source, offset);
      return { value: raw.value === null ? null : decode(raw.value), offset: raw.offset };
    };
    return { value: { type, value }, offset: collation.offset };
  };
}

function longType(name: 'varchar' | 'nvarchar'): DecoderReader {
  return (bytes, at) => {
    const collation = readBytes(bytes, at + 4, 5);
    const decode = name === 'nvarchar' ? decodeUnicode : decoderOf(collation.value);
    const value = (source: Buffer, offset: number) => {
      const raw = readLongLength(source, offset);
      return { value: raw.value === null ? null : decode(raw.value), offset: raw.offset };
    };
    return { value: { type: { name, length: 'max' }, value }, offset: collation.offset };
  };
}

export const textDecoders: Readonly<Record<number, DecoderReader>> = {
  [TypeId.char]: shortType('char'),
  [TypeId.varchar]: shortType('varchar'),
  [TypeId.nchar]: shortType('nchar'),
  [TypeId.nvarchar]: shortType('nvarchar'),
  [TEXT]: longType('varchar'),
  [NTEXT]: longType('nvarchar'),
};
