/**
 * The addresses of images. Those of uploaded pictures are below the root of the API, and their bytes never change. They have random
 * characters, since whoever knows the address of a picture may read it, also that of a draft (docs/decisions/pictures.md).
 */

import type { ImageSize, StoredPicture } from './values.ts';

/** What the addresses of an image are made of. */
export interface Image {
  readonly id: number;
  readonly url: string;
  readonly stored?: StoredPicture | undefined;
  readonly sizes?: Readonly<Record<string, ImageSize>> | undefined;
  readonly earlier_keys?: readonly string[] | undefined;
}

/** The beginning of the name of an uploaded picture; its blob follows. */
export const storedPrefix = 'urn:picture:';

/** Returns the address of an image. */
export function imageUrl({ id, url, stored }: Image, root: string): string {
  return stored === undefined ? url : addressOf(id, stored, stored.file, root);
}

/** Returns the sizes of an image with their addresses. */
export function imageSizes(
  { id, sizes, stored }: Image,
  root: string,
): Readonly<Record<string, ImageSize>> | undefined {
  if (sizes === undefined) return undefined;
  const entries = Object.entries(sizes).map(([name, { file, url, ...size }]) => [
    name,
    { ...size, url: file === undefined || stored === undefined ? url : addressOf(id, stored, file, root) },
  ]);
  return Object.fromEntries(entries);
}

/** Returns the blobs of an uploaded picture and its sizes by the names of their files. */
export function blobsOf({ stored, sizes = {} }: Image): Map<string, string> {
  if (stored === undefined) return new Map();
  const ofSizes = Object.values(sizes).flatMap(({ file, url }) =>
    file !== undefined && url.startsWith(storedPrefix)
      ? [[file, url.slice(storedPrefix.length)] as const]
      : [],
  );
  return new Map([...ofSizes, [stored.file, stored.blob]]);
}

/** Characters of a key: 62 random bits. */
const keyLength = 16;

/** Returns the part of the addresses of an uploaded picture and its sizes that nobody guesses: the end of the random name of its blob, or another one. */
export function keyOf({ blob, key }: Pick<StoredPicture, 'blob' | 'key'>): string {
  if (key !== undefined) return key;
  return blob
    .replace(/\.\w+$/, '')
    .replaceAll('-', '')
    .slice(-keyLength);
}

function addressOf(id: number, stored: StoredPicture, file: string, root: string): string {
  return `${root}/pictures/${id}/${keyOf(stored)}/${file}`;
}
