/** Copies of pictures that their source has deleted, and that nothing shows here. */

import { setTimeout as sleep } from 'node:timers/promises';
import { blobsOf } from '../../../functions/calendar/model/image-url.ts';
import type { ImageRecord } from '../../../functions/calendar/model/records.ts';
import { picturesIn } from '../../../functions/calendar/model/text/own-addresses.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';
import { fetchStatus, type Wait } from './fetch-picture.ts';
import { postsOf } from './in-the-way.ts';
import { section } from './report.ts';
import { ownAddresses } from './source-name.ts';
import type { Target } from './target.ts';
import { textsOf } from './texts.ts';

interface Options {
  readonly prunesMissing: boolean;
  readonly wait?: Wait | undefined;
}

/**
 * Deletes the copies of pictures that a source has deleted and that nothing shows: their records, bytes and sizes, and with them their old
 * addresses; without `prunesMissing` none. Returns the lines of the report. Bytes that a killed process leaves are swept by the service.
 */
export async function removeGonePictures(
  source: string,
  target: Target,
  { prunesMissing, wait = sleep }: Options,
): Promise<string[]> {
  const isOwn = ownAddresses(source);
  const shown = shownPictures(target.replica);
  const gone: string[] = [];
  const unread: string[] = [];
  for (const image of [...target.replica.images()]) {
    const url = image.stored?.source;
    if (url === undefined || shown.has(image.id) || !isOwn(url)) continue;
    const status = await fetchStatus(url, isOwn, wait).catch((error: Error) => error.message);
    if (typeof status === 'string') unread.push(`${url}: ${status}`);
    if (status !== 404 && status !== 410) continue;
    if (!prunesMissing || (await remove(image, target))) gone.push(url);
  }
  return [
    ...section(
      `Pictures deleted in the source, which nothing shows: they are ${prunesMissing ? 'deleted here too' : 'unchanged here, and --prune-missing deletes them'}`,
      gone.sort(),
    ),
    ...section('Pictures that nothing shows and that cannot be asked for', unread),
  ];
}

/** Returns the ids of the pictures that records show, whatever their status, as their images or in texts of any language. */
function shownPictures(replica: CalendarReplica): ReadonlySet<number> {
  return new Set(
    postsOf(replica).flatMap((post) => [
      ...(post.image === undefined ? [] : [post.image]),
      ...picturesIn(textsOf(post).join('\n'), (id) => replica.image(id)),
    ]),
  );
}

/** Deletes a picture, unless a record shows it by now, or it is another one. Returns whether it was deleted. */
async function remove({ id, stored }: ImageRecord, target: Target): Promise<boolean> {
  const removed = await target.decide((draft) => {
    const image = draft.replica.image(id);
    if (image === undefined || image.stored?.blob !== stored?.blob) return undefined;
    if (shownPictures(draft.replica).has(id)) return undefined;
    draft.delete(image);
    return image;
  });
  if (removed === undefined) return false;
  for (const blob of blobsOf(removed).values()) await target.pictures.delete(blob);
  return true;
}
