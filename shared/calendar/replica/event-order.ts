/** All events in one order, kept up to date: the slots of changed events are put in their places on the next read. */

import { firstNumber } from './binary-search.ts';
import type { Bits } from './bits.ts';
import type { EventEntry } from './entries.ts';
import type { ChangedSlots } from './slot-sets.ts';

/** More changes at once than this are sorted together with the others; fewer are put in place one by one. */
export const fewChanges = 50;

/** The events by slot, and what changes of them. */
export interface EventSlots {
  at(slot: number): EventEntry | undefined;
  slotOf(id: number): number | undefined;
  watch(): ChangedSlots;
  unwatch(changed: ChangedSlots): void;
}

/** Which of the events in a set are wanted, in the order of their places. */
export interface Part extends Readonly<Record<'skip' | 'limit', number>> {
  readonly isReversed?: boolean;
  /** The place at which to begin. Default: the first, or where the order is reversed the last. */
  readonly from?: number;
}

export class EventOrder {
  readonly #index: EventSlots;
  readonly #compare: (a: EventEntry, b: EventEntry) => number;
  readonly #changed: ChangedSlots;
  #slots = new Uint32Array(0);
  #length = 0;

  constructor(index: EventSlots, compare: (a: EventEntry, b: EventEntry) => number) {
    this.#index = index;
    this.#compare = compare;
    this.#changed = index.watch();
  }

  /** Puts what has changed in its place. */
  update(): void {
    if (this.#changed.size > fewChanges) this.#sortAll();
    else if (this.#changed.size > 0) this.#putInPlace();
  }

  /** Number of events. */
  get length(): number {
    return this.#length;
  }

  /** The slot of the event in a place. */
  slotAt(place: number): number {
    return this.#slots[place] ?? 0;
  }

  /** Returns a part of the events of a set, in order. Update first. */
  part(set: Bits, { skip, limit, isReversed = false, from }: Part): EventEntry[] {
    const found: EventEntry[] = [];
    const [first, step] = isReversed ? [this.#length - 1, -1] : [0, 1];
    let left = skip;
    for (let place = from ?? first; place >= 0 && place < this.#length; place += step) {
      if (found.length === limit) break;
      const slot = this.slotAt(place);
      if (!set.has(slot) || left-- > 0) continue;
      const entry = this.#index.at(slot);
      if (entry !== undefined) found.push(entry);
    }
    return found;
  }

  /** Ends watching the index. */
  close(): void {
    this.#index.unwatch(this.#changed);
  }

  #sortAll(): void {
    const others = this.#slots.subarray(0, this.#length).filter((slot) => !this.#changed.has(slot));
    const entries = [...others, ...this.#changed.takeAll()]
      .map((slot) => this.#index.at(slot))
      .filter((entry) => entry !== undefined)
      .sort(this.#compare);
    this.#slots = new Uint32Array(Math.ceil(entries.length * 1.1) + fewChanges);
    this.#slots.set(entries.map(({ record }) => this.#index.slotOf(record.id) ?? 0));
    this.#length = entries.length;
  }

  #putInPlace(): void {
    const changed = this.#changed.takeAll();
    if (changed.length === 1 && this.#isInPlace(changed[0] ?? 0)) return;
    for (const slot of changed) this.#remove(slot);
    for (const slot of changed) {
      const entry = this.#index.at(slot);
      if (entry !== undefined) this.#insert(slot, entry);
    }
  }

  /** Checks whether an event that has changed stands where it belongs, as most do. */
  #isInPlace(slot: number): boolean {
    const entry = this.#index.at(slot);
    const place = this.#slots.subarray(0, this.#length).indexOf(slot);
    if (entry === undefined || place < 0) return false;
    const [before, after] = [place - 1, place + 1].map((other) =>
      other < 0 || other >= this.#length ? undefined : this.#index.at(this.slotAt(other)),
    );
    return (
      (before === undefined || this.#compare(before, entry) < 0) &&
      (after === undefined || this.#compare(entry, after) < 0)
    );
  }

  #remove(slot: number): void {
    const place = this.#slots.subarray(0, this.#length).indexOf(slot);
    if (place < 0) return;
    this.#slots.copyWithin(place, place + 1, this.#length);
    this.#length -= 1;
  }

  #insert(slot: number, entry: EventEntry): void {
    if (this.#length === this.#slots.length) this.#grow();
    const place = this.firstPlace((other) => this.#compare(other, entry) < 0);
    this.#slots.copyWithin(place + 1, place, this.#length);
    this.#slots[place] = slot;
    this.#length += 1;
  }

  #grow(): void {
    const larger = new Uint32Array(Math.ceil(this.#length * 1.5) + fewChanges);
    larger.set(this.#slots);
    this.#slots = larger;
  }

  /** Returns the place of the first event that does not stand before something. */
  firstPlace(isBefore: (entry: EventEntry) => boolean): number {
    return firstNumber(this.#length, (place) => {
      const entry = this.#index.at(this.slotAt(place));
      return entry === undefined || !isBefore(entry);
    });
  }
}
