/**
 * Addresses of our pictures in HTML texts. Such an address names its picture by an id and a key that nobody guesses, so it is known as ours
 * whatever host it has: texts show it where the calendar is now, and outlast a move of the site or an import by another address.
 */

import { blobsOf, type Image, imageUrl, keyOf } from '../image-url.ts';

/** An address as a value of an attribute, or one of several: everything up to the name of the file. */
const address = /(?<=["\s,])[^\s"',<>]*\/pictures\/(\d{1,15})\/([0-9a-f]{16})\/([\w.-]+)(?=["\s,?#])/g;
const tag = /<[^<>]*>/g;

type FindImage = (id: number) => Image | undefined;

/** Returns HTML with the addresses of our pictures below a root. Those of pictures that are not there stay as they are. */
export function withOwnAddresses(html: string, root: string, find: FindImage): string {
  if (!html.includes('/pictures/')) return html;
  return html.replace(tag, (element) =>
    element.replace(address, (written: string, id: string, key: string, file: string) => {
      const image = ownImage({ id, key, file }, find);
      if (image === undefined) return written;
      // An earlier copy may have had other sizes.
      if (image.stored === undefined || !blobsOf(image).has(file)) return imageUrl(image, root);
      return imageUrl({ ...image, stored: { ...image.stored, file } }, root);
    }),
  );
}

/** Returns the ids of our pictures that HTML shows or links to. */
export function picturesIn(html: string, find: FindImage): number[] {
  if (!html.includes('/pictures/')) return [];
  return (html.match(tag) ?? [])
    .flatMap((element) => [...element.matchAll(address)])
    .map(([, id = '', key = '', file = '']) => ownImage({ id, key, file }, find)?.id)
    .filter((id) => id !== undefined);
}

interface Named {
  readonly id: string;
  readonly key: string;
  readonly file: string;
}

function ownImage({ id, key, file }: Named, find: FindImage): Image | undefined {
  const image = find(Number(id));
  if (image?.stored !== undefined && keyOf(image.stored) === key)
    return blobsOf(image).has(file) ? image : undefined;
  return image?.earlier_keys?.includes(key) === true ? image : undefined;
}
