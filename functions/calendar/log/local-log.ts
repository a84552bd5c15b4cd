/** What this process knows of the log - the replica of the caller, which row each record is in, the last known head - and how that is brought up to the head. Why this is right: `docs/decisions/calendar-log.md`. */

import { backoff } from '../../../shared/timing.ts';
import { isUnreachable, TableFailure } from './failure.ts';
import type { Change, Progress, Replica } from './log.ts';
import { type Head, noHead } from './rows.ts';
import type { Table } from './table.ts';

/** Versions per range of a load: its rows come in one page, and a page has at most 1,000. */
const rangeVersions = 1_000;
const maxRanges = 256;
/** Ranges that are asked for at once. More are hardly faster, and take more memory. */
const rangesAhead = 4;
/** The attempts of a call, and the longest wait after the first failure in milliseconds: enough for a short hiccup. */
const maxAttempts = 4;
const firstWait = 100;
/** The longest wait in milliseconds for tables that are too busy. */
const maxWaitWhileBusy = 5_000;

/**
 * Reads the head, and the rows that are newer than the replica when it moved. When the head belongs to another history
 * (the table was replaced, or restored from a copy), everything is loaded anew. What a load has applied before it failed is kept, and
 * the next one continues after it.
 */
export async function synchronise(table: Table, local: LocalLog): Promise<void> {
  const { version, history } = local;
  const head = await retried(() => readHead(table));
  if (head.version < version || (history !== '' && head.log !== history)) local.clear();
  if (head.version > local.version) await load(table, local, head);
  local.setHead(head);
}

async function readHead(table: Table): Promise<Head> {
  try {
    return await table.head();
  } catch (error) {
    if (!(error instanceof TableFailure && error.reason === 'no-table')) throw error;
    await table.create();
    return noHead;
  }
}

/**
 * Applies new changes: all at once while the replica is in use, else portion by portion, so that the texts of a large calendar are never in
 * memory all together, and a load that fails has not been for nothing.
 */
async function load(table: Table, local: LocalLog, head: Head): Promise<void> {
  local.setWanted(head);
  const portions = changesSince(table, local.version, head.version);
  if (local.loaded) local.apply((await Array.fromAsync(portions)).flat());
  else for await (const portion of portions) local.apply(portion);
  if (local.version < head.version)
    throw new Error(
      `Cannot read the calendar's log: its head has version ${head.version}, its newest row ${local.version}`,
    );
}

/**
 * Reads all rows above a version, in ascending order. The last scan, page after page to the end of the log, is what makes
 * the whole a true state: the one at the time of its last page. Many rows are read in ranges before it, some at once.
 */
async function* changesSince(table: Table, after: number, head: number): AsyncGenerator<Change[]> {
  const ranges = rangesBetween(after, head);
  yield* readAhead(ranges, ([from, upTo]) => scan(table, from, upTo));
  yield scan(table, ranges.length === 0 ? after : head, Number.MAX_SAFE_INTEGER);
}

type Range = readonly [after: number, upTo: number];

/** Divides the versions above `after` and up to `upTo` evenly; none when they are few. */
function rangesBetween(after: number, upTo: number): Range[] {
  if (upTo - after <= rangeVersions) return [];
  const count = Math.min(maxRanges, Math.ceil((upTo - after) / rangeVersions));
  const bound = (index: number) => after + Math.floor(((upTo - after) * index) / count);
  return Array.from({ length: count }, (_, index) => [bound(index), bound(index + 1)]);
}

/** Reads several items at once, and gives what came of them in their order. */
async function* readAhead<T, R>(items: readonly T[], read: (item: T) => Promise<R>): AsyncGenerator<R> {
  const pending: Promise<R>[] = [];
  for (const item of items) {
    const result = read(item);
    // The consumer of the promise sees a failure; after an earlier failure it has none.
    result.catch(() => {});
    pending.push(result);
    if (pending.length === rangesAhead) yield* pending.splice(0, 1);
  }
  yield* pending;
}

/** Reads the rows above `after` and up to `upTo`, page by page. An empty page may have a next one. */
async function scan(table: Table, after: number, upTo: number): Promise<Change[]> {
  const changes: Change[] = [];
  let next: string | undefined;
  do {
    const page = await retried(() => table.page(after, upTo, next), true);
    changes.push(...page.changes);
    next = page.next;
  } while (next !== undefined);
  return changes;
}

/**
 * Calls again, a few times, when the tables could not be reached; `untilServed` as often as they answer that they are too busy, since
 * they serve the call in the end. Only for what changes nothing.
 */
async function retried<T>(call: () => Promise<T>, untilServed = false): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      const { throttling } = error;
      if (attempt >= maxAttempts && !(untilServed && throttling !== undefined)) throw error;
      const maxWait = throttling === undefined ? undefined : maxWaitWhileBusy;
      await backoff(attempt, { firstWait, maxWait, retryAfter: throttling?.retryAfterMs });
    }
  }
}

/** The local state of a log. Nothing of the log was read at first. */
export class LocalLog {
  readonly #replica: Replica;
  /** Versions under which live records are stored, by key. */
  readonly #versions = new Map<string, number>();
  #version = 0;
  #head = noHead;
  #wanted = noHead;
  #loaded = false;
  /** Whether the tables could be reached when they were last asked. */
  isReachable = true;

  constructor(replica: Replica) {
    this.#replica = replica;
  }

  /** Version of the newest change that the replica has. */
  get version(): number {
    return this.#version;
  }

  /** The last known head; older than the replica when rows were read that are newer than it. */
  get head(): Head {
    return this.#head;
  }

  /** Name of the history that the replica has, or has a part of. Empty before the first write. */
  get history(): string {
    return this.#loaded ? this.#head.log : this.#wanted.log;
  }

  /** How far the replica is. A part of the log is no state: nobody may be answered from it. */
  get progress(): Progress {
    const wanted = Math.max(this.#version, this.#wanted.version);
    return { version: this.#version, wanted, records: this.records, isWhole: this.#loaded };
  }

  /** Number of live records. */
  get records(): number {
    return this.#versions.size;
  }

  /** Whether the replica was up to date at some time, and has not been cleared since. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Returns the version under which a live record is stored. */
  versionOf(key: string): number | undefined {
    return this.#versions.get(key);
  }

  /** Applies changes in ascending order of version, and skips those that were applied before. */
  apply(changes: readonly Change[]): void {
    const newChanges = lastOfEachKey(changes.filter(({ version }) => version > this.#version));
    if (newChanges.length === 0) return;
    this.#replica.apply(newChanges);
    for (const { key, json, version } of newChanges) {
      if (json === null) this.#versions.delete(key);
      else this.#versions.set(key, version);
      this.#version = version;
    }
  }

  /** Sets the head up to which the log is being read. */
  setWanted(head: Head): void {
    this.#wanted = head;
  }

  /** Sets the head, once the replica holds all of it, unless a newer one is known. */
  setHead(newer: Head): void {
    if (newer.version > this.#version) return;
    this.#loaded = true;
    if (newer.version >= this.#head.version) this.#head = newer;
  }

  clear(): void {
    this.#replica.clear();
    this.#versions.clear();
    this.#version = 0;
    this.#head = noHead;
    this.#wanted = noHead;
    this.#loaded = false;
  }
}

/** Leaves out the changes that a later one of the same key replaces; a scan meets them when a record changes meanwhile. */
function lastOfEachKey(changes: readonly Change[]): readonly Change[] {
  const last = new Map<string, number>();
  for (const [index, { key }] of changes.entries()) last.set(key, index);
  if (last.size === changes.length) return changes;
  return changes.filter((change, index) => last.get(change.key) === index);
}
