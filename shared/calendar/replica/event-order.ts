/** Events in the order of lists: by start, then publication, older first, then id. */

import type { EventEntry } from './entries.ts';

/** More changes at once than this are sorted anew; fewer are put in place one by one. */
const fewChanges = 50;

/** Compares two events by the order of lists. */
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
