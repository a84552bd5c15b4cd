/** Recognition of pictures by their bytes: of whatever strangers send, it says what it is, or that it is none. */

import { expect, test } from 'vitest';
import { pictureTypes, recognizePicture } from '../../../../../shared/calendar/pictures/picture-type.ts';
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
