/** Records as the replica holds them: with the facts that lists and rights ask for, ready at hand. */

import { readWall } from '../model/dates/wall.ts';
import type { AnyPost, EventRecord, OrganizerRecord, Status, VenueRecord } from '../model/records.ts';

/** An event, venue or organizer in the replica. Instants are seconds since 1970 UTC. */
export interface PostEntry<R extends AnyPost = AnyPost> {
  readonly record: R;
  /** Version of the log under which it was last written. */
  readonly version: number;
  /** The status that counts now: `future` reads as `publish` once its time has come. */
  readonly status: Status;
  /** Instant of publication. */
  readonly published: number;
}

export interface EventEntry extends PostEntry<EventRecord> {
  readonly start: number;
  readonly end: number;
}

export type VenueEntry = PostEntry<VenueRecord>;
export type OrganizerEntry = PostEntry<OrganizerRecord>;

/** The entry of a record. */
export type EntryOf<R extends AnyPost> = R extends EventRecord ? EventEntry : PostEntry<R>;

/** Makes the entry of an event, venue or organizer, as things stand at an instant. */
export function entryOf<R extends AnyPost>(record: R, version: number, now: number): EntryOf<R> {
  const published = readWall(record.date_utc);
  const status = record.status === 'future' && published <= now ? 'publish' : record.status;
  const entry = { record, version, status, published };
  if (record.kind !== 'event') return entry as unknown as EntryOf<R>;
  const start = readWall(record.utc_start_date);
  const end = readWall(record.utc_end_date);
  return { ...entry, start, end } as unknown as EntryOf<R>;
}
