/** Copies of pictures that their source has deleted, and that nothing shows here. */

import { setTimeout as sleep } from 'node:timers/promises';
import { blobsOf } from '../../../functions/calendar/model/image-url.ts';
import type { ImageRecord } from '../../../functions/calendar/model/records.ts';
import { picturesIn } from '../../../functions/calendar/model/text/own-addresses.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';
import type { Draft } from './draft.ts';
import { fetchStatus } from './fetch-picture.ts';
import { postsOf } from './in-the-way.ts';
import { writtenTexts } from './record-decision.ts';
import type { ListItems } from './report-file.ts';
import type { Wait } from './request.ts';
import type { PictureSite } from './source-picture.ts';
import type { Target } from './target.ts';
import { textsOf } from './texts.ts';

interface Options {
  readonly prunesMissing: boolean;
  readonly wait?: Wait | undefined;
  readonly list: ListItems;
}

/**
 * Deletes the copies of pictures that a source has deleted and that nothing shows: their records, bytes and sizes, and with them their old
 * addresses; without `prunesMissing` none. Bytes that a killed process leaves are swept by the service.
 */
export async function removeGonePictures(
  { isOwn }: Pick<PictureSite, 'isOwn'>,
  target: Target,
  { prunesMissing, wait = sleep, list }: Options,
): Promise<void> {
  const shown = shownPictures(target.replica);
  const gone: string[] = [];
  const unread: string[] = [];
  const written: string[] = [];
  for (const image of [...target.replica.images()]) {
    const url = image.stored?.source;
    if (url === undefined || shown.has(image.id) || !isOwn(url)) continue;
    const status = await fetchStatus(url, isOwn, wait).catch((error: Error) => error.message);
    if (typeof status === 'string') unread.push(`${url}: ${status}`);
    if (status !== 404 && status !== 410) continue;
    const outcome = await target.decide((draft) => removal(image, draft, prunesMissing));
    if (outcome === 'written') written.push(`image/${image.id}`);
    if (outcome !== 'gone') continue;
    gone.push(url);
    if (prunesMissing) for (const blob of blobsOf(image).values()) await target.pictures.delete(blob);
  }
  list(
    'picturesDeletedThere',
    `Pictures deleted in the source, which nothing shows: they are ${prunesMissing ? 'deleted here too' : 'unchanged here, and --prune-missing deletes them'}`,
    gone.sort(),
  );
  list(
    'picturesWrittenHere',
    'Pictures deleted in the source, which nothing shows, and whose texts were written here: left as they are',
    written,
  );
  list('picturesUnread', 'Pictures that nothing shows and that cannot be asked for', unread);
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

/**
 * Decides about a picture that its source has deleted, and deletes it where that was asked for. One that a record shows by now, or that has
 * another file, stays; so does one whose texts people have written here.
 */
function removal({ id, stored }: ImageRecord, draft: Draft, isAsked: boolean): 'gone' | 'written' | 'kept' {
  const image = draft.replica.image(id);
  if (image === undefined || image.stored?.blob !== stored?.blob) return 'kept';
  if (shownPictures(draft.replica).has(id)) return 'kept';
  if (writtenTexts(image, draft).length > 0) return 'written';
  if (isAsked) draft.delete(image);
  return 'gone';
}
