/**
 * Finds pictures by the pages that WordPress has for them, which lead to their files: below the page of the record that they were uploaded to,
 * `/event/concert/poster/`, else at the root of the site, `/poster/`.
 */

import { imageUrl } from '../model/image-url.ts';
import { comparablePath, pagePathOf } from '../model/page-paths.ts';
import { slugOfPicture } from '../model/picture-slug.ts';
import type { ImageRecord } from '../model/records.ts';
import { readableImage } from '../model/rights.ts';
import type { CalendarReplica } from '../replica/replica.ts';
import type { ReadContext } from './read-context.ts';

/** Pictures by the paths of their pages, at a revision of their calendar. */
const indexes = new WeakMap<
  CalendarReplica,
  { readonly revision: number; readonly images: ReadonlyMap<string, ImageRecord> }
>();

/** Returns the address of the picture of a page; undefined where there is none that the caller may see. */
export function addressOfPage(path: string, { replica, root, caller }: ReadContext): string | undefined {
  const image = imagesByPage(replica).get(comparablePath(path));
  const readable = image && readableImage(caller, image, replica);
  return readable && imageUrl(readable.image, root);
}

function imagesByPage(replica: CalendarReplica): ReadonlyMap<string, ImageRecord> {
  const { revision } = replica;
  const cached = indexes.get(replica);
  if (cached?.revision === revision) return cached.images;
  const images = new Map<string, ImageRecord>();
  for (const image of replica.images()) {
    const path = pagePathIn(image, replica);
    // Of two that are called the same the first one has the page, as in WordPress.
    if (path !== undefined && !images.has(path)) images.set(path, image);
  }
  indexes.set(replica, { revision, images });
  return images;
}

function pagePathIn({ stored }: ImageRecord, replica: CalendarReplica): string | undefined {
  if (stored === undefined) return undefined;
  const owner = stored.post === undefined ? undefined : replica.post(stored.post)?.record;
  return comparablePath((owner === undefined ? '/' : pagePathOf(owner)) + slugOfPicture(stored));
}
