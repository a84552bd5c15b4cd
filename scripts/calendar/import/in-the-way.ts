/**
 * Records beside those of a source: what imports make, an author and copies of pictures that texts alone show, and the people who write
 * here. They have numbers that no source reaches. Those that have the next number of the calendar, from earlier versions or from before the
 * first import, are in the way once the source gives it to a record of its own.
 */

import type { AnyPost, CalendarRecord, ImageRecord } from '../../../functions/calendar/model/records.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';
import { isImported } from './source-name.ts';

/** The subject of the author of what imports make. */
export const importSubject = 'import';

/** The first number of a record that an import makes. */
const firstReserved = 2_000_000_000;

/** The number that all counters have passed once records of a source are here, so that what is created here has numbers that no source reaches. */
export const lastOfSources = firstReserved;

/** Returns the number that no source reaches for an author, the import or a person: the present one, or the first that is free, other than that of a record in the way. */
export function reservedAuthor(replica: CalendarReplica, subject = importSubject, inTheWay = 0): number {
  const isFree = (id: number) => ['', subject].includes(replica.author(id)?.subject ?? '');
  return firstFree(subject === importSubject ? firstReserved : firstReserved + 1, inTheWay, isFree);
}

/** Returns the number for the copy of a picture of a blob in the same way. */
export function reservedPicture(replica: CalendarReplica, blob: string, inTheWay = 0): number {
  const isFree = (id: number) =>
    replica.post(id) === undefined && [undefined, blob].includes(replica.image(id)?.stored?.blob);
  return firstFree(firstReserved, inTheWay, isFree);
}

function firstFree(first: number, inTheWay: number, isFree: (id: number) => boolean): number {
  let id = first;
  while (id === inTheWay || !isFree(id)) id += 1;
  return id;
}

/** Checks whether a record that is not of the source has the number of one of its records: an import has made it, or it is a person who writes here. */
export function isInTheWay(
  record: CalendarRecord,
  current: CalendarRecord,
  replica: CalendarReplica,
): boolean {
  if (record.kind === 'author')
    return current.kind === 'author' && isImported(record.subject) && !isImported(current.subject);
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
