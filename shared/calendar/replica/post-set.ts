/** The events, venues and organizers of the replica: those of a kind by id and by slug, and events in the order of lists. */

import type { AnyPost } from '../model/records.ts';
import type { EntryOf, EventEntry } from './entries.ts';

/** More changes at once than this are sorted anew; fewer are put in place one by one. */
const fewChanges = 50;

/** All records of one kind. */
export class PostSet<R extends AnyPost> {
  readonly #byId = new Map<number, EntryOf<R>>();
  readonly #bySlug = new Map<string, number>();

  get(id: number): EntryOf<R> | undefined {
    return this.#byId.get(id);
  }

  withSlug(slug: string): EntryOf<R> | undefined {
    const id = this.#bySlug.get(slug);
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /** Puts an entry, or drops the record of an id; returns the entry that stood there before. */
  put(id: number, entry: EntryOf<R> | undefined): EntryOf<R> | undefined {
    const before = this.#byId.get(id);
    if (before !== undefined && this.#bySlug.get(before.record.slug) === id)
      this.#bySlug.delete(before.record.slug);
    if (entry === undefined) this.#byId.delete(id);
    else {
      this.#byId.set(id, entry);
      this.#bySlug.set(entry.record.slug, id);
    }
    return before;
  }

  values(): IterableIterator<EntryOf<R>> {
    return this.#byId.values();
  }

  get size(): number {
    return this.#byId.size;
  }

  clear(): void {
    this.#byId.clear();
    this.#bySlug.clear();
  }
}

/** Compares two events by the order of lists: by start, then publication, older first, then id. */
export function compareEvents(a: EventEntry, b: EventEntry): number {
  return a.start - b.start || a.published - b.published || a.record.id - b.record.id;
}

/** A list of events that stays in order. After many changes it is sorted on the next read. */
export class EventOrder {
  #sorted: EventEntry[] = [];
  #pending: EventEntry[] = [];
  readonly #dropped = new Set<EventEntry>();

  add(entry: EventEntry): void {
    this.#pending.push(entry);
  }

  remove(entry: EventEntry): void {
    this.#dropped.add(entry);
  }

  clear(): void {
    this.#sorted = [];
    this.#pending = [];
    this.#dropped.clear();
  }

  /** The events in order. Do not change it. */
  all(): readonly EventEntry[] {
    if (this.#pending.length + this.#dropped.size > fewChanges) this.#sortAnew();
    else this.#putInPlace();
    this.#pending = [];
    this.#dropped.clear();
    return this.#sorted;
  }

  /** Index of the first event that starts at or after an instant. */
  firstFrom(instant: number): number {
    return lowerBound(this.all(), (entry) => entry.start < instant);
  }

  #sortAnew(): void {
    const kept = [...this.#sorted, ...this.#pending].filter((entry) => !this.#dropped.has(entry));
    this.#sorted = kept.sort(compareEvents);
  }

  #putInPlace(): void {
    for (const entry of this.#pending) {
      this.#sorted.splice(this.#indexOf(entry), 0, entry);
    }
    for (const entry of this.#dropped) {
      const index = this.#indexOf(entry);
      const found = this.#sorted.indexOf(entry, index);
      if (found >= 0) this.#sorted.splice(found, 1);
    }
  }

  #indexOf(entry: EventEntry): number {
    return lowerBound(this.#sorted, (other) => compareEvents(other, entry) < 0);
  }
}

function lowerBound<T>(sorted: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && isBefore(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
