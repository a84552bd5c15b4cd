/** Pictures of one colour, and of types that need no more than a head and an end to be recognized. */

import { crc32, deflateSync } from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

/** Returns a PNG of a size in grey. */
export function png(width = 3, height = 2): Buffer {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 0, 0, 0, 0])]);
  const rows = Buffer.alloc(Math.min(height, 1000) * (width + 1), 0x80);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns a JPEG of a size, with a comment of some bytes before the size. */
export function jpeg(width = 3, height = 2, comment = 10): Buffer {
  const comments = Array.from({ length: Math.ceil(comment / 60_000) }, () =>
    Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      uint16(2 + Math.min(comment, 60_000)),
      Buffer.alloc(Math.min(comment, 60_000)),
    ]),
  );
  const frame = Buffer.concat([
    Buffer.from([8]),
    uint16(height),
    uint16(width),
    Buffer.from([1, 1, 0x11, 0]),
  ]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...comments,
    Buffer.from([0xff, 0xc0]),
    uint16(frame.length + 2),
    frame,
    Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3]),
    Buffer.from([0xff, 0xd9]),
  ]);
}

export function gif(): Buffer {
  return Buffer.from('R0lGODlhAwACAIAAAAAAAP///yH5BAEAAAAALAAAAAADAAIAAAICRAoAOw==', 'base64');
}

/** Returns a WebP whose first chunk has the size. */
export function webp(width = 3, height = 2): Buffer {
  const size = Buffer.alloc(10);
  size.writeUIntLE(width - 1, 4, 3);
  size.writeUIntLE(height - 1, 7, 3);
  const length = Buffer.from([10, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('RIFF'),
    Buffer.from([22, 0, 0, 0]),
    Buffer.from('WEBPVP8X'),
    length,
    size,
  ]);
}

/** Returns an AVIF whose properties have the size. */
export function avif(width = 3, height = 2): Buffer {
  const box = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat([Buffer.from(type), ...parts]);
    return Buffer.concat([uint32(body.length + 4), body]);
  };
  return Buffer.concat([
    box('ftyp', Buffer.from('avif'), uint32(0), Buffer.from('mif1')),
    box('meta', uint32(0), box('ispe', uint32(0), uint32(width), uint32(height))),
    box('mdat', Buffer.from([1, 2, 3])),
  ]);
}
