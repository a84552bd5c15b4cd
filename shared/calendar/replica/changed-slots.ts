/** Slots of events that have changed since whoever watches them looked last. */

import { Bits } from './bits.ts';

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
