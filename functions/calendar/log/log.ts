/** The contract between the calendar and its store: a versioned log in one partition, and a replica of it in memory. */

import type { Credential } from '../../../shared/managed-identity.ts';
import type { BlobStore } from '../blobs/blob-store.ts';

/** A live record: `key` is its kind and id (`event/12`), unique in the calendar; `json` its whole JSON text. */
export interface StoredRecord {
  readonly key: string;
  readonly json: string;
}

/**
 * A change of a record: its new JSON text, or null for a deletion (a tombstone). Each change has its version. Some characters of the text
 * may be spelled as escapes, which saves memory.
 */
export interface Change {
  readonly key: string;
  readonly json: string | null;
  readonly version: number;
}

/** The calendar in memory: indexes over the live records, kept by the caller and fed by the log. */
export interface Replica {
  /**
   * Takes in changes, in ascending order of version, each key at most once; synchronous, so that no reader
   * sees half of a write. A key that is known is replaced, one that is unknown is added, and a tombstone of
   * an unknown key is ignored. A first load comes in several calls, before the first `read` is answered.
   */
  apply(changes: readonly Change[]): void;
  /** Forgets every record: the table was replaced, and the log is about to be loaded anew. */
  clear(): void;
}

/** What a record was under an earlier version, until another replaced it. */
export interface PastRecord {
  readonly key: string;
  /** Version of the log under which it was written. */
  readonly version: number;
  readonly json: string;
}

/** The earlier versions of records. They are no part of the state: a replica has none of them. */
export interface RecordHistory {
  /** Returns the versions of a record that are kept, and are before a version; the newest first, `limit` at most. */
  list(key: string, options: PastRange): Promise<PastRecord[]>;
  /**
   * Removes the versions that are not kept any longer. Does nothing where any process has done it in the last day. Resolves with their
   * number; undefined where it has done nothing.
   */
  sweep(): Promise<number | undefined>;
}

/** Drafts of the next versions of records: a row each beside the log, which no replica has. */
export interface DraftRows {
  /** Reads the draft of a record, with the tag of its row. */
  read(key: string): Promise<DraftRow | undefined>;
  /** Puts a draft in the place of the one of a tag, or of none; resolves with whether that is what was there. */
  put(key: string, json: string, etag: string | undefined): Promise<boolean>;
  /** Removes the draft of a tag; resolves with whether that is what was there. */
  remove(key: string, etag: string): Promise<boolean>;
}

export interface DraftRow {
  readonly json: string;
  readonly etag: string;
}

export interface PastRange {
  /** Default: the newest. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** The id spaces: events, venues, organizers and images share `post`, categories and tags share `term`, authors are in `user`. */
export type IdSpace = 'post' | 'term' | 'user';

/** Draws the next id of a space: 1, 2, 3, ... Ids of committed writes are never given again. */
export type TakeId = (space: IdSpace) => number;

/** What a write does: the records it creates or replaces, the keys it deletes, and what it answers. */
export interface Decision<T> {
  readonly puts: readonly StoredRecord[];
  /** Keys of live records. To delete or put one key twice is a TypeError. */
  readonly deletes: readonly string[];
  /** Records as they were before it, which are kept as earlier versions. */
  readonly replaced?: readonly PastRecord[];
  /** The largest id of each space that it puts without drawing it: ids that are drawn later lie above. */
  readonly usedIds?: Partial<Readonly<Record<IdSpace, number>>>;
  readonly result: T;
}

/** State of the replica for one read. */
export interface Freshness {
  /** Version of the log that the replica holds; it grows with every change. */
  readonly version: number;
  /** Names the history that the version counts in: another one after the table was replaced. Empty before the first write. */
  readonly history: string;
  /** True when the tables could not be reached, and the replica is what was last known. */
  readonly stale: boolean;
  /** Whole seconds since the replica was last known to be up to date; 0 when it is not stale. */
  readonly age: number;
}

/** How much of the log the replica has. */
export interface Progress {
  /** Version of the newest change that it has. */
  readonly version: number;
  /** Version of the newest change that the log is known to have. */
  readonly wanted: number;
  /** Number of live records that it has. */
  readonly records: number;
  /** False while the log is being loaded, the first time or anew: what the replica has then is no state that the calendar ever had. */
  readonly isWhole: boolean;
}

/**
 * A calendar's log. Every failure that a caller can meet is a CodedError. `unavailable`: tables unreachable or too busy, with
 * `retryAfter`. `too-large`: a record or a write beyond the limits of Azure Tables. `misconfigured`: no connection, no right, no table.
 */
export interface Log {
  /**
   * Brings the replica up to date: when the promise resolves it holds every write that was acknowledged, by
   * any process, before the call. Answer from the replica without awaiting anything else in between.
   * While the tables are unreachable it resolves with `stale: true`, for `staleIfError` seconds.
   *
   * With `maxAgeMs` it holds what was acknowledged that many milliseconds before the call: calls share what one of them has found. It
   * holds every write of this process in any case.
   */
  read(maxAgeMs?: number): Promise<Freshness>;
  /**
   * Decides against an up-to-date replica, commits in one transaction, and resolves with the decision's result; the replica holds the
   * write by then. `decide` is synchronous, changes nothing itself, and runs again when another process was faster. Its error is thrown
   * once it was thrown for an up-to-date replica. A decision without puts and deletes writes nothing. At most 100 rows: 1, and for each
   * record 1 (new) or 2, and 1 for each that is kept as it was. Writes of one process are queued, fairly by `callerKey`; throws `overloaded` when too many are, or for too long.
   */
  write<T>(decide: (takeId: TakeId) => Decision<T>, callerKey?: string): Promise<T>;
  /** Returns how far the replica is, without asking the tables. */
  progress(): Progress;
  /** Returns the instant of the latest write that the replica holds, in seconds; undefined where that is not known. A log without instants has no such method. */
  changedAt?(): number | undefined;
  /** The earlier versions of records. A log that keeps none has no such member. */
  readonly history?: RecordHistory;
  /** The drafts of next versions. A log that keeps none has no such member. */
  readonly drafts?: DraftRows;
  /** Stops: what waits ends with `unavailable`. */
  close(): void;
}

/** Where the log is. With `connectionString` the endpoint is not used. */
export interface LogSettings {
  readonly connectionString: string;
  /** URL of the table service, used with `credential` of the options when there is no connection string. */
  readonly endpoint: string;
  readonly tableName: string;
  /** Name of the calendar: its partition. */
  readonly calendar: string;
  /** Seconds for which reads are answered from memory while the tables are unreachable. */
  readonly staleIfError: number;
}

export interface SnapshotOptions {
  readonly store: BlobStore;
  /** Versions of the log after which a new snapshot is written. */
  readonly after: number;
}

export interface LogOptions {
  readonly replica: Replica;
  /** Called once, on first use, when there is no connection string. */
  readonly credential?: () => Credential | Promise<Credential>;
  /** Snapshots of the log. Default: none are read or written. */
  readonly snapshots?: SnapshotOptions | undefined;
  /** Days for which versions of records are kept after they were replaced. Default 0: none are. */
  readonly historyDays?: number;
  /** Milliseconds that one `read` or `write` may take; default 8,000, below the request's 10 s. */
  readonly budget?: number;
  /** Milliseconds that one call to the tables may take; default 3,000. */
  readonly callTimeout?: number;
  /** Milliseconds on a clock that never goes back, for the age of the replica; default `performance.now`. */
  readonly now?: () => number;
}
