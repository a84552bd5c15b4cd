/** Slugs: the part of a page's address that names a record (behaviour section 9). */

import removeAccents from 'remove-accents';
import { plainText } from './plain-text.ts';

/** Bytes of a slug, at most. */
const longest = 200;
/** Words that mean something else in the addresses of the site. */
const reserved = new Set(['feed', 'embed']);
const trashedSuffix = '__trashed';

/** Makes a slug of a title or of a given slug; `""` when no character of it can be used. */
export function slugOf(text: string): string {
  const words = removeAccents(plainText(text).replaceAll('ß', 's'))
    .toLowerCase()
    .replace(/%(?![0-9a-f]{2})/g, '')
    .replace(/[\s./\p{Zs}\p{Pd}]+/gu, '-')
    .replace(/[^%\w\p{L}\p{M}\p{N}-]+/gu, '')
    .replace(/-{2,}/g, '-');
  return cut(encode(words), longest).replace(/^-+|-+$/g, '');
}

/** Makes a slug unique: the first of `slug`, `slug-2`, `slug-3`, ... that is not taken. */
export function uniqueSlug(slug: string, isTaken: (slug: string) => boolean): string {
  if (!reserved.has(slug) && !isTaken(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const candidate = cut(slug, longest - suffix.length) + suffix;
    if (!isTaken(candidate)) return candidate;
  }
}

/** Gives the slug of a record that goes to the trash, so that its own is free for others. */
export function trashedSlug(slug: string): string {
  return cut(slug, longest - trashedSuffix.length) + trashedSuffix;
}

/** Gives the slug that a record had before it went to the trash. */
export function restoredSlug(slug: string): string {
  return slug.replace(new RegExp(`${trashedSuffix}(?:-\\d+)?$`), '');
}

/** Percent-encodes what is not ASCII, in lower case; octets that are encoded already stay. */
function encode(text: string): string {
  return text.replace(/[^\0-\x7f]+/g, (run) => encodeURIComponent(run.toWellFormed()).toLowerCase());
}

/** Cuts an encoded slug to a number of bytes, between characters. */
function cut(slug: string, bytes: number): string {
  if (slug.length <= bytes) return slug;
  const characters = slug.match(/(?:%[c-f][0-9a-f](?:%[89ab][0-9a-f])+)|%[0-9a-f]{2}|[^%]/g) ?? [];
  let kept = '';
  for (const character of characters) {
    if (kept.length + character.length > bytes) break;
    kept += character;
  }
  return kept;
}
