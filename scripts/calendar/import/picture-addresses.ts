/** The addresses of copied pictures, and their place in the texts of records. */

import { imageSizes, imageUrl } from '../../../functions/calendar/model/image-url.ts';
import type { AnyPost, CalendarRecord } from '../../../functions/calendar/model/records.ts';
import type { Target } from './target.ts';

/** An address of a picture in a text: absolute, without a scheme, or a path of the site. */
export const pictureUrl =
  /(?:https?:\/\/|(?<!:)\/\/|(?<=["'(\s,;])\/)[^\s"'<>(),]+?\.(?:avif|gif|jpe?g|png|webp)(?=[\s"'<>(),?#&]|$)/gi;

/** The addresses of copied pictures and their sizes by those from which they were copied. `except` are ids of pictures that change. */
export function copiedAddresses(
  { replica, context: { root } }: Target,
  except: ReadonlySet<number> = new Set(),
): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  const add = (source: string, copy: string) => {
    addresses.set(addressKey(source), copy);
    // Texts of the site itself may have paths alone.
    addresses.set(new URL(source).pathname, copy);
  };
  for (const image of replica.images()) {
    const { source, source_sizes = {} } = image.stored ?? {};
    if (source === undefined || except.has(image.id)) continue;
    const sizes = imageSizes(image, root) ?? {};
    for (const [name, url] of Object.entries(source_sizes))
      if (sizes[name] !== undefined) add(url, sizes[name].url);
    add(source, imageUrl(image, root));
  }
  return addresses;
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
  return url.replace(/^(?:https?:)?\/\/(?:www\.)?/i, '').replaceAll('&amp;', '&');
}
