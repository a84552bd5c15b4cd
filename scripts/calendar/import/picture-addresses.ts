/** The addresses of copied pictures, and their place in the texts of records. */

import { imageSizes, imageUrl } from '../../../functions/calendar/model/image-url.ts';
import type { CalendarRecord } from '../../../functions/calendar/model/records.ts';
import type { Target } from './target.ts';
import { withTexts } from './texts.ts';

/** An address of a picture in a text: absolute, without a scheme, or a path of the site. */
export const pictureUrl =
  /(?:https?:\/\/|(?<!:)\/\/|(?<=["'(\s,;])\/)[^\s"'<>(),]+?\.(?:avif|gif|jpe?g|png|webp)(?=[\s"'<>(),?#&]|$)/gi;

/** The addresses of copied pictures and their sizes by those from which they were copied. `except` are ids of pictures that change. */
export function copiedAddresses(
  { replica, context: { root } }: Pick<Target, 'replica'> & { readonly context: { readonly root: string } },
  except: ReadonlySet<number> = new Set(),
): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  const add = (source: string, copy: string) => {
    addresses.set(addressKey(source), copy);
    // Texts of the site itself may have paths alone.
    addresses.set(addressKey(new URL(source).pathname), copy);
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

/** Returns a record whose texts have the addresses of copied pictures, in all languages; the same one where none changes. */
export function withCopiedPictures<R extends CalendarRecord>(
  record: R,
  addresses: ReadonlyMap<string, string>,
): R {
  return addresses.size === 0 ? record : withTexts(record, (text) => rewriteAddresses(text, addresses));
}

/** Replaces the addresses of copied pictures in a text. */
export function rewriteAddresses(text: string, addresses: ReadonlyMap<string, string>): string {
  return text.replace(pictureUrl, (url) => addresses.get(addressKey(url)) ?? url);
}

/**
 * An address without its scheme and `www.`, which name the same picture. Names beyond ASCII are the same whether they are typed or encoded, and
 * whether an accent is a character of its own or not.
 */
export function addressKey(url: string): string {
  const address = url.replace(/^(?:https?:)?\/\/(?:www\.)?/i, '').replaceAll('&amp;', '&');
  return decoded(address).normalize('NFC');
}

function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return address;
  }
}
