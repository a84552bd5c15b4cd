/** uniqueidentifier: GUIDTYPE 0x24 (MS-TDS 2.2.5.5.3). The first three groups are little-endian; values are upper-case text. */
import type { SqlValue } from '../../engine/session.ts';
import { readUInt8 } from '../bytes.ts';
import {
  byteLengthDecoder,
  byteLengthEncoder,
  type DecoderReader,
  type Encoder,
  mustBeText,
  wrongLength,
} from './codec.ts';

const GUID = 0x24;
const LENGTH = 16;
const SHAPE = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function swapGroups(bytes: Buffer): Buffer {
  bytes.subarray(0, 4).swap32();
  bytes.subarray(4, 8).swap16();
  return bytes;
}

export const uniqueidentifierEncoder: Encoder = byteLengthEncoder([GUID, LENGTH], (out, value) => {
  const text = mustBeText(value);
  if (!SHAPE.test(text)) throw new TypeError(`Cannot encode ${JSON.stringify(text)} as a uniqueidentifier`);
  out.uint8(LENGTH);
  out.raw(swapGroups(Buffer.from(text.replaceAll('-', ''), 'hex')));
});

function readGuid(value: Buffer): SqlValue {
  if (value.length !== LENGTH) wrongLength('uniqueidentifier', value.length);
  const hex = swapGroups(Buffer.from(value)).toString('hex').toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const uniqueidentifierDecoders: Readonly<Record<number, DecoderReader>> = {
  [GUID]: (bytes, at) => ({
    value: byteLengthDecoder({ name: 'uniqueidentifier' }, readGuid),
    offset: readUInt8(bytes, at).offset,
  }),
};
