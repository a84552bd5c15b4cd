/** Which events have a value: for each value a set of slots, as a short list where there are few, and as bits where there are many. */

import { Bits } from './bits.ts';

/** Slots in a list, at most; of more, at most one for each so many slots of bits: then both take the same memory. */
const minListed = 32;
const slotsPerListed = 64;

/** A set of slots. */
export class SlotSet {
  #few: number[] | undefined = [];
  #many: Bits | undefined;
  #size = 0;
  #largest = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a slot that is not in the set. */
  add(slot: number): void {
    this.#size += 1;
    this.#largest = Math.max(this.#largest, slot);
    if (this.#many !== undefined) this.#many.add(slot);
    else if (this.#few !== undefined) this.#list(slot, this.#few);
  }

  /** Deletes a slot that is in the set. */
  delete(slot: number): void {
    this.#size -= 1;
    this.#many?.delete(slot);
    const index = this.#few?.indexOf(slot) ?? -1;
    const last = index < 0 ? undefined : this.#few?.pop();
    if (this.#few !== undefined && last !== undefined && index < this.#few.length) this.#few[index] = last;
  }

  has(slot: number): boolean {
    return this.#many?.has(slot) ?? this.#few?.includes(slot) ?? false;
  }

  /** Adds the slots to others, and returns all. */
  addTo(bits: Bits): Bits {
    if (this.#many !== undefined) bits.addAll(this.#many);
    else for (const slot of this.#few ?? []) bits.add(slot);
    return bits;
  }

  /** Deletes the slots from others. */
  deleteFrom(bits: Bits): void {
    if (this.#many !== undefined) bits.deleteAll(this.#many);
    else for (const slot of this.#few ?? []) bits.delete(slot);
  }

  forEach(visit: (slot: number) => void): void {
    if (this.#many !== undefined) this.#many.forEach(visit);
    else this.#few?.forEach(visit);
  }

  /** Checks whether a test is true of one of the slots. */
  some(test: (slot: number) => boolean): boolean {
    return this.#many?.some(test) ?? this.#few?.some(test) ?? false;
  }

  #list(slot: number, few: number[]): void {
    few.push(slot);
    if (few.length <= minListed || few.length * slotsPerListed <= this.#largest) return;
    const many = new Bits(this.#largest + 1);
    for (const one of few) many.add(one);
    this.#many = many;
    this.#few = undefined;
  }
}

/** Sets of slots by value. */
export class SlotSets<Value> {
  readonly #sets = new Map<Value, SlotSet>();

  /** The slots of a value; undefined when it has none. */
  get(value: Value): SlotSet | undefined {
    return this.#sets.get(value);
  }

  add(value: Value, slot: number): void {
    let set = this.#sets.get(value);
    if (set === undefined) {
      set = new SlotSet();
      this.#sets.set(value, set);
    }
    set.add(slot);
  }

  delete(value: Value, slot: number): void {
    const set = this.#sets.get(value);
    set?.delete(slot);
    if (set?.size === 0) this.#sets.delete(value);
  }

  /** Returns the slots that have one of some values. */
  any(values: Iterable<Value>): Bits {
    const bits = new Bits();
    for (const value of values) this.#sets.get(value)?.addTo(bits);
    return bits;
  }

  clear(): void {
    this.#sets.clear();
  }
}

/** Slots of events that have changed since whoever watches them looked last. */
export class ChangedSlots {
  readonly #slots = new Bits();
  #size = 0;
  /** No slot is below this one. */
  #lowest = 0;

  get size(): number {
    return this.#size;
  }

  has(slot: number): boolean {
    return this.#slots.has(slot);
  }

  add(slot: number): void {
    if (this.#slots.has(slot)) return;
    this.#slots.add(slot);
    this.#size += 1;
    this.#lowest = Math.min(this.#lowest, slot);
  }

  /** Returns the lowest slot. */
  first(): number | undefined {
    if (this.#size === 0) return undefined;
    const first = this.#slots.next(this.#lowest);
    this.#lowest = first ?? 0;
    return first;
  }

  delete(slot: number): void {
    if (!this.#slots.has(slot)) return;
    this.#slots.delete(slot);
    this.#size -= 1;
  }

  /** Takes all slots out, and returns them in ascending order. */
  takeAll(): number[] {
    const slots: number[] = [];
    this.#slots.forEach((slot) => {
      slots.push(slot);
      this.#slots.delete(slot);
    });
    this.#size = 0;
    this.#lowest = 0;
    return slots;
  }
}
