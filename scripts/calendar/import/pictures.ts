/** Copies the pictures of a site, so that it can be switched off: those that records show, their sizes, and those in descriptions. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { blobsOf, imageSizes, imageUrl, storedPrefix } from '../../../functions/calendar/model/image-url.ts';
import type { AnyPost, ImageRecord } from '../../../functions/calendar/model/records.ts';
import { fileNameOf } from '../../../functions/calendar/model/text/file-name.ts';
import { escapedText } from '../../../functions/calendar/model/text/html.ts';
import type { ImageSize, StoredPicture } from '../../../functions/calendar/model/values.ts';
import { pictureTypes } from '../../../functions/calendar/pictures/picture-type.ts';
import { type UploadedPicture, uploadPicture } from '../../../functions/calendar/pictures/upload.ts';
import { keyOf } from '../../../functions/calendar/replica/entries.ts';
import { withEarlierKeys } from './earlier-keys.ts';
import { fetchPicture, fetchValidator, type IsOwn, type Wait } from './fetch-picture.ts';
import type { ImportOptions } from './import.ts';
import { postsOf, reservedPicture } from './in-the-way.ts';
import type { Limits } from './limits.ts';
import { type Media, storedTexts } from './media.ts';
import { moveAway, whyInTheWay } from './move-away.ts';
import { addressKey, copiedAddresses, pictureUrl, withCopiedPictures } from './picture-addresses.ts';
import { sourceState } from './plan.ts';
import { hostOf } from './source-name.ts';
import type { Target } from './target.ts';

export interface PictureReport {
  readonly copied: number;
  /** Addresses that were not copied, with the reason. */
  readonly failed: readonly string[];
}

interface PictureOptions extends ImportOptions {
  readonly limits: Limits;
  /** Waits for a number of milliseconds. */
  readonly wait?: Wait | undefined;
}

interface Site {
  /** Its address, to which paths in its texts belong. */
  readonly source: string;
  readonly isOwn: IsOwn;
  readonly wait: Wait;
  readonly limits: Limits;
}

/** Copies the pictures of a source that are not copied yet, or have changed, one at a time, and writes each at once: an interrupted run resumes. */
export async function importPictures(
  source: string,
  media: Media,
  target: Target,
  { limits, say, wait = sleep }: PictureOptions,
): Promise<PictureReport> {
  const isOwn = ownAddresses(source);
  const site: Site = { source, isOwn, wait, limits };
  const failed: string[] = [];
  let copied = 0;
  await target.records();
  const copy = async (url: string, write: () => Promise<void>) => {
    try {
      await write();
      copied += 1;
      if (copied % 100 === 0) say(`pictures: ${copied} copied`);
    } catch (error) {
      failed.push(`${url}: ${error instanceof Error ? error.message : error}`);
    }
  };
  const replaced = new Map<string, string>();
  for (const image of [...target.replica.images()]) {
    const url = image.stored?.source ?? image.url;
    if (!isOwn(url)) continue;
    const isChanged = await hasNewBytes(image, site).catch((error: Error) => {
      failed.push(`${url}: ${error.message}`);
      return false;
    });
    if (image.stored === undefined || isChanged)
      await copy(url, () => copyImage(image, site, target, replaced));
  }
  for (const url of addressesInTexts(postsOf(target.replica), source, copiedAddresses(target))) {
    const item = media.byAddress.get(addressKey(url));
    const isKnown = () => copiedAddresses(target).has(addressKey(url));
    // A text may show a size of a picture: the picture is copied with all of them, once.
    if (item !== undefined && !isKnown() && isFree(item.image, target))
      await copy(item.image.url, () => copyImage(item.image, site, target, replaced));
    if (!isKnown() && !failed.some((line) => line.startsWith(`${url}: `)))
      await copy(url, () => copyAddress(url, site, target));
  }
  await rewriteTexts(target, replaced);
  return { copied, failed };
}

/** Returns the check whether an address is one of a site. */
export function ownAddresses(source: string): IsOwn {
  const host = hostOf(source);
  return (url) => URL.canParse(url) && hostOf(url) === host;
}

/** Checks whether the number of a picture is free here, or that of the picture itself where it is not copied yet. */
function isFree({ id }: ImageRecord, { replica }: Target): boolean {
  return replica.post(id) === undefined && replica.image(id)?.stored === undefined;
}

/** Checks whether the bytes of a copied picture have changed at their address. */
async function hasNewBytes({ stored }: ImageRecord, { isOwn, wait }: Site): Promise<boolean> {
  if (stored?.source === undefined || stored.source_validator === undefined) return false;
  const validator = await fetchValidator(stored.source, isOwn, wait);
  return validator !== undefined && validator !== stored.source_validator;
}

/**
 * Copies an image and its sizes, and removes the bytes of an earlier copy. A size that cannot be copied is left out. `replaced` gets the
 * addresses of the earlier copy with those that take their place.
 */
async function copyImage(
  image: ImageRecord,
  site: Site,
  target: Target,
  replaced: Map<string, string>,
): Promise<void> {
  const { source = image.url, source_sizes } = image.stored ?? {};
  const sizeUrls =
    source_sizes ??
    Object.fromEntries(Object.entries(image.sizes ?? {}).map(([name, { url }]) => [name, url]));
  const picture = await upload(source, site, target);
  const files = new Set([fileOf(source, picture)]);
  const sizes: Record<string, ImageSize> = {};
  const sources: Record<string, string> = {};
  for (const [name, url] of Object.entries(sizeUrls)) {
    const part = await upload(url, site, target).catch(() => undefined);
    if (part === undefined) continue;
    const { width, height, type, bytes, blob } = part;
    const file = freeFile(fileOf(url, part), name, files);
    sizes[name] = { width, height, 'mime-type': type, filesize: bytes, url: storedPrefix + blob, file };
    sources[name] = url;
  }
  const state = image.stored === undefined ? sourceState(image) : image.stored.source_state;
  await target.store((author) => {
    const record = recordOf({ id: image.id, source, picture, sizes, author }, target);
    const { title: _title, ...texts } = image.stored ?? {};
    const stored = {
      ...record.stored,
      ...(image.stored === undefined ? {} : { ...texts, title: image.stored.title }),
      ...pictureFacts(source, picture),
      ...(Object.keys(sources).length === 0 ? {} : { source_sizes: sources }),
      ...(state === undefined ? {} : { source_state: state }),
    } as StoredPicture;
    return [withEarlierKeys({ ...record, stored }, image)];
  });
  if (image.stored === undefined) return;
  const copy = target.replica.image(image.id) ?? image;
  const { root } = target.context;
  const [before, after] = [imageSizes(image, root) ?? {}, imageSizes(copy, root) ?? {}];
  for (const [name, { url }] of Object.entries(before))
    replaced.set(url, after[name]?.url ?? imageUrl(copy, root));
  replaced.set(imageUrl(image, root), imageUrl(copy, root));
  for (const blob of blobsOf(image).values()) await target.pictures.delete(blob);
}

/** Copies a picture that only a text has. */
async function copyAddress(url: string, site: Site, target: Target): Promise<void> {
  const picture = await upload(url, site, target);
  await target.store((author) => {
    const id = reservedPicture(target.replica, picture.blob);
    return [recordOf({ id, source: url, picture, sizes: {}, author }, target)];
  });
}

interface FetchedPicture extends UploadedPicture {
  readonly validator: string | undefined;
}

async function upload(
  url: string,
  { isOwn, wait, limits }: Site,
  { pictures }: Target,
): Promise<FetchedPicture> {
  let validator: string | undefined;
  const bytes = fetchPicture(url, isOwn, wait, (text) => {
    validator = text;
  });
  return { ...(await uploadPicture(pictures, bytes, { maxBytes: limits.pictureBytes })), validator };
}

interface Copy {
  readonly id: number;
  readonly source: string;
  readonly picture: FetchedPicture;
  readonly sizes: Readonly<Record<string, ImageSize>>;
  readonly author: number;
}

function recordOf({ id, source, picture, sizes, author }: Copy, { now }: Pick<Target, 'now'>): ImageRecord {
  const { blob, width, height, bytes } = picture;
  const facts = pictureFacts(source, picture);
  const { date, date_utc } = now();
  const stored: StoredPicture = {
    ...facts,
    author,
    date,
    date_utc,
    modified: date,
    modified_utc: date_utc,
    title: escapedText(facts.file.replace(/\.\w+$/, '')),
  };
  const hasSizes = Object.keys(sizes).length > 0;
  const details = { width, height, filesize: bytes, ...(hasSizes ? { sizes } : {}) };
  return { kind: 'image', id, url: storedPrefix + blob, ...details, stored };
}

/** Returns what is stored of the bytes of a picture. */
function pictureFacts(source: string, picture: FetchedPicture) {
  const { blob, type, validator } = picture;
  const facts = { blob, file: fileOf(source, picture), mime_type: type, source };
  return validator === undefined ? facts : { ...facts, source_validator: validator };
}

function fileOf(url: string, { type }: UploadedPicture): string {
  return fileNameOf(pathOf(url), pictureTypes[type]);
}

/** Characters that the name of a file has beside that of its size. */
const maxStem = 80;

/** Returns the name of the file of a size. Names that were cut off may be equal: then it has the name of the size. */
function freeFile(file: string, size: string, files: Set<string>): string {
  const [, stem = '', extension = ''] = /^(.*)(\.\w+)$/.exec(file) ?? [];
  const longer = `${stem.slice(0, maxStem)}-${size.slice(0, 20)}`;
  let name = file;
  for (let number = 1; files.has(name); number += 1)
    name = number === 1 ? `${longer}${extension}` : `${longer}-${number}${extension}`;
  files.add(name);
  return name;
}

function pathOf(url: string): string {
  const { pathname } = new URL(url);
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** Returns the addresses in texts that are those of a site and not copied, each once. */
export function addressesInTexts(
  posts: Iterable<Pick<AnyPost, 'description' | 'excerpt'>>,
  source: string,
  copied: ReadonlyMap<string, string>,
): string[] {
  const isOwn = ownAddresses(source);
  const found = new Map<string, string>();
  for (const { description = '', excerpt = '' } of posts)
    for (const [text] of `${description}\n${excerpt}`.matchAll(pictureUrl)) {
      const address = text.replaceAll('&amp;', '&');
      if (!URL.canParse(address, source)) continue;
      const url = new URL(address, source).href;
      const key = addressKey(url);
      if (isOwn(url) && !copied.has(key) && !copied.has(addressKey(text)))
        found.set(key, /^https?:/i.test(text) ? text : url);
    }
  return [...found.values()];
}

/** Writes the texts that have addresses of pictures which are copied since, or copied anew. */
async function rewriteTexts(target: Target, replaced: ReadonlyMap<string, string>): Promise<void> {
  const addresses = copiedAddresses(target);
  const renewed = new Map([...replaced].map(([from, to]) => [addressKey(from), to]));
  for (const record of postsOf(target.replica)) {
    const changed = withCopiedPictures(withCopiedPictures(record, renewed), addresses);
    if (changed.description !== record.description || changed.excerpt !== record.excerpt)
      await target.store(() => [changed]);
  }
}

/** Writes what the library of the source says of copied pictures: texts, dates and authors. */
export async function importTexts(
  source: string,
  { byId }: Media,
  target: Target,
  say: (line: string) => void,
): Promise<number> {
  const isOwn = ownAddresses(source);
  let count = 0;
  for (const image of [...target.replica.images()]) {
    const item = byId.get(image.id);
    const { stored } = image;
    if (item === undefined || stored?.source === undefined || !isOwn(stored.source)) continue;
    const changed = storedTexts(item, stored, source, target);
    if (isDeepStrictEqual(changed.stored, stored)) continue;
    const { author } = changed;
    const holder = author && target.replica.author(author.id);
    if (holder !== undefined)
      say(`${keyOf(holder)} ${whyInTheWay(holder)}: moved to ${await moveAway(holder, target)}.`);
    await target.store(() => [
      { ...image, stored: changed.stored },
      ...(author === undefined ? [] : [author]),
    ]);
    count += 1;
  }
  return count;
}
