/** The address of an image. */

import type { StoredPicture } from './values.ts';

interface Image {
  readonly id: number;
  readonly url: string;
  readonly stored?: StoredPicture | undefined;
}

/** Returns the address of an image: that of an uploaded picture is below the root of the API, and its bytes never change. */
export function imageUrl({ id, url, stored }: Image, root: string): string {
  return stored === undefined ? url : `${root}/pictures/${id}/${stored.file}`;
}
