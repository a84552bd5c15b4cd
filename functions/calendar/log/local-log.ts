/** What this process knows of the log - the replica of the caller, which row each record is in, the last known head - and how that is brought up to the head. Why this is right: `docs/decisions/calendar-log.md`. */

import { logSnapshot } from '../../../shared/telemetry/log.ts';
import type { Change, Progress, Replica } from './log.ts';
import { type Head, noHead } from './rows.ts';
import { changesSince, headOf } from './scan.ts';
import { type Snapshots, UnusableSnapshot } from './snapshots.ts';
import type { Table } from './table.ts';

/** What is read of snapshots; undefined where there are none. */
type ReadableSnapshots = Pick<Snapshots, 'read'> | undefined;

/**
 * Reads the head, and the rows that are newer than the replica when it moved. When the head belongs to another history
 * (the table was replaced, or restored from a copy), everything is loaded anew. What a load has applied before it failed is kept, and
 * the next one continues after it.
 */
export async function synchronise(
  table: Table,
  local: LocalLog,
  snapshots?: ReadableSnapshots,
): Promise<void> {
  const { version, history } = local;
  const head = await headOf(table);
  if (head.version < version || (history !== '' && head.log !== history)) local.clear();
  if (head.version > local.version) await load(table, local, head, snapshots);
  local.setHead(head);
}

/**
 * Applies new changes: all at once while the replica is in use, else portion by portion, so that the texts of a large calendar are never in
 * memory all together, and a load that fails has not been for nothing.
 */
async function load(table: Table, local: LocalLog, head: Head, snapshots: ReadableSnapshots): Promise<void> {
  if (local.version === 0 && head.snapshot !== undefined) {
    // A calendar that was found empty is whole until the first portion of the snapshot: nobody may be answered from there on.
    local.clear();
    local.setWanted(head);
    await loadSnapshot(local, head, snapshots);
  }
  local.setWanted(head);
  const portions = changesSince(table, local.version, head.version);
  if (local.loaded) local.apply((await Array.fromAsync(portions)).flat());
  else for await (const portion of portions) local.apply(portion);
  if (local.version < head.version)
    throw new Error(
      `Cannot read the calendar's log: its head has version ${head.version}, its newest row ${local.version}`,
    );
}

/** Applies the snapshot that the head names. One that cannot be used is ignored: the rows have all that it has. */
async function loadSnapshot(local: LocalLog, head: Head, snapshots: ReadableSnapshots): Promise<void> {
  if (snapshots === undefined) return;
  try {
    for await (const portion of snapshots.read(head)) local.apply(portion);
  } catch (error) {
    if (!(error instanceof UnusableSnapshot)) throw error;
    logSnapshot('ignored', { version: head.snapshot?.version, reason: error.reason });
    local.clear();
    local.setWanted(head);
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

  /** Instant of the latest write that the replica has, in seconds; undefined where the head is older than the replica, or does not say it. */
  get changedAt(): number | undefined {
    return this.#head.version === this.#version ? this.#head.changed : undefined;
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
