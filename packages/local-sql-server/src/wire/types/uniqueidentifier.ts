/** uniqueidentifier: GUIDTYPE 0x24 (MS-TDS 2.2.5.5.3). The first three groups are little-endian; values are upper-case text. */
import { byteLengthEncoder, mustBeText, sizedDecoders } from './codec.ts';

const GUID = 0x24;
const LENGTH = 16;
const SHAPE = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function swapGroups(bytes: Buffer): Buffer {
  bytes.subarray(0, 4).swap32();
  bytes.subarray(4, 8).swap16();
  return bytes;
}

function readGuid(value: Buffer): string {
  const hex = swapGroups(Buffer.from(value)).toString('hex').toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const uniqueidentifierEncoders = {
  uniqueidentifier: byteLengthEncoder([GUID, LENGTH], LENGTH, (out, value) => {
    const text = mustBeText(value);
    if (!SHAPE.test(text)) throw new TypeError(`Cannot encode ${JSON.stringify(text)} as a uniqueidentifier`);
    out.raw(swapGroups(Buffer.from(text.replaceAll('-', ''), 'hex')));
  }),
};

export const uniqueidentifierDecoders = sizedDecoders(GUID, {
  [LENGTH]: { type: { name: 'uniqueidentifier' }, read: readGuid },
});
