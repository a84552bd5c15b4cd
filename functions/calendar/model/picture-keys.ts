/**
 * The keys of the addresses that pictures had before: of an earlier copy, which an import has replaced, and from before a picture became
 * hidden. A text that has such an address shows the picture as it is now, from that write on: no text has to be written.
 */

import { randomBytes } from 'node:crypto';
import { keyOf } from './image-url.ts';
import type { ImageRecord } from './records.ts';

/** Keys of a picture, at most: the oldest are forgotten. */
export const maxKeys = 20;

/** Returns an image that takes the place of another under the same number. */
export function withEarlierKeys(
  image: ImageRecord,
  { stored, earlier_keys = [] }: Pick<ImageRecord, 'stored' | 'earlier_keys'>,
): ImageRecord {
  const isReplaced =
    stored !== undefined && (image.stored === undefined || keyOf(stored) !== keyOf(image.stored));
  const keys = isReplaced ? [...earlier_keys, keyOf(stored)] : earlier_keys;
  return keys.length === 0 ? image : { ...image, earlier_keys: keys.slice(-maxKeys) };
}

/** Returns an uploaded picture with another address, so that who knew the one that it had does not read it any more. */
export function withNewKey(image: ImageRecord): ImageRecord {
  if (image.stored === undefined) return image;
  return withEarlierKeys(
    { ...image, stored: { ...image.stored, key: randomBytes(8).toString('hex') } },
    image,
  );
}
