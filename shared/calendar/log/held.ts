/** What this process holds of the log: the caller's replica, which row each record is in, and the last known head. */

import type { Change, Replica } from './log.ts';
import { type Head, noHead } from './rows.ts';

export interface Held {
  /** Version of the newest change that the replica holds. */
  readonly version: number;
  /** The last known head; older than the replica when rows were read that are newer than it. */
  readonly head: Head;
  /** Whether the replica was up to date at some time, and has not been cleared since. */
  readonly loaded: boolean;
  /** Version under which a live record is stored. */
  versionOf(key: string): number | undefined;
  /** Takes in changes in ascending order of version; those that are held already are passed over. */
  take(changes: readonly Change[]): void;
  /** Takes over a head that the replica holds all of, unless a newer one is known. */
  adopt(head: Head): void;
  clear(): void;
}

/** Holds nothing yet. */
export function holdReplica(replica: Replica): Held {
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
    get loaded() {
      return loaded;
    },
    versionOf: (key) => versions.get(key),
    take(changes) {
      const fresh = lastOfEachKey(changes.filter((change) => change.version > version));
      if (fresh.length === 0) return;
      replica.apply(fresh);
      fresh.forEach(note);
      version = fresh.at(-1)?.version ?? version;
    },
    adopt(newer) {
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

/** Leaves out the changes that a later one of the same key makes void; a scan meets them when a record changes meanwhile. */
function lastOfEachKey(changes: readonly Change[]): Change[] {
  const last = new Map(changes.map((change, index) => [change.key, index]));
  return changes.filter((change, index) => last.get(change.key) === index);
}
