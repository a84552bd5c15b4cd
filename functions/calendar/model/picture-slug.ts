/** Slugs of uploaded pictures. */

import type { StoredPicture } from './values.ts';

/** Returns the slug of a picture. */
export function slugOfPicture({ slug, file }: Pick<StoredPicture, 'slug' | 'file'>): string {
  return slug ?? slugOfFile(file);
}

/** Returns the slug that the name of a file makes. */
export function slugOfFile(file: string): string {
  return file.replace(/\.\w+$/, '').toLowerCase();
}
