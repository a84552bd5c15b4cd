/** Photos as phones write them: on their side, with the place where they were taken. */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recognizePicture } from '../../functions/calendar/pictures/picture-type.ts';
import { useCalendarApp } from '../support/calendar-app.ts';
import { jpeg } from '../support/pictures.ts';

const app = useCalendarApp();
const media = () => `${new URL(app.root).origin}/wp-json/wp/v2/media`;

/** Returns a segment of a JPEG. */
function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** Returns Exif in either order of bytes, with an orientation and a place of one rational and one letter. */
function exif(orientation: number, order: 'II' | 'MM'): Buffer {
  const tiff = Buffer.alloc(120);
  const isLittle = order === 'II';
  const uint16 = (value: number, at: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const uint32 = (value: number, at: number) =>
    isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  const entry = (at: number, tag: number, type: number, count: number, value: number) => {
    uint16(tag, at);
    uint16(type, at + 2);
    uint32(count, at + 4);
    if (type === 3) uint16(value, at + 8);
    else uint32(value, at + 8);
  };
  tiff.write(order, 0, 'latin1');
  uint16(42, 2);
  uint32(8, 4);
  uint16(2, 8);
  entry(10, 0x0112, 3, 1, orientation);
  entry(22, 0x8825, 4, 1, 40);
  uint16(2, 40);
  entry(42, 1, 2, 2, 0);
  tiff.write('N\0', 50, 'latin1');
  entry(54, 2, 5, 3, 80);
  tiff.write('LATITUDE-55-39-12', 80, 'latin1');
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]));
}

const xmp = segment(
  0xe1,
  Buffer.from(
    'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><rdf:Description exif:GPSLatitude="55,39.2N" dc:title="Harbour"/>' +
      "<exif:GPSLongitude>12,34.5E</exif:GPSLongitude><r exif:GPSAltitude='7/1'/></x:xmpmeta>",
    'latin1',
  ),
);

function photo(...segments: readonly Buffer[]): Buffer {
  const plain = jpeg(40, 30);
  return Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)]);
}

async function upload(bytes: Buffer, headers: Record<string, string> = {}) {
  const reply = await fetch(media(), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${app.token('editor')}`,
      'Content-Type': 'image/jpeg',
      'Content-Disposition': 'attachment; filename="IMG_0001.jpg"',
      ...headers,
    },
    body: new Uint8Array(bytes),
  });
  return { status: reply.status, body: await reply.json() };
}

async function storedBytes({ source_url }: { readonly source_url: string }): Promise<Buffer> {
  const reply = await fetch(source_url, { headers: { Authorization: `Bearer ${app.token('editor')}` } });
  expect(reply.status).toBe(200);
  return Buffer.from(await reply.arrayBuffer());
}

describe('a photo', () => {
  test.each([
    [1, 40, 30],
    [3, 40, 30],
    [6, 30, 40],
    [8, 30, 40],
    [5, 30, 40],
    [0, 40, 30],
    [9, 40, 30],
  ])(
    'of orientation %i has the width %i and the height %i that readers see',
    async (orientation, width, height) => {
      for (const order of ['II', 'MM'] as const) {
        const { status, body } = await upload(photo(exif(orientation, order)));
        expect([status, body.media_details.width, body.media_details.height]).toEqual([201, width, height]);
      }
    },
  );

  test('is stored without the place where it was taken, and as it is otherwise', async () => {
    for (const order of ['II', 'MM'] as const) {
      const original = photo(exif(6, order), xmp);
      const md5 = createHash('md5').update(original).digest('base64');
      const { status, body } = await upload(original, { 'Content-MD5': md5 });
      expect(status).toBe(201);
      const stored = await storedBytes(body);
      expect(stored.length).toBe(original.length);
      const text = stored.toString('latin1');
      expect(text).not.toMatch(/LATITUDE|55,39|12,34|7\/1/);
      expect(text).toContain('dc:title="Harbour"');
      expect(recognizePicture(stored)?.facts).toEqual({ type: 'image/jpeg', width: 30, height: 40 });
      // Pixels are untouched.
      expect(stored.subarray(-30)).toEqual(original.subarray(-30));
    }
  });

  test('whose metadata is damaged in any way is taken as it comes, or refused as damaged', () => {
    const original = photo(exif(6, 'II'), xmp);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(250), fc.nat(255)), { maxLength: 20 }),
        fc.nat(400),
        (changes, cut) => {
          const bytes = Buffer.from(original.subarray(0, original.length - cut));
          for (const [at, value] of changes) if (at > 3 && at < bytes.length) bytes[at] = value;
          const length = bytes.length;
          recognizePicture(bytes)?.eraseLocation();
          expect(bytes.length).toBe(length);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
