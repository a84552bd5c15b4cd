/**
 * The keys of the addresses of pictures that an import replaces. A text that has such an address shows the picture as it is now, from the
 * write of the picture on: also a text that was edited here, which no import writes, and when the import is killed before it writes the texts.
 */

import { keyOf } from '../../../functions/calendar/model/image-url.ts';
import type { ImageRecord } from '../../../functions/calendar/model/records.ts';

/** Keys of a picture, at most: the oldest are forgotten. */
export const maxKeys = 20;

/** Returns an image that takes the place of another under the same number. */
export function withEarlierKeys(
  image: ImageRecord,
  { stored, earlier_keys = [] }: Pick<ImageRecord, 'stored' | 'earlier_keys'>,
): ImageRecord {
  const isReplaced = stored !== undefined && stored.blob !== image.stored?.blob;
  const keys = isReplaced ? [...earlier_keys, keyOf(stored)] : earlier_keys;
  return keys.length === 0 ? image : { ...image, earlier_keys: keys.slice(-maxKeys) };
}
