/** The distinct words of many texts, each with a number above 0; one, two and three characters in a row lead to the words that have them. */

import { SlotSets } from './slot-sets.ts';

/** Characters in a row that words are found by, at most. */
const maxGram = 3;
const gramLengths = [1, 2, maxGram];

export class WordTable {
  readonly #numbers = new Map<string, number>();
  readonly #words: (string | undefined)[] = [''];
  readonly #free: number[] = [];
  readonly #grams = new SlotSets<string>();

  /** The number of a word; undefined when it is not there. */
  numberOf(word: string): number | undefined {
    return this.#numbers.get(word);
  }

  /** The word of a number; empty when there is none. */
  wordOf(number: number): string {
    return this.#words[number] ?? '';
  }

  /** Adds a word that is not there, and returns its number. */
  add(word: string): number {
    const number = this.#free.pop() ?? this.#words.length;
    const own = detached(word);
    this.#numbers.set(own, number);
    this.#words[number] = own;
    for (const gram of gramsOf(own, gramLengths)) this.#grams.add(gram, number);
    return number;
  }

  delete(number: number): void {
    const word = this.wordOf(number);
    this.#numbers.delete(word);
    this.#words[number] = undefined;
    this.#free.push(number);
    for (const gram of gramsOf(word, gramLengths)) this.#grams.delete(gram, number);
  }

  /** Returns the numbers of the words that contain a piece; those of which a test is true, where there is one. */
  containing(piece: string, test?: (word: string) => boolean): number[] {
    const found: number[] = [];
    this.forEachContaining(piece, (number) => found.push(number), test);
    return found;
  }

  /** Calls back with the number of each word that contains a piece; of each of which a test is true, where there is one. */
  forEachContaining(piece: string, visit: (number: number) => void, test?: (word: string) => boolean): void {
    const sets = Array.from(gramsOf(piece, [Math.min(piece.length, maxGram)]), (gram) =>
      this.#grams.get(gram),
    );
    const rarest = sets.reduce((rare, set) => ((set?.size ?? 0) < (rare?.size ?? 0) ? set : rare), sets[0]);
    const isSure = piece.length <= maxGram && test === undefined;
    const fits = test ?? ((word: string) => word.includes(piece));
    rarest?.forEach((number) => {
      if (isSure || fits(this.wordOf(number))) visit(number);
    });
  }
}

/** Returns a word as a text of its own: V8 keeps one of 13 characters or more as a part of the text that it was cut from, and that text with it. */
function detached(word: string): string {
  return word.length < 13 ? word : word.split('').join('');
}

/** Returns the distinct runs of some lengths. */
function gramsOf(word: string, lengths: readonly number[]): Set<string> {
  const grams = new Set<string>();
  for (const length of lengths)
    for (let start = 0; start + length <= word.length; start += 1)
      grams.add(word.slice(start, start + length));
  return grams;
}
