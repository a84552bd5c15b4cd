/** Copies the pictures of a site, so that it can be switched off: those that records show, their sizes, and those in descriptions. */

import { setTimeout as sleep } from 'node:timers/promises';
import { storedPrefix } from '../../../functions/calendar/model/image-url.ts';
import type { ImageRecord } from '../../../functions/calendar/model/records.ts';
import { fileNameOf } from '../../../functions/calendar/model/text/file-name.ts';
import { escapedText } from '../../../functions/calendar/model/text/html.ts';
import type { ImageSize, StoredPicture } from '../../../functions/calendar/model/values.ts';
import { pictureTypes } from '../../../functions/calendar/pictures/picture-type.ts';
import { type UploadedPicture, uploadPicture } from '../../../functions/calendar/pictures/upload.ts';
import { fetchPicture, type IsOwn, type Wait } from './fetch-picture.ts';
import type { ImportOptions } from './import.ts';
import { postsOf, reservedPicture } from './in-the-way.ts';
import type { Limits } from './limits.ts';
import { addressKey, copiedAddresses, pictureUrl, withCopiedPictures } from './picture-addresses.ts';
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
  readonly isOwn: IsOwn;
  readonly wait: Wait;
  readonly limits: Limits;
}

/** Copies the pictures of a source that are not copied yet, one at a time, and writes each at once: an interrupted run resumes. */
export async function importPictures(
  source: string,
  target: Target,
  { limits, say, wait = sleep }: PictureOptions,
): Promise<PictureReport> {
  const host = hostOf(source);
  const isOwn = (url: string) => URL.canParse(url) && hostOf(url) === host;
  const site: Site = { isOwn, wait, limits };
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
  for (const image of [...target.replica.images()])
    if (image.stored === undefined && isOwn(image.url))
      await copy(image.url, () => copyImage(image, site, target));
  for (const url of addressesInTexts(target, isOwn)) await copy(url, () => copyAddress(url, site, target));
  await rewriteTexts(target);
  return { copied, failed };
}

/** Copies an image and its sizes. A size that cannot be copied is left out. */
async function copyImage(image: ImageRecord, site: Site, target: Target): Promise<void> {
  const uploaded = await upload(image.url, site, target);
  const sizes: Record<string, ImageSize> = {};
  for (const [name, size] of Object.entries(image.sizes ?? {})) {
    const part = await upload(size.url, site, target).catch(() => undefined);
    if (part === undefined) continue;
    const { width, height, type, bytes, blob } = part;
    const file = fileNameOf(pathOf(size.url), pictureTypes[type]);
    sizes[name] = { width, height, 'mime-type': type, filesize: bytes, url: storedPrefix + blob, file };
  }
  await target.store((author) => [recordOf(image.id, image.url, uploaded, sizes, author, target)]);
}

/** Copies a picture that only a text has. */
async function copyAddress(url: string, site: Site, target: Target): Promise<void> {
  const uploaded = await upload(url, site, target);
  const id = reservedPicture(target.replica, uploaded.blob);
  await target.store((author) => [recordOf(id, url, uploaded, {}, author, target)]);
}

function upload(url: string, { isOwn, wait, limits }: Site, { pictures }: Target): Promise<UploadedPicture> {
  return uploadPicture(pictures, fetchPicture(url, isOwn, wait), { maxBytes: limits.pictureBytes });
}

function recordOf(
  id: number,
  source: string,
  { blob, type, width, height, bytes }: UploadedPicture,
  sizes: Readonly<Record<string, ImageSize>>,
  author: number,
  { now }: Pick<Target, 'now'>,
): ImageRecord {
  const file = fileNameOf(pathOf(source), pictureTypes[type]);
  const { date, date_utc } = now();
  const stored: StoredPicture = {
    blob,
    file,
    mime_type: type,
    author,
    source,
    date,
    date_utc,
    modified: date,
    modified_utc: date_utc,
    title: escapedText(file.replace(/\.\w+$/, '')),
  };
  const hasSizes = Object.keys(sizes).length > 0;
  const facts = { width, height, filesize: bytes, ...(hasSizes ? { sizes } : {}) };
  return { kind: 'image', id, url: storedPrefix + blob, ...facts, stored };
}

function pathOf(url: string): string {
  const { pathname } = new URL(url);
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** Returns the addresses in texts that are not copied, each once. */
function addressesInTexts(target: Target, isOwn: (url: string) => boolean): string[] {
  const copied = copiedAddresses(target);
  const found = new Map<string, string>();
  for (const { description = '', excerpt = '' } of postsOf(target.replica))
    for (const [url] of `${description}\n${excerpt}`.matchAll(pictureUrl))
      if (isOwn(url) && !copied.has(addressKey(url))) found.set(addressKey(url), url);
  return [...found.values()];
}

async function rewriteTexts(target: Target): Promise<void> {
  const addresses = copiedAddresses(target);
  for (const record of postsOf(target.replica)) {
    const changed = withCopiedPictures(record, addresses);
    if (changed.description !== record.description || changed.excerpt !== record.excerpt)
      await target.store(() => [changed]);
  }
}
