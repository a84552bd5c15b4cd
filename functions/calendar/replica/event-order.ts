/** All events in an order. Changed events are moved to their positions by the next read. */

import type { EventEntry } from './entries.ts';
import { firstIndex } from './first-index.ts';
import type { Bits } from './slot-sets.ts';

export type CompareEvents = (a: EventEntry, b: EventEntry) => number;

/** The events by slot. */
export interface EventSlots {
  at(slot: number): EventEntry | undefined;
  /** Returns the slots of all events. The index adds the slot of each event that changes later. */
  watch(): Set<number>;
}

/** A range of the events of a set, in an order. */
export interface PageRange {
  readonly skip: number;
  readonly limit: number;
}

/** Changed events up to which each is moved by itself; with more of them all events are sorted. A write has fewer. */
const maxMoves = 100;

export class EventOrder {
  readonly #index: EventSlots;
  readonly #compare: CompareEvents;
  readonly #changed: Set<number>;
  #slots: number[] = [];

  constructor(index: EventSlots, compare: CompareEvents) {
    this.#index = index;
    this.#compare = compare;
    this.#changed = index.watch();
  }

  /** Returns a range of the events of a set, in order or from the end. */
  range(set: Bits, { skip, limit }: PageRange, isReversed = false): EventEntry[] {
    this.#update();
    const slots = this.#slots;
    const entries: EventEntry[] = [];
    const pageLength = Math.min(limit, set.count() - skip);
    let skipped = 0;
    for (let index = 0; index < slots.length && entries.length < pageLength; index += 1) {
      const slot = slots[isReversed ? slots.length - 1 - index : index] ?? 0;
      if (!set.has(slot)) continue;
      const entry = skipped < skip ? undefined : this.#index.at(slot);
      skipped += 1;
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  /** Deletes the events from a set that precede the first for which a test is true; it is true for all that follow. */
  deleteBefore(set: Bits, test: (entry: EventEntry) => boolean): void {
    this.#update();
    this.#delete(set, 0, this.#firstPosition(test));
  }

  /** Deletes the first event for which a test is true from a set, and all that follow; the test is true for them too. */
  deleteFrom(set: Bits, test: (entry: EventEntry) => boolean): void {
    this.#update();
    this.#delete(set, this.#firstPosition(test), this.#slots.length);
  }

  #delete(set: Bits, first: number, end: number): void {
    const slots = this.#slots;
    for (let position = first; position < end; position += 1) set.delete(slots[position] ?? 0);
  }

  #update(): void {
    if (this.#changed.size > maxMoves) this.#sortAll();
    else this.#move([...this.#changed]);
    this.#changed.clear();
  }

  /** Sorts all events. The sort is fast where most are in order already. */
  #sortAll(): void {
    const unchanged = this.#slots.filter((slot) => !this.#changed.has(slot));
    const sorted: { slot: number; entry: EventEntry }[] = [];
    for (const slot of [...unchanged, ...this.#changed]) {
      const entry = this.#index.at(slot);
      if (entry !== undefined) sorted.push({ slot, entry });
    }
    this.#slots = sorted.sort((a, b) => this.#compare(a.entry, b.entry)).map(({ slot }) => slot);
  }

  /** Removes all changed events before it inserts the first, since binary search needs the rest in order. */
  #move(slots: readonly number[]): void {
    for (const slot of slots) {
      const position = this.#slots.indexOf(slot);
      if (position >= 0) this.#slots.splice(position, 1);
    }
    for (const slot of slots) {
      const entry = this.#index.at(slot);
      if (entry === undefined) continue;
      const position = this.#firstPosition((other) => this.#compare(other, entry) >= 0);
      this.#slots.splice(position, 0, slot);
    }
  }

  /** Returns the position of the first event for which a test is true, by binary search. */
  #firstPosition(test: (entry: EventEntry) => boolean): number {
    return firstIndex(this.#slots.length, (position) => {
      const entry = this.#index.at(this.#slots[position] ?? 0);
      return entry === undefined || test(entry);
    });
  }
}
