/** The slug of a record after a write. */

import { restoredSlug, slugOf, trashedSlug } from '../model/text/slug.ts';
import type { PostKind, Status } from '../model/values.ts';
import type { PostEntry } from '../replica/entries.ts';
import type { Write } from './write.ts';

/** Returns the slug of a record after a write (behaviour sections 9, 13 and 14). It does not follow the title. It goes into the trash with a suffix, so that it is free, and comes back without. */
export function slugAfter(
  write: Write,
  kind: PostKind,
  id: number,
  before: PostEntry | undefined,
  { slug }: { readonly slug?: string },
  title: string,
  status: Status,
): string {
  const sentSlug = slug === undefined ? '' : slugOf(slug);
  const current = before === undefined ? slugOf(title) : before.record.slug;
  const wasTrashed = before?.status === 'trash';
  const slugBase = sentSlug || (wasTrashed ? restoredSlug(current) : current) || String(id);
  if (status === 'trash' && !wasTrashed) return write.freeSlug(kind, id, trashedSlug(slugBase));
  if (status === 'trash' && sentSlug === '') return current;
  if (before !== undefined && slugBase === current) return current;
  return write.freeSlug(kind, id, status === 'trash' ? trashedSlug(slugBase) : slugBase);
}
