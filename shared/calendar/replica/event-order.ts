/** All events in one order, kept up to date: the slots of changed events are put in their places on the next read. */

import { firstNumber } from './binary-search.ts';
import type { Bits } from './bits.ts';
import type { EventEntry } from './entries.ts';
import { mergeSort } from './merge-sort.ts';
import type { Pace } from './pace.ts';
import type { ChangedSlots } from './slot-sets.ts';
import { sortByTime } from './time-sort.ts';

/** More changes at once than this are sorted together and merged with the others; fewer are put in place one by one. */
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

/** An event as it was in its slot when the order was made. */
interface Placed {
  readonly slot: number;
  readonly entry: EventEntry;
}

export class EventOrder {
  readonly #index: EventSlots;
  readonly #compare: (a: EventEntry, b: EventEntry) => number;
  readonly #timeOf: ((entry: EventEntry) => number) | undefined;
  readonly #changed: ChangedSlots;
  #slots = new Uint32Array(0);
  #length = 0;
  #sort: Generator<undefined, Placed[] | Uint32Array<ArrayBuffer>> | undefined;

  /** `timeOf` is what `compare` looks at first, where that is a time. */
  constructor(
    index: EventSlots,
    compare: (a: EventEntry, b: EventEntry) => number,
    timeOf?: (entry: EventEntry) => number,
  ) {
    this.#index = index;
    this.#compare = compare;
    this.#timeOf = timeOf;
    this.#changed = index.watch();
  }

  /** Puts what has changed in its place. It may take several slices. */
  update(pace: Pace): void {
    while (this.#sort !== undefined || this.#changed.size > 0)
      if (this.#sort === undefined && this.#changed.size <= fewChanges) this.#putInPlace();
      else this.#goOn(pace);
  }

  #goOn(pace: Pace): void {
    this.#sort ??= this.#sortAnew();
    const { done, value } = this.#sort.next();
    if (done) this.#setOrder(value);
    pace.step();
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

  /** Sorts what has changed, and merges it with the others, as all of them are now; what changes meanwhile comes next. */
  #sortAnew(): Generator<undefined, Placed[] | Uint32Array<ArrayBuffer>> {
    const others = this.#slots.subarray(0, this.#length).filter((slot) => !this.#changed.has(slot));
    const changed = this.#changed.takeAll();
    const timeOf = this.#timeOf;
    if (timeOf === undefined)
      return mergeSort(this.#placed(changed), this.#placed(others), this.#comparePlaced);
    const slots = [...others, ...changed].filter((slot) => this.#index.at(slot) !== undefined);
    const timeAt = (slot: number) => this.#timeAt(slot, timeOf);
    return sortByTime(slots, timeAt, (equal) => this.#inOrder(equal));
  }

  #timeAt(slot: number, timeOf: (entry: EventEntry) => number): number {
    const entry = this.#index.at(slot);
    return entry === undefined ? 0 : timeOf(entry);
  }

  /** Those that are gone meanwhile have changed, and stand last. */
  *#inOrder(slots: readonly number[]): Generator<undefined, number[]> {
    const gone = slots.filter((slot) => this.#index.at(slot) === undefined);
    const sorted = yield* mergeSort(this.#placed(slots), [], this.#comparePlaced);
    return [...sorted.map(({ slot }) => slot), ...gone];
  }

  readonly #comparePlaced = (a: Placed, b: Placed) => this.#compare(a.entry, b.entry);

  #placed(slots: Iterable<number>): Placed[] {
    const placed: Placed[] = [];
    for (const slot of slots) {
      const entry = this.#index.at(slot);
      if (entry !== undefined) placed.push({ slot, entry });
    }
    return placed;
  }

  #setOrder(sorted: Placed[] | Uint32Array<ArrayBuffer>): void {
    this.#sort = undefined;
    const all = sorted instanceof Uint32Array ? sorted : Uint32Array.from(sorted, ({ slot }) => slot);
    this.#slots = new Uint32Array(Math.ceil(all.length * 1.1) + fewChanges);
    this.#slots.set(all);
    this.#length = all.length;
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
