/**
 * Records that imports make beside those of a source: an author, and copies of pictures that texts alone show. They have numbers that no
 * source reaches. Earlier versions took the next number of the calendar, which the source gives to a record of its own one day.
 */

import type { AnyPost, CalendarRecord, ImageRecord } from '../../../functions/calendar/model/records.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';

/** The subject of the author of what imports make. */
export const importSubject = 'import';

/** The first number of a record that an import makes. */
const firstReserved = 2_000_000_000;

/** Checks whether a number is one that only imports give: the counters of the calendar never follow it. */
export function isReserved(id: number): boolean {
  return id >= firstReserved;
}

/** Returns the number of the author of imports: the present one, or the first that is free. */
export function reservedAuthor(replica: CalendarReplica): number {
  let id = firstReserved;
  while (!['', importSubject].includes(replica.author(id)?.subject ?? '')) id += 1;
  return id;
}

/** Returns the number for the copy of a picture of a blob: the present one, or the first that is free. */
export function reservedPicture(replica: CalendarReplica, blob: string): number {
  let id = firstReserved;
  while (replica.post(id) !== undefined || ![undefined, blob].includes(replica.image(id)?.stored?.blob))
    id += 1;
  return id;
}

/** Checks whether a record that an import has made here has the number of a record of the source. */
export function isInTheWay(
  record: CalendarRecord,
  current: CalendarRecord,
  replica: CalendarReplica,
): boolean {
  if (record.kind === 'author')
    return current.kind === 'author' && current.subject === importSubject && record.subject !== importSubject;
  if (current.kind !== 'image' || current.stored?.source === undefined) return false;
  if (replica.author(current.stored.author)?.subject !== importSubject) return false;
  // The picture of a record has its number from the source.
  return record.kind !== 'image' || !isShownOrSame(record, current, replica);
}

function isShownOrSame(record: ImageRecord, current: ImageRecord, replica: CalendarReplica): boolean {
  const { source } = current.stored ?? {};
  if ((record.stored?.source ?? record.url) === source) return true;
  return postsOf(replica).some(({ image }) => image === current.id);
}

/** Returns all events, venues and organizers. */
export function postsOf({ posts }: CalendarReplica): AnyPost[] {
  return Object.values(posts).flatMap((set) => [...set.values()].map(({ record }) => record));
}
