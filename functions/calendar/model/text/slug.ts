/** Slugs: the part of a page's URL that names a record (docs/calendar-contract.md, "Texts and slugs"). */

import removeAccents from 'remove-accents';
import { plainText } from './plain-text.ts';

/** Bytes of a slug, at most. */
const maxLength = 200;
/** Words that mean something else in the URLs of pages: those of feeds, and of pages shown inside others. */
const reserved = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']);
const trashedSuffix = '__trashed';
/** Characters that become one hyphen: whitespace, dashes, full stops and slashes. */
const separators = /[\s./\p{Zs}\p{Pd}]+/gu;
/** Characters that are removed: ASCII punctuation, typographic marks, and invisible ones. Other symbols remain, encoded. */
const removed =
  /(?![%\w-])[\0-\x7f]|[£¡¿‚„•©®°…™´ˊ\ufffc\ufffd\p{Pi}\p{Pf}\p{Cc}\p{Cf}\p{Cs}]|\u0300|\u0301|\u0304|\u030c|\u0341/gu;

/** Creates a slug from a title or a given slug. Encoded ASCII, such as `%2f`, separates words. Returns `""` when no character can be used. */
export function slugOf(text: string): string {
  const spelled = plainText(text)
    .normalize('NFC')
    .replaceAll('ß', 's')
    .replaceAll('€', 'e')
    .replaceAll('×', 'x');
  const words = removeAccents(spelled)
    .toLowerCase()
    .replace(/%[0-7][0-9a-f]/g, '-')
    .replace(/%(?![0-9a-f]{2})/g, '')
    .replace(separators, '-')
    .replace(removed, '')
    .replace(/-{2,}/g, '-');
  return cutSlug(encode(words), maxLength).replace(/^-+|-+$/g, '');
}

/** Returns a free slug for an event, venue or organizer: a reserved word counts as taken. */
export function uniquePostSlug(slug: string, isTaken: (slug: string) => boolean): string {
  return uniqueSlug(slug, (wanted) => reserved.has(wanted) || isTaken(wanted));
}

/** Numbers that are tried one by one. */
const oneByOne = 100;

/**
 * Returns the first of `slug`, `slug-2`, `slug-3`, ... that is not taken. When the first 100 are taken, returns a free one that follows a
 * taken one, found in a few steps, since very many records may have the same title.
 */
export function uniqueSlug(slug: string, isTaken: (slug: string) => boolean): string {
  if (!isTaken(slug)) return slug;
  const withNumber = (number: number) => slugWithNumber(slug, number);
  const isFree = (number: number) => !isTaken(withNumber(number));
  for (let number = 2; number <= oneByOne; number += 1) if (isFree(number)) return withNumber(number);
  let taken = oneByOne;
  let free = 2 * taken;
  for (; !isFree(free); free *= 2) taken = free;
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (isFree(middle)) free = middle;
    else taken = middle;
  }
  return withNumber(free);
}

/** Returns a slug that ends with a number. */
export function slugWithNumber(slug: string, number: number): string {
  const suffix = `-${number}`;
  return cutSlug(slug, maxLength - suffix.length) + suffix;
}

/** Returns the slug of a record that goes to the trash, so that its own is free for others. */
export function trashedSlug(slug: string): string {
  return cutSlug(slug, maxLength - trashedSuffix.length) + trashedSuffix;
}

/** Returns the slug that a record had before it went to the trash. */
export function restoredSlug(slug: string): string {
  return slug.replace(new RegExp(`${trashedSuffix}(?:-\\d+)?$`), '');
}

/** Percent-encodes what is not ASCII, in lower case; octets that are encoded already stay. */
function encode(text: string): string {
  return text.replace(/[^\0-\x7f]+/g, (run) => encodeURIComponent(run.toWellFormed()).toLowerCase());
}

/** Cuts an encoded slug between characters, to at most a number of bytes. */
export function cutSlug(slug: string, bytes: number): string {
  if (slug.length <= bytes) return slug;
  const characters = slug.match(/(?:%[c-f][0-9a-f](?:%[89ab][0-9a-f])+)|%[0-9a-f]{2}|[^%]/g) ?? [];
  let prefix = '';
  for (const character of characters) {
    if (prefix.length + character.length > bytes) break;
    prefix += character;
  }
  return prefix;
}
