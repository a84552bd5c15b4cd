/** A set of small whole numbers, one bit each: slots of events, or numbers of words. */

/** Numbers that one word of the array holds. */
const perWord = 32;

export class Bits {
  #words: Uint32Array;

  constructor(capacity = 0) {
    this.#words = new Uint32Array(wordsFor(capacity));
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#words.byteLength;
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
    const added = other.#words;
    if (added.length > this.#words.length) this.#grow(added.length * perWord);
    const words = this.#words;
    for (let index = 0; index < added.length; index += 1)
      words[index] = (words[index] ?? 0) | (added[index] ?? 0);
  }

  /** Keeps only the numbers that another set has too. */
  keepAll(other: Bits): void {
    const others = other.#words;
    const words = this.#words;
    for (let index = 0; index < words.length; index += 1)
      words[index] = (words[index] ?? 0) & (others[index] ?? 0);
  }

  /** Drops the numbers of another set. */
  deleteAll(other: Bits): void {
    const dropped = other.#words;
    const words = this.#words;
    const length = Math.min(words.length, dropped.length);
    for (let index = 0; index < length; index += 1)
      words[index] = (words[index] ?? 0) & ~(dropped[index] ?? 0);
  }

  /** Returns the lowest number at or above another. */
  next(from: number): number | undefined {
    const words = this.#words;
    let index = from >>> 5;
    let word = (words[index] ?? 0) & (-1 << (from & 31));
    while (word === 0) {
      index += 1;
      if (index >= words.length) return undefined;
      word = words[index] ?? 0;
    }
    return index * perWord + 31 - Math.clz32(word & -word);
  }

  /** Calls back with each number, in ascending order. */
  forEach(visit: (number: number) => void): void {
    this.some((number) => {
      visit(number);
      return false;
    });
  }

  /** Checks whether a test is true of one of the numbers. */
  some(test: (number: number) => boolean): boolean {
    const words = this.#words;
    for (let index = 0; index < words.length; index += 1) {
      for (let word = words[index] ?? 0; word !== 0; word &= word - 1)
        if (test(index * perWord + 31 - Math.clz32(word & -word))) return true;
    }
    return false;
  }

  /** Returns the number of numbers. */
  count(): number {
    const words = this.#words;
    let count = 0;
    // Not for-of, which makes an object of each word above 2 ** 31.
    for (let index = 0; index < words.length; index += 1) count += bitsOf(words[index] ?? 0);
    return count;
  }

  /** Returns how many numbers another set has too. */
  countIn(other: Bits): number {
    const [words, others] = [this.#words, other.#words];
    const length = Math.min(words.length, others.length);
    let count = 0;
    for (let index = 0; index < length; index += 1)
      count += bitsOf((words[index] ?? 0) & (others[index] ?? 0));
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

/** Returns the number of bits that are set in a word, added up in parallel: by twos, fours, and bytes. */
function bitsOf(word: number): number {
  const twos = word - ((word >>> 1) & 0x55555555);
  const fours = (twos & 0x33333333) + ((twos >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
