/** What this process knows of the log: the caller's replica, which row each record is in, and the last known head. */

import type { Change, Replica } from './log.ts';
import { type Head, noHead } from './rows.ts';

export interface LocalLog {
  /** Version of the newest change that the replica has. */
  readonly version: number;
  /** The last known head; older than the replica when rows were read that are newer than it. */
  readonly head: Head;
  /** How many records live. */
  readonly records: number;
  /** Whether the replica was up to date at some time, and has not been cleared since. */
  readonly loaded: boolean;
  /** Whether the tables could be reached when they were last asked. */
  isReachable: boolean;
  /** Version under which a live record is stored. */
  versionOf(key: string): number | undefined;
  /** Applies changes in ascending order of version, and skips those that were applied before. */
  apply(changes: readonly Change[]): void;
  /** Sets the head, once the replica holds all of it, unless a newer one is known. */
  setHead(head: Head): void;
  clear(): void;
}

/** Creates the local state of a log that nothing was read of yet. */
export function createLocalLog(replica: Replica): LocalLog {
  const versions = new Map<string, number>();
  let version = 0;
  let head = noHead;
  let loaded = false;

  function note({ key, json, version: changed }: Change): void {
    if (json === null) versions.delete(key);
    else versions.set(key, changed);
  }

  return {
    get version() {
      return version;
    },
    get head() {
      return head;
    },
    get records() {
      return versions.size;
    },
    get loaded() {
      return loaded;
    },
    isReachable: true,
    versionOf: (key) => versions.get(key),
    apply(changes) {
      const fresh = lastOfEachKey(changes.filter((change) => change.version > version));
      if (fresh.length === 0) return;
      replica.apply(fresh);
      fresh.forEach(note);
      version = fresh.at(-1)?.version ?? version;
    },
    setHead(newer) {
      if (newer.version > version) return;
      loaded = true;
      if (newer.version >= head.version) head = newer;
    },
    clear() {
      replica.clear();
      versions.clear();
      version = 0;
      head = noHead;
      loaded = false;
    },
  };
}

/** Leaves out the changes that a later one of the same key replaces; a scan meets them when a record changes meanwhile. */
function lastOfEachKey(changes: readonly Change[]): readonly Change[] {
  const last = new Map<string, number>();
  for (const [index, { key }] of changes.entries()) last.set(key, index);
  if (last.size === changes.length) return changes;
  return changes.filter((change, index) => last.get(change.key) === index);
}
