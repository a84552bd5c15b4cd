/** Copies the pictures of a site, so that it can be switched off: those that records show, their sizes, and those in descriptions. */

import { setTimeout as sleep } from 'node:timers/promises';
import { formatWall, toWall } from '../../../functions/calendar/model/dates/wall.ts';
import { blobsOf, imageSizes, imageUrl, storedPrefix } from '../../../functions/calendar/model/image-url.ts';
import { withEarlierKeys } from '../../../functions/calendar/model/picture-keys.ts';
import type { AnyPost, ImageRecord } from '../../../functions/calendar/model/records.ts';
import { fileNameOf } from '../../../functions/calendar/model/text/file-name.ts';
import { escapedText } from '../../../functions/calendar/model/text/html.ts';
import type { ImageSize, StoredPicture } from '../../../functions/calendar/model/values.ts';
import { pictureTypes } from '../../../functions/calendar/pictures/picture-type.ts';
import { type UploadedPicture, uploadPicture } from '../../../functions/calendar/pictures/upload.ts';
import { keyOf, readKey } from '../../../functions/calendar/replica/entries.ts';
import type { Draft } from './draft.ts';
import { fetchPicture, fetchValidator } from './fetch-picture.ts';
import { withOwnChange } from './fields.ts';
import type { ImportOptions } from './import.ts';
import { postsOf, reservedPicture } from './in-the-way.ts';
import type { Limits } from './limits.ts';
import { describeImage, type Media } from './media.ts';
import { moveAway, whyInTheWay } from './move-away.ts';
import { addressKey, copiedAddresses, pictureUrl, withCopiedPictures } from './picture-addresses.ts';
import type { Wait } from './request.ts';
import { type PictureSite, sourceState } from './source-picture.ts';
import { decideEach } from './steps.ts';
import type { Target } from './target.ts';
import { textsOf } from './texts.ts';

export interface PictureReport {
  readonly copied: number;
  /** Addresses that were not copied, with the reason. */
  readonly failed: readonly string[];
}

interface PictureOptions extends ImportOptions {
  readonly limits: Limits;
  /** Waits for a number of milliseconds. */
  readonly wait?: Wait | undefined;
  /** The pictures of which the source has other files by now, by the numbers of their copies. */
  readonly pending?: ReadonlyMap<number, ImageRecord>;
}

interface Site extends PictureSite {
  readonly wait: Wait;
  readonly limits: Limits;
}

/** Copies the pictures of a source that are not copied yet, or have changed, one at a time, and writes each at once: an interrupted run resumes. */
export async function importPictures(
  pictureSite: PictureSite,
  media: Media,
  target: Target,
  { limits, say, wait = sleep, pending = new Map() }: PictureOptions,
): Promise<PictureReport> {
  const { isOwn } = pictureSite;
  const site: Site = { ...pictureSite, wait, limits };
  const failed: string[] = [];
  let copied = 0;
  await target.records();
  const copy = async (url: string, write: () => Promise<boolean>) => {
    try {
      if (!(await write())) return;
      copied += 1;
      if (copied % 100 === 0) say(`pictures: ${copied} copied`);
    } catch (error) {
      failed.push(`${url}: ${error instanceof Error ? error.message : error}`);
    }
  };
  const replaced = new Map<string, string>();
  for (const image of [...target.replica.images()]) {
    const next = pending.get(image.id);
    const url = next?.url ?? image.stored?.source ?? image.url;
    if (!isOwn(url)) continue;
    const isChanged =
      next !== undefined ||
      (await hasNewBytes(image, site).catch((error: Error) => {
        failed.push(`${url}: ${error.message}`);
        return false;
      }));
    if (image.stored === undefined || isChanged)
      await copy(url, () => copyImage(image, next, site, target, replaced));
  }
  for (const url of addressesInTexts(postsOf(target.replica), pictureSite, copiedAddresses(target))) {
    const item = media.byAddress.get(addressKey(url));
    const isKnown = () => copiedAddresses(target).has(addressKey(url));
    // A text may show a size of a picture: the picture is copied with all of them, once.
    if (item !== undefined && !isKnown() && isFree(item.image, target))
      await copy(item.image.url, () => copyImage(item.image, undefined, site, target, replaced));
    if (!isKnown() && !failed.some((line) => line.startsWith(`${url}: `)))
      await copy(url, () => copyAddress(url, site, target));
  }
  await rewriteTexts(target, replaced);
  return { copied, failed };
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
 * addresses of the earlier copy with those that take their place. `pending` is the picture that the source has by now. An image that was deleted or replaced here meanwhile stays as it is.
 */
async function copyImage(
  image: ImageRecord,
  pending: ImageRecord | undefined,
  site: Site,
  target: Target,
  replaced: Map<string, string>,
): Promise<boolean> {
  const isNew = target.replica.image(image.id) === undefined;
  const { source = image.url, source_sizes = sizeUrlsOf(image) } =
    pending === undefined ? (image.stored ?? {}) : { source: pending.url, source_sizes: sizeUrlsOf(pending) };
  const picture = await upload(source, site, target);
  const blobs = [picture.blob];
  const files = new Set([fileOf(source, picture)]);
  const sizes: Record<string, ImageSize> = {};
  const sources: Record<string, string> = {};
  for (const [name, url] of Object.entries(source_sizes)) {
    const part = await upload(url, site, target).catch(() => undefined);
    if (part === undefined) continue;
    const { width, height, type, bytes, blob } = part;
    blobs.push(blob);
    const file = freeFile(fileOf(url, part), name, files);
    sizes[name] = { width, height, 'mime-type': type, filesize: bytes, url: storedPrefix + blob, file };
    sources[name] = url;
  }
  const state =
    image.stored === undefined || pending !== undefined
      ? sourceState(pending ?? image)
      : image.stored.source_state;
  const before = await target.decide((draft) => {
    const current = draft.get('image', image.id) as ImageRecord | undefined;
    const isFree = isNew && draft.holder(image) === undefined;
    if (current === undefined ? !isFree : !isSameCopy(current, image)) return undefined;
    const record = recordOf({ id: image.id, source, picture, sizes, author: draft.author() }, draft);
    // The texts are those of now, also where they were edited during the download.
    const { title, key: _key, ...texts } = current?.stored ?? {};
    const { follows } = current ?? {};
    const stored = {
      ...record.stored,
      ...(title === undefined ? {} : { ...texts, title }),
      ...pictureFacts(source, picture),
      ...(Object.keys(sources).length === 0 ? {} : { source_sizes: sources }),
      ...(state === undefined ? {} : { source_state: state }),
    } as StoredPicture;
    const copy = withEarlierKeys({ ...record, stored }, current ?? image);
    draft.put(follows === undefined ? copy : { ...copy, follows });
    return current ?? image;
  });
  if (before === undefined) {
    for (const blob of blobs) await target.pictures.delete(blob);
    return false;
  }
  if (before.stored === undefined) return true;
  const copy = target.replica.image(image.id) ?? before;
  const { root } = target.context;
  const [sizesBefore, sizesAfter] = [imageSizes(before, root) ?? {}, imageSizes(copy, root) ?? {}];
  for (const [name, { url }] of Object.entries(sizesBefore))
    replaced.set(url, sizesAfter[name]?.url ?? imageUrl(copy, root));
  replaced.set(imageUrl(before, root), imageUrl(copy, root));
  for (const blob of blobsOf(before).values()) await target.pictures.delete(blob);
  return true;
}

function sizeUrlsOf({ sizes = {} }: ImageRecord): Record<string, string> {
  return Object.fromEntries(Object.entries(sizes).map(([name, { url }]) => [name, url]));
}

/** Checks whether an image has the file that was downloaded: people may have written other texts of it. */
function isSameCopy(current: ImageRecord, image: ImageRecord): boolean {
  return current.stored?.blob === image.stored?.blob && sourceState(current) === sourceState(image);
}

/** Copies a picture that only a text has. */
async function copyAddress(url: string, site: Site, target: Target): Promise<boolean> {
  const picture = await upload(url, site, target);
  await target.decide((draft) => {
    const id = reservedPicture(draft.replica, picture.blob);
    draft.put(recordOf({ id, source: url, picture, sizes: {}, author: draft.author() }, draft));
  });
  return true;
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

function recordOf(
  { id, source, picture, sizes, author }: Copy,
  { context: { site, now } }: Draft,
): ImageRecord {
  const { blob, width, height, bytes } = picture;
  const facts = pictureFacts(source, picture);
  const date = formatWall(toWall(site.zone, now));
  const date_utc = formatWall(now);
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
  posts: Iterable<Pick<AnyPost, 'description' | 'excerpt' | 'translations'>>,
  { source, isOwn }: PictureSite,
  copied: ReadonlyMap<string, string>,
): string[] {
  const found = new Map<string, string>();
  for (const post of posts)
    for (const [text] of textsOf(post).join('\n').matchAll(pictureUrl)) {
      const address = text.replaceAll('&amp;', '&');
      if (!URL.canParse(address, source)) continue;
      const url = new URL(address, source).href;
      const key = addressKey(url);
      if (isOwn(url) && !copied.has(key) && !copied.has(addressKey(text)))
        found.set(key, /^https?:/i.test(text) ? text : url);
    }
  return [...found.values()];
}

/** Writes the texts that have addresses of pictures which are copied since, or copied anew: of each record as it is then. */
async function rewriteTexts(target: Target, replaced: ReadonlyMap<string, string>): Promise<void> {
  const renewed = new Map([...replaced].map(([from, to]) => [addressKey(from), to]));
  const rewritten = (post: AnyPost, addresses: ReadonlyMap<string, string>) =>
    withCopiedPictures(withCopiedPictures(post, renewed), addresses);
  const addresses = copiedAddresses(target);
  const keys = postsOf(target.replica)
    .filter((post) => rewritten(post, addresses) !== post)
    .map(keyOf);
  await decideEach(keys, target, (chunk, draft) => {
    const newest = copiedAddresses(draft);
    for (const key of chunk) {
      const { kind, id } = readKey(key);
      const post = draft.get(kind, id) as AnyPost | undefined;
      const changed = post && rewritten(post, newest);
      if (post !== undefined && changed !== undefined && changed !== post)
        draft.put(withOwnChange(post, changed));
    }
  });
}

/** Writes what the library of the source says of copied pictures: texts, dates and authors. */
export async function importTexts(
  { source, isOwn }: PictureSite,
  { byId }: Media,
  target: Target,
  say: (line: string) => void,
): Promise<PictureTexts> {
  let described = 0;
  const differences: string[] = [];
  for (const { id, stored } of [...target.replica.images()]) {
    const item = byId.get(id);
    if (item === undefined || stored?.source === undefined || !isOwn(stored.source)) continue;
    const describe = (draft: Draft) => describeImage(item, source, draft, target.context);
    for (;;) {
      const preview = target.preview(describe);
      if (!('inTheWay' in preview) && !preview.isWritten) {
        differences.push(...preview.differences.map((line) => `image/${id} ${line}`));
        break;
      }
      const result = await target.decide(describe);
      if ('inTheWay' in result) {
        const holder = result.inTheWay;
        say(`${keyOf(holder)} ${whyInTheWay(holder)}: moved to ${await moveAway(keyOf(holder), target)}.`);
        continue;
      }
      if (result.isChanged) described += 1;
      differences.push(...result.differences.map((line) => `image/${id} ${line}`));
      break;
    }
  }
  return { described, differences };
}

export interface PictureTexts {
  /** Number of pictures whose texts were changed. */
  readonly described: number;
  /** Texts that both sides have changed, and that stay as they are here. */
  readonly differences: readonly string[];
}
