/**
 * Which texts have words that contain a part: an index for searches of substrings. Each distinct word is there once, with
 * the numbers of its texts; one, two and three characters in a row lead to the words that have them, which are far fewer than the texts.
 */

import { Bits } from './bits.ts';
import { SlotSet, SlotSets } from './slot-sets.ts';

/** Characters in a row that words are found by, at most. */
const maxGram = 3;

const separator = /[ \n]/;

export class WordIndex {
  readonly #numbers = new Map<string, number>();
  readonly #words: (string | undefined)[] = [];
  /** Texts of each word: a number where there is one text. */
  readonly #texts: (number | SlotSet | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #grams = new SlotSets<string>();

  add(number: number, text: string): void {
    for (const word of wordsOf(text)) {
      const index = this.#numbers.get(word) ?? this.#addWord(word);
      this.#texts[index] = withText(this.#texts[index], number);
    }
  }

  /** Deletes a text that was added under its number. */
  delete(number: number, text: string): void {
    for (const word of wordsOf(text)) {
      const index = this.#numbers.get(word);
      const texts = index === undefined ? undefined : this.#texts[index];
      if (index === undefined || texts === undefined) continue;
      if (typeof texts !== 'number') texts.delete(number);
      if (typeof texts === 'number' || texts.size === 0) this.#deleteWord(word, index);
    }
  }

  /** Returns the texts that contain a part without spaces; all that may, and some others, when it has spaces. */
  find(part: string): Bits {
    const [first = [], ...others] = part
      .split(separator)
      .filter((piece) => piece !== '')
      .map((piece) => this.#wordsWith(piece));
    const found = this.#textsOf(first);
    for (const words of others) found.keepAll(this.#textsOf(words));
    return found;
  }

  /** Numbers of the words that contain a piece. */
  #wordsWith(piece: string): readonly number[] {
    const sets = gramsOf(piece, [Math.min(piece.length, maxGram)]).map((gram) => this.#grams.get(gram));
    const rarest = sets.reduce((rare, set) => ((set?.size ?? 0) < (rare?.size ?? 0) ? set : rare), sets[0]);
    const found: number[] = [];
    rarest?.forEach((index) => {
      if (piece.length <= maxGram || this.#words[index]?.includes(piece)) found.push(index);
    });
    return found;
  }

  #textsOf(words: readonly number[]): Bits {
    const bits = new Bits();
    for (const index of words) {
      const texts = this.#texts[index];
      if (typeof texts === 'number') bits.add(texts);
      else texts?.addTo(bits);
    }
    return bits;
  }

  #addWord(word: string): number {
    const index = this.#free.pop() ?? this.#words.length;
    const own = detached(word);
    this.#numbers.set(own, index);
    this.#words[index] = own;
    this.#texts[index] = undefined;
    for (const gram of gramsOf(own, [1, 2, maxGram])) this.#grams.add(gram, index);
    return index;
  }

  #deleteWord(word: string, index: number): void {
    this.#numbers.delete(word);
    this.#words[index] = undefined;
    this.#texts[index] = undefined;
    this.#free.push(index);
    for (const gram of gramsOf(word, [1, 2, maxGram])) this.#grams.delete(gram, index);
  }
}

/** Checks whether a part lies within one word, so that the index alone knows which texts contain it. */
export function isWithinWord(part: string): boolean {
  return !separator.test(part);
}

function wordsOf(text: string): Set<string> {
  return new Set(text.split(separator).filter((word) => word !== ''));
}

/** Returns a word as a text of its own: V8 keeps one of 13 characters or more as a part of the text that it was cut from, and that text with it. */
function detached(word: string): string {
  return word.length < 13 ? word : word.split('').join('');
}

/** Returns the distinct runs of some lengths. */
function gramsOf(word: string, lengths: readonly number[]): string[] {
  const grams = new Set<string>();
  for (const length of lengths)
    for (let start = 0; start + length <= word.length; start += 1)
      grams.add(word.slice(start, start + length));
  return [...grams];
}

function withText(texts: number | SlotSet | undefined, number: number): number | SlotSet {
  if (texts === undefined) return number;
  const set = typeof texts === 'number' ? new SlotSet() : texts;
  if (typeof texts === 'number') set.add(texts);
  set.add(number);
  return set;
}
