/**
 * char, varchar, nchar, nvarchar: BIGCHAR 0xAF, BIGVARCHAR 0xA7, NCHAR 0xEF, NVARCHAR 0xE7 (MS-TDS 2.2.5.4.3), the max types as PLP.
 * Inbound also TEXT 0x23 and NTEXT 0x63 (2.2.5.4.4), which the engine sees as max types.
 */
import type { ByteWriter } from '../byte-writer.ts';
import { readBytes, readUInt16, unicode } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';
import { fromCodePage1252, toCodePage1252 } from './code-page.ts';
import { type DecoderReader, type Decoders, type Encoder, mustBeText, rawDecoder } from './codec.ts';
import { collationBytes, DEFAULT_COLLATION, isUtf8, isUtf8Bytes } from './collation.ts';
import { MAX_LENGTH, rawWriter, readLongLength, readShortLength } from './lengths.ts';
import { readPlp } from './plp.ts';

const TypeId = { char: 0xaf, varchar: 0xa7, nchar: 0xef, nvarchar: 0xe7 } as const;
const TEXT = 0x23;
const NTEXT = 0x63;
const COLLATION_LENGTH = 5;

interface TextType {
  readonly name: keyof typeof TypeId;
  readonly length: number | 'max';
  readonly collation?: string;
}

/** Returns the encoder of a character type; its `length` counts characters for n-types and bytes for the others. */
export function textEncoder({ name, length, collation = DEFAULT_COLLATION }: TextType): Encoder {
  const national = isNational(name);
  const declared = length === 'max' ? MAX_LENGTH : length * (national ? 2 : 1);
  const typeInfo = (out: ByteWriter) => {
    out.uint8(TypeId[name]);
    out.uint16(declared);
    out.raw(collationBytes(collation));
  };
  const utf8 = isUtf8(collation);
  const encode = national ? toUtf16 : utf8 ? toUtf8 : toCodePage1252;
  return { typeInfo, value: rawWriter(length === 'max', (value) => encode(mustBeText(value))) };
}

function toUtf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

function toUtf8(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}

function isNational(name: string): boolean {
  return name.startsWith('n');
}

function decoding(name: TextType['name'], collation: Buffer): (value: Buffer) => string {
  if (isNational(name)) return unicode;
  return isUtf8Bytes(collation) ? (value) => value.toString('utf8') : fromCodePage1252;
}

function shortType(name: TextType['name']): DecoderReader {
  return (bytes, at) => {
    const declared = readUInt16(bytes, at);
    const collation = readBytes(bytes, declared.offset, COLLATION_LENGTH);
    const max = declared.value === MAX_LENGTH;
    const length = max ? 'max' : declared.value / (isNational(name) ? 2 : 1);
    if (!max && !Number.isInteger(length)) throw new ProtocolError(`Cannot read a type: ${name}(${length})`);
    const decode = decoding(name, collation.value);
    const value = rawDecoder({ name, length }, max ? readPlp : readShortLength, decode);
    return { value, offset: collation.offset };
  };
}

function longType(name: 'varchar' | 'nvarchar'): DecoderReader {
  return (bytes, at) => {
    const declared = readBytes(bytes, at, 4);
    const collation = readBytes(bytes, declared.offset, COLLATION_LENGTH);
    const decode = decoding(name, collation.value);
    return { value: rawDecoder({ name, length: 'max' }, readLongLength, decode), offset: collation.offset };
  };
}

export const textDecoders: Decoders = {
  [TypeId.char]: shortType('char'),
  [TypeId.varchar]: shortType('varchar'),
  [TypeId.nchar]: shortType('nchar'),
  [TypeId.nvarchar]: shortType('nvarchar'),
  [TEXT]: longType('varchar'),
  [NTEXT]: longType('nvarchar'),
};
