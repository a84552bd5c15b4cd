/** The addresses of copied pictures, and their place in the texts of records. */

import { imageUrl } from '../../../functions/calendar/model/image-url.ts';
import type { AnyPost, CalendarRecord } from '../../../functions/calendar/model/records.ts';
import type { Target } from './target.ts';

/** An address of a picture in a text. */
export const pictureUrl = /https?:\/\/[^\s"'<>(),]+?\.(?:avif|gif|jpe?g|png|webp)(?=[\s"'<>(),?#]|$)/gi;

/** The addresses of copied pictures by those from which they were copied. */
export function copiedAddresses({ replica, context: { root } }: Target): ReadonlyMap<string, string> {
  const pairs = [...replica.images()].flatMap((image) =>
    image.stored?.source === undefined
      ? []
      : [[addressKey(image.stored.source), imageUrl(image, root)] as const],
  );
  return new Map(pairs);
}

/** Returns a record whose texts have the addresses of copied pictures. */
export function withCopiedPictures<R extends CalendarRecord>(
  record: R,
  addresses: ReadonlyMap<string, string>,
): R {
  if (addresses.size === 0 || !('description' in record || 'excerpt' in record)) return record;
  const texts = Object.fromEntries(
    (['description', 'excerpt'] as const).flatMap((name) => {
      const text = (record as Partial<AnyPost>)[name];
      return text === undefined ? [] : [[name, rewriteAddresses(text, addresses)]];
    }),
  );
  return { ...record, ...texts };
}

/** Replaces the addresses of copied pictures in a text. */
export function rewriteAddresses(text: string, addresses: ReadonlyMap<string, string>): string {
  return text.replace(pictureUrl, (url) => addresses.get(addressKey(url)) ?? url);
}

/** An address without its scheme and `www.`, which name the same picture. */
export function addressKey(url: string): string {
  return url.replace(/^https?:\/\/(?:www\.)?/i, '').replaceAll('&amp;', '&');
}
