/** The records of the calendar in the order of their last change, deleted ones included. */

import { firstIndex } from './first-index.ts';

/** The last change of a record. */
export interface RecordChange {
  /** The key of the record in the log. */
  readonly key: string;
  readonly version: number;
}

/** Superseded changes that the index keeps for each record, at most, before it drops them. */
const maxSupersededShare = 1;
/** Changes below which nothing is dropped. */
const minLength = 1_000;

export class ChangeIndex {
  readonly #versions = new Map<string, number>();
  /** Changes in ascending order of version; superseded ones among them. */
  #order: RecordChange[] = [];
  #version = 0;

  /** Version of the newest change; 0 before the first. */
  get version(): number {
    return this.#version;
  }

  /** Adds a change that is newer than all before. */
  add(key: string, version: number): void {
    this.#versions.set(key, version);
    this.#order.push({ key, version });
    this.#version = version;
    const maxLength = Math.max(minLength, this.#versions.size * (1 + maxSupersededShare));
    if (this.#order.length > maxLength) this.#order = this.#order.filter((change) => this.#isLast(change));
  }

  /** Returns the records that changed after a version, in the order of their last change. */
  *since(version: number): Generator<RecordChange> {
    const first = firstIndex(this.#order.length, (at) => (this.#order[at]?.version ?? 0) > version);
    for (let at = first; at < this.#order.length; at++) {
      const change = this.#order[at];
      if (change !== undefined && this.#isLast(change)) yield change;
    }
  }

  clear(): void {
    this.#versions.clear();
    this.#order = [];
    this.#version = 0;
  }

  #isLast({ key, version }: RecordChange): boolean {
    return this.#versions.get(key) === version;
  }
}
