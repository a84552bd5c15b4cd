/** Recognition of pictures by their bytes: of whatever strangers send, it says what it is, or that it is none. */

import { expect, test } from 'vitest';
import { pictureTypes, recognizePicture } from '../../../../../functions/calendar/pictures/picture-type.ts';
import { avif, gif, jpeg, png, webp } from '../../../../support/pictures.ts';
import { fc } from '../../../../support/properties.ts';

const pictures = [png(30, 20), jpeg(30, 20), gif(), webp(30, 20), avif(30, 20)];

/** Pictures with some bytes changed, cut off, or followed by others; and bytes of any kind. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 100 }).map((array) => Buffer.from(array)),
  fc
    .record({
      picture: fc.constantFrom(...pictures),
      changes: fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 4 }),
      length: fc.nat(200),
      more: fc.uint8Array({ maxLength: 20 }),
    })
    .map(({ picture, changes, length, more }) => {
      const changed = Buffer.from(picture);
      for (const [at, value] of changes) changed[at % changed.length] = value;
      return Buffer.concat([changed.subarray(0, length), more]);
    }),
);

/** Returns a WebP whose first chunk is of a type, with bytes from byte 20 on. */
function webpOf(chunk: string, hex: string): Buffer {
  const head = Buffer.alloc(40);
  head.write(`RIFF    WEBP${chunk}`, 'latin1');
  Buffer.from(hex, 'hex').copy(head, 20);
  return head;
}

/** Behind the comment, of 14 bytes. */
const filled = Buffer.concat([
  jpeg(30, 20).subarray(0, 16),
  Buffer.from([0xff, 0xff]),
  jpeg(30, 20).subarray(16),
]);
/** The dimensions of a part, behind their version. */
const wide = Buffer.from('00000000000000280000000a', 'hex');
test.each<[form: string, picture: Buffer, width: number, height: number]>([
  ['PNG', png(300, 20), 300, 20],
  ['GIF', gif(), 3, 2],
  ['JPEG', jpeg(300, 20), 300, 20],
  ['JPEG with fill bytes', filled, 30, 20],
  ['WebP with more than a picture', webp(300, 20), 300, 20],
  // Two bits of each number are a scale.
  ['WebP with losses', webpOf('VP8 ', '0000009d012a2c411480'), 300, 20],
  ['WebP without losses', webpOf('VP8L', '2f2bc10400'), 300, 20],
  ['AVIF', avif(300, 20), 300, 20],
  ['AVIF with a wide part', Buffer.concat([avif(30, 20), Buffer.from('ispe'), wide]), 30, 20],
])('the size of a %s is read', (_form, picture, width, height) => {
  expect(recognizePicture(picture)?.facts).toMatchObject({ width, height });
});

test('any bytes are a picture of a type with pixels, a damaged one, or none', () => {
  fc.assert(
    fc.property(bytes, (head) => {
      const picture = recognizePicture(head);
      if (picture === undefined) return;
      expect(Object.keys(pictureTypes)).toContain(picture.type);
      expect(picture.isComplete(head, head.length)).toBeTypeOf('boolean');
      if (picture.facts === undefined) return;
      expect(picture.facts.width).toBeGreaterThan(0);
      expect(picture.facts.height).toBeGreaterThan(0);
    }),
    { numRuns: 2_000 },
  );
});

test.each(pictures.map((picture) => [recognizePicture(picture)?.type, picture] as const))(
  'a whole %s is complete, and each part of it is damaged or none',
  (_type, picture) => {
    expect(recognizePicture(picture)?.isComplete(picture, picture.length)).toBe(true);
    for (let length = 0; length < picture.length - 8; length++) {
      const head = picture.subarray(0, length);
      const recognized = recognizePicture(head);
      const isGood = recognized?.facts !== undefined && recognized.isComplete(head, length);
      expect([length, isGood]).toEqual([length, false]);
    }
  },
);
