/** Sets of slots of events: bits, and an inverted index, which has for each value the set of slots that have it. */

/** Numbers in one word of the array. */
const perWord = 32;

/** A set of small whole numbers, one bit each. */
export class Bits {
  #words: Uint32Array;

  constructor(capacity = 0) {
    this.#words = new Uint32Array(wordsFor(capacity));
  }

  has(number: number): boolean {
    return (((this.#words[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
  }

  add(number: number): void {
    const index = number >>> 5;
    if (index >= this.#words.length) this.#grow(number + 1);
    this.#words[index] = (this.#words[index] ?? 0) | (1 << (number & 31));
  }

  delete(number: number): void {
    const index = number >>> 5;
    const word = this.#words[index];
    if (word !== undefined) this.#words[index] = word & ~(1 << (number & 31));
  }

  /** Adds the numbers of another set. */
  addAll(other: Bits): void {
    const otherWords = other.#words;
    if (otherWords.length > this.#words.length) this.#grow(otherWords.length * perWord);
    const words = this.#words;
    for (let index = 0; index < otherWords.length; index += 1)
      words[index] = (words[index] ?? 0) | (otherWords[index] ?? 0);
  }

  /** Deletes the numbers that another set does not have. */
  keepAll(other: Bits): void {
    const remaining = other.#words;
    const words = this.#words;
    for (let index = 0; index < words.length; index += 1)
      words[index] = (words[index] ?? 0) & (remaining[index] ?? 0);
  }

  /** Deletes the numbers of another set. */
  deleteAll(other: Bits): void {
    const deleted = other.#words;
    const words = this.#words;
    const length = Math.min(words.length, deleted.length);
    for (let index = 0; index < length; index += 1)
      words[index] = (words[index] ?? 0) & ~(deleted[index] ?? 0);
  }

  /** Deletes the numbers for which a test is false. */
  keepIf(test: (number: number) => boolean): void {
    const words = this.#words;
    for (let index = 0; index < words.length; index += 1) {
      let word = words[index] ?? 0;
      for (let rest = word; rest !== 0; rest &= rest - 1)
        if (!test(lowestOf(index, rest))) word ^= rest & -rest;
      words[index] = word;
    }
  }

  /** Returns the numbers in ascending order. */
  numbers(): number[] {
    const numbers: number[] = [];
    const words = this.#words;
    for (let index = 0; index < words.length; index += 1)
      for (let rest = words[index] ?? 0; rest !== 0; rest &= rest - 1) numbers.push(lowestOf(index, rest));
    return numbers;
  }

  /** Returns the number of numbers. */
  count(): number {
    const words = this.#words;
    let count = 0;
    // An index, since for-of allocates an object for each word above 2 ** 31.
    for (let index = 0; index < words.length; index += 1) count += bitsOf(words[index] ?? 0);
    return count;
  }

  copy(): Bits {
    const copy = new Bits();
    copy.#words = this.#words.slice();
    return copy;
  }

  #grow(capacity: number): void {
    const words = new Uint32Array(Math.max(wordsFor(capacity), this.#words.length * 1.5));
    words.set(this.#words);
    this.#words = words;
  }
}

function wordsFor(capacity: number): number {
  return Math.ceil(capacity / perWord);
}

/** Returns the number of the lowest bit that is set in a word. */
function lowestOf(index: number, word: number): number {
  return index * perWord + 31 - Math.clz32(word & -word);
}

/** Returns the number of bits that are set in a word, added up in parallel: by twos, fours, and bytes. */
function bitsOf(word: number): number {
  const twos = word - ((word >>> 1) & 0x55555555);
  const fours = (twos & 0x33333333) + ((twos >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Length up to which a set is always a list. */
const minDense = 32;
/** Slots that bits hold in the memory of one number in a list. */
const slotsPerNumber = 64;

/** A set of slots: a list where it is sparse, and bits where it is dense. */
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
