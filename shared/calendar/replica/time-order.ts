/**
 * The events by one of their times. Which of them lie before an instant is known for some instants, the checkpoints; from the nearest
 * of these to any other there are few events, which are looked at one by one.
 */

import { createCache } from '../../cache.ts';
import { firstNumber } from './binary-search.ts';
import { Bits } from './bits.ts';
import type { EventEntry } from './entries.ts';
import { EventOrder, type EventSlots, fewChanges, type Part } from './event-order.ts';
import type { ChangedSlots } from './slot-sets.ts';

/** First and last instant, these included; infinite where there is none. */
export type Bounds = readonly [min: number, max: number];

/** Checkpoints, at most. Each takes a bit of memory for an event. */
const maxCheckpoints = 32;

/** Instants whose places are cached, at most: lists ask for whole days again and again. */
const maxPlaces = 200;

interface Checkpoint {
  readonly instant: number;
  /** Slots of the events before it. */
  readonly before: Bits;
}

export class TimeOrder {
  readonly order: EventOrder;
  readonly #index: EventSlots;
  readonly #timeOf: (entry: EventEntry) => number;
  readonly #changed: ChangedSlots;
  /** In ascending order. */
  #checkpoints: Checkpoint[] = [];
  /** Number of events when they were set. */
  #checkpointedLength = 0;
  /** Places of instants, until an event changes. */
  readonly #places = createCache<number, number>({ maxEntries: maxPlaces });

  /** `compare` orders the events by the time, and those of one time. */
  constructor(
    index: EventSlots,
    timeOf: (entry: EventEntry) => number,
    compare: (a: EventEntry, b: EventEntry) => number,
  ) {
    this.order = new EventOrder(index, compare);
    this.#index = index;
    this.#timeOf = timeOf;
    this.#changed = index.watch();
  }

  /** Takes in what has changed. */
  update(): void {
    this.order.update();
    const { size } = this.#changed;
    if (size === 0) return;
    this.#places.clear();
    const changed = this.#changed.takeAll();
    if (size > fewChanges || this.order.length > 2 * this.#checkpointedLength) this.#setCheckpoints();
    else for (const slot of changed) this.#move(slot);
  }

  /** Keeps only the events of a set whose time lies between bounds. Update first. */
  keep(set: Bits, [min, max]: Bounds): void {
    if (min > Number.NEGATIVE_INFINITY) this.#dropBefore(set, min);
    if (max < Number.POSITIVE_INFINITY) this.#keepBefore(set, max + 1);
  }

  /** Returns a part of the events of a set, in order: what is skipped is counted up to the nearest checkpoint, and looked at only from there. Update first. */
  part(set: Bits, { skip, limit, isReversed = false }: Part): EventEntry[] {
    const total = isReversed ? set.count() : 0;
    const skippedTo = ({ before }: Checkpoint) => Math.abs(total - set.countIn(before));
    const checkpoints = isReversed ? this.#checkpoints.toReversed() : this.#checkpoints;
    const next = firstNumber(
      checkpoints.length,
      (index) => skippedTo(checkpoints[index] as Checkpoint) > skip,
    );
    const checkpoint = checkpoints[next - 1];
    if (checkpoint === undefined) return this.order.part(set, { skip, limit, isReversed });
    const place = this.placeOf(checkpoint.instant);
    const from = isReversed ? place - 1 : place;
    return this.order.part(set, { skip: skip - skippedTo(checkpoint), limit, isReversed, from });
  }

  /** Returns the place of the first event at an instant or after it. */
  placeOf(instant: number): number {
    const cached = this.#places.get(instant);
    if (cached !== undefined) return cached;
    const place = this.order.firstPlace((entry) => this.#timeOf(entry) < instant);
    this.#places.set(instant, place);
    return place;
  }

  #dropBefore(set: Bits, instant: number): void {
    const checkpoint = this.#checkpoints.findLast((one) => one.instant <= instant);
    if (checkpoint !== undefined) set.deleteAll(checkpoint.before);
    this.#drop(set, checkpoint === undefined ? 0 : this.placeOf(checkpoint.instant), this.placeOf(instant));
  }

  #keepBefore(set: Bits, instant: number): void {
    const checkpoint = this.#checkpoints.find((one) => one.instant >= instant);
    if (checkpoint !== undefined) set.keepAll(checkpoint.before);
    const end = checkpoint === undefined ? this.order.length : this.placeOf(checkpoint.instant);
    this.#drop(set, this.placeOf(instant), end);
  }

  /** Drops the events in some places. */
  #drop(set: Bits, first: number, end: number): void {
    for (let place = first; place < end; place += 1) set.delete(this.order.slotAt(place));
  }

  #move(slot: number): void {
    const entry = this.#index.at(slot);
    const time = entry && this.#timeOf(entry);
    for (const { instant, before } of this.#checkpoints) {
      if (time !== undefined && time < instant) before.add(slot);
      else before.delete(slot);
    }
  }

  /** Sets checkpoints with as many events between each two of them. */
  #setCheckpoints(): void {
    const { length } = this.order;
    const between = Math.ceil(length / maxCheckpoints);
    const before = new Bits();
    this.#checkpoints = [];
    this.#checkpointedLength = length;
    for (let place = 0; place < length; place += 1) {
      if (place > 0 && place % between === 0) this.#setMark(place, before);
      before.add(this.order.slotAt(place));
    }
  }

  /** Sets a checkpoint at the time of the event in a place, unless others before it have the same. */
  #setMark(place: number, before: Bits): void {
    const [previous, entry] = [place - 1, place].map((one) => this.#index.at(this.order.slotAt(one)));
    if (previous === undefined || entry === undefined) return;
    const instant = this.#timeOf(entry);
    if (this.#timeOf(previous) < instant) this.#checkpoints.push({ instant, before: before.copy() });
  }
}
