/** The addresses of images. Those of uploaded pictures are below the root of the API, and their bytes never change. */

import type { ImageSize, StoredPicture } from './values.ts';

interface Image {
  readonly id: number;
  readonly url: string;
  readonly stored?: StoredPicture | undefined;
  readonly sizes?: Readonly<Record<string, ImageSize>> | undefined;
}

/** The beginning of the name of an uploaded picture; its blob follows. */
export const storedPrefix = 'urn:picture:';

/** Returns the address of an image. */
export function imageUrl({ id, url, stored }: Image, root: string): string {
  return stored === undefined ? url : addressOf(id, stored.file, root);
}

/** Returns the sizes of an image with their addresses. */
export function imageSizes(
  { id, sizes }: Image,
  root: string,
): Readonly<Record<string, ImageSize>> | undefined {
  if (sizes === undefined) return undefined;
  const entries = Object.entries(sizes).map(([name, { file, url, ...size }]) => [
    name,
    { ...size, url: file === undefined ? url : addressOf(id, file, root) },
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

function addressOf(id: number, file: string, root: string): string {
  return `${root}/pictures/${id}/${file}`;
}
