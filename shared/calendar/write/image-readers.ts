/** Finds the images whose readers change with a write: readers see an image while a published record shows it. */

import type { AnyPost, CalendarRecord, ImageRecord } from '../model/records.ts';
import { keyOf, publicImage } from '../replica/entries.ts';
import type { CalendarReplica } from '../replica/replica.ts';

type Records = ReadonlyMap<string, CalendarRecord>;

/** Returns the stored images that a write shows to readers, or hides from them. They are written again, so that the change feed names them. */
export function imagesOfNewReaders(written: Records, replica: CalendarReplica): ImageRecord[] {
  const ids = new Set<number>();
  for (const record of written.values()) {
    if (!isPost(record)) continue;
    const [before, after] = [imageOf(replica.post(record.id)?.record), imageOf(record)];
    if (before === after) continue;
    for (const id of [before, after]) if (id !== undefined) ids.add(id);
  }
  return [...ids].flatMap((id) => {
    const image = replica.image(id);
    if (image === undefined || written.has(keyOf(image))) return [];
    return isShownElsewhere(id, written, replica) ? [] : image;
  });
}

/** Checks whether a record that is not written shows an image to readers. */
function isShownElsewhere(id: number, written: Records, replica: CalendarReplica): boolean {
  for (const set of Object.values(replica.posts))
    for (const { record } of set.values())
      if (imageOf(record) === id && !written.has(keyOf(record))) return true;
  return false;
}

/** What the log says counts: the clock publishes without a change. */
function imageOf(record: AnyPost | undefined): number | undefined {
  return record && publicImage({ record, status: record.status });
}

function isPost(record: CalendarRecord): record is AnyPost {
  return record.kind === 'event' || record.kind === 'venue' || record.kind === 'organizer';
}
