/** An inverted index: for each value the set of slots that have it, as a list where the set is sparse, and as bits where it is dense. */

import { Bits } from './bits.ts';

/** Length up to which a set is always a list. */
const minDense = 32;
/** Slots that bits hold in the memory of one number in a list. */
const slotsPerNumber = 64;

/** A set of slots. */
export class SlotSet {
  #list: number[] = [];
  /** Replaces the list once the set is dense. */
  #bits: Bits | undefined;
  #size = 0;
  #largest = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a slot that is not in the set. */
  add(slot: number): void {
    this.#size += 1;
    this.#largest = Math.max(this.#largest, slot);
    if (this.#bits !== undefined) this.#bits.add(slot);
    else this.#list.push(slot);
    if (this.#isDense()) this.#toBits();
  }

  /** Deletes a slot that is in the set. */
  delete(slot: number): void {
    this.#size -= 1;
    if (this.#bits !== undefined) this.#bits.delete(slot);
    else this.#list.splice(this.#list.indexOf(slot), 1);
  }

  /** Adds the slots to a set of bits. */
  addTo(bits: Bits): void {
    if (this.#bits !== undefined) bits.addAll(this.#bits);
    else for (const slot of this.#list) bits.add(slot);
  }

  /** Returns the slots, in no order. */
  slots(): readonly number[] {
    return this.#bits?.numbers() ?? this.#list;
  }

  #isDense(): boolean {
    const { length } = this.#list;
    return length > minDense && length * slotsPerNumber > this.#largest;
  }

  #toBits(): void {
    this.#bits = new Bits(this.#largest + 1);
    for (const slot of this.#list) this.#bits.add(slot);
    this.#list = [];
  }
}

/** Sets of slots by value. */
export class SlotSets<Value> {
  readonly #sets = new Map<Value, SlotSet>();

  /** Returns the slots of a value; undefined where no slot has it. */
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
}
