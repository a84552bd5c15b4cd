/** Images as clients see them (behaviour section 4.5). */

import type { CalendarReplica } from '../replica/replica.ts';

/** What is known of an image that is referenced and never fetched: sizes are not. */
export interface ImageView {
  readonly url: string;
  readonly id: number;
  readonly extension: string;
}

/** Gives the image of an id, or false when there is none. */
export function imageView(replica: CalendarReplica, id: number | undefined): ImageView | false {
  const image = id === undefined ? undefined : replica.image(id);
  if (image === undefined) return false;
  const [, extension = ''] = /\.(\w{1,5})$/.exec(new URL(image.url).pathname) ?? [];
  return { url: image.url, id: image.id, extension };
}
