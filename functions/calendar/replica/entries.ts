/** Records in the replica: their keys, how they are read, and the facts that lists and rights need. */

import { readWall } from '../model/dates/wall.ts';
import type { AnyPost, CalendarRecord, EventRecord, OrganizerRecord, VenueRecord } from '../model/records.ts';
import type { Kind, Status } from '../model/values.ts';
import { invalidField } from './shapes.ts';

/** Pairs of fields whose texts are often equal. */
const duplicates: readonly (readonly [keyof EventRecord, keyof EventRecord])[] = [
  ['date', 'date_utc'],
  ['date', 'modified'],
  ['date_utc', 'modified_utc'],
  ['modified', 'modified_utc'],
  ['start_date', 'utc_start_date'],
  ['end_date', 'utc_end_date'],
];
/** Fields whose texts are often equal in consecutive records. */
const repeated = ['date', 'modified'] as const;
const lastSeen: Partial<Record<(typeof repeated)[number], string>> = {};

/** Names of time zones that records share, at most. */
const maxZones = 1_000;

const zones = new Map<string, string>();

/** An event, venue or organizer in the replica. Instants are seconds since 1970 UTC. */
export interface PostEntry<R extends AnyPost = AnyPost> {
  readonly record: R;
  /** Names this state of the record in this process. No other entry has it. */
  readonly serial: number;
  /** Version of the log under which the record was last written. */
  readonly version: number;
  /** The present status: `future` becomes `publish` at the instant of publication. */
  readonly status: Status;
  /** Instant of publication. */
  readonly published: number;
}

export interface EventEntry extends PostEntry<EventRecord> {
  /** Whether the event has a password. */
  readonly isProtected: boolean;
  readonly start: number;
  readonly end: number;
}

/** Returns the id of the image that a record shows to every reader: while it is published, and has no password. */
export function publicImage(entry: Pick<PostEntry, 'record' | 'status'>): number | undefined {
  return isPublic(entry) ? entry.record.image : undefined;
}

/** Checks whether every reader may read the whole of a record: while it is published, and has no password. */
export function isPublic({ record, status }: Pick<PostEntry, 'record' | 'status'>): boolean {
  return status === 'publish' && !('access_password' in record);
}

export type VenueEntry = PostEntry<VenueRecord>;
export type OrganizerEntry = PostEntry<OrganizerRecord>;

/** The entry of a record. */
export type EntryOf<R extends AnyPost> = R extends EventRecord ? EventEntry : PostEntry<R>;

let lastSerial = 0;

/** Creates the entry of an event, venue or organizer at an instant. */
export function entryOf<R extends AnyPost>(record: R, version: number, now: number): EntryOf<R> {
  const published = readWall(record.date_utc);
  const status = record.status === 'future' && published <= now ? 'publish' : record.status;
  lastSerial += 1;
  const entry = { record, serial: lastSerial, version, status, published };
  if (record.kind !== 'event') return entry as unknown as EntryOf<R>;
  const start = readWall(record.utc_start_date);
  const end = readWall(record.utc_end_date);
  const isProtected = record.access_password !== undefined;
  return { ...entry, start, end, isProtected } as unknown as EntryOf<R>;
}

/** Returns the key of a record in the log, unique in the calendar. */
export function keyOf({ kind, id }: { readonly kind: Kind; readonly id: number }): string {
  return `${kind}/${id}`;
}

/** Reads what `keyOf` wrote. */
export function readKey(key: string): { readonly kind: Kind; readonly id: number } {
  const slash = key.indexOf('/');
  return { kind: key.slice(0, slash) as Kind, id: Number(key.slice(slash + 1)) };
}

/** The record of a JSON text, or the field that makes it invalid. */
type ReadRecord = { readonly record: CalendarRecord } | { readonly invalid: string };

/** Parses the JSON text of the record of a key. Equal dates and names of zones share memory. */
export function readRecord(json: string, kind: Kind, id: number): ReadRecord {
  const value = parseRecord(json);
  const invalid = invalidField(value, kind, id);
  if (invalid !== undefined) return { invalid };
  const record = value as Record<string, unknown>;
  for (const field of repeated) {
    const text = record[field];
    if (text === lastSeen[field]) record[field] = lastSeen[field];
    else if (typeof text === 'string') lastSeen[field] = text;
  }
  const { timezone } = record;
  if (typeof timezone === 'string') record['timezone'] = sharedZone(timezone);
  for (const [field, duplicate] of duplicates)
    if (record[field] === record[duplicate]) record[duplicate] = record[field];
  return { record: record as unknown as CalendarRecord };
}

function parseRecord(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function sharedZone(name: string): string {
  const cached = zones.get(name);
  if (cached !== undefined) return cached;
  if (zones.size >= maxZones) zones.clear();
  zones.set(name, name);
  return name;
}
