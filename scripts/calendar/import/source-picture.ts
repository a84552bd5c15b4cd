/** The pictures of a source and their copies. */

import { hash } from 'node:crypto';
import type { CalendarRecord, ImageRecord } from '../../../functions/calendar/model/records.ts';
import { hostOf, type IsOwn } from './source-name.ts';

/** A site, and from where its pictures are copied. */
export interface PictureSite {
  /** Its address, to which paths in its texts belong. */
  readonly source: string;
  readonly isOwn: IsOwn;
}

/** Checks whether an import has copied the bytes of an image, and the source has the same still. */
export function isCopied(record: CalendarRecord, current: CalendarRecord): boolean {
  if (record.kind !== 'image' || current.kind !== 'image' || record.stored !== undefined) return false;
  const { source, source_state } = current.stored ?? {};
  if (source === undefined) return false;
  if (source_state !== undefined) return source_state === sourceState(record);
  // A copy of an earlier version.
  const isSameSize = record.filesize === undefined || record.filesize === current.filesize;
  return fileOf(source) === fileOf(record.url) && isSameSize;
}

/** Checks whether an image was imported from the site of another: the site may have changed its file, and the name of that. */
export function isSameFile(record: ImageRecord, current: ImageRecord): boolean {
  const source = current.stored?.source ?? current.url;
  if (isCopied(record, current) || fileOf(record.url) === fileOf(source)) return true;
  return URL.canParse(source) && URL.canParse(record.url) && hostOf(source) === hostOf(record.url);
}

/** Names what a source says of an image: its address, bytes and sizes. */
export function sourceState({ url, filesize, sizes = {} }: ImageRecord): string {
  const ofSizes = Object.entries(sizes).map(([name, size]) => `${name} ${size.url}`);
  return hash('sha256', [url, filesize, ...ofSizes.sort()].join('\n')).slice(0, 16);
}

function fileOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}
