/**
 * Which texts contain a part: an index for searches of substrings. A part without spaces lies within one word, and words lead to
 * their texts. A phrase, which has spaces, is looked for in the words of those texts that have all of its words.
 */

import { Bits } from './bits.ts';
import { SlotSet } from './slot-sets.ts';
import { WordSequences } from './word-sequence.ts';
import { WordTable } from './word-table.ts';

const separator = /[ \n]/;
const tokens = /\n|[^ \n]+/g;
/** In sequences it stands for a line break. */
const lineBreak = 0;

/** A part with spaces. */
export interface Phrase {
  /** The texts that may contain it: those that have its words. */
  readonly candidates: Bits;
  /** Checks whether one of them does. */
  readonly isIn: (number: number) => boolean;
}

export class WordIndex {
  readonly #table = new WordTable();
  /** Texts of each word: a number where there is one text. */
  readonly #texts: (number | SlotSet | undefined)[] = [];
  /** The words of each text. */
  readonly #sequences = new WordSequences();
  /** Above the number of every text. */
  #end = 0;

  /** Puts a text under a number, in the place of the one before; undefined for none. Between its words are single spaces or line breaks. */
  set(number: number, text: string | undefined): void {
    this.#delete(number);
    this.#end = Math.max(this.#end, number + 1);
    this.#sequences.set(number, text === undefined ? [] : this.#add(number, text));
  }

  /** Returns the texts that contain a part without spaces. */
  find(part: string): Bits {
    const bits = new Bits(this.#end);
    this.#table.forEachContaining(part, (word) => this.#addTexts(bits, word));
    return bits;
  }

  /** Returns what tells the texts that contain a part with spaces. */
  phrase(part: string): Phrase {
    const words = part.split(separator);
    return part.includes('\n') || words.includes('') ? this.#anyPhrase(part, words) : this.#phrase(words);
  }

  /** Words with single spaces between them: the end of a word, whole words, the beginning of a word. */
  #phrase(words: readonly string[]): Phrase {
    const [start = '', end = ''] = [words[0], words.at(-1)];
    const first = this.#table.containing(start, (word) => word.endsWith(start));
    const last = this.#table.containing(end, (word) => word.startsWith(end));
    const middle = words.slice(1, -1).map((word) => this.#table.numberOf(word) ?? -1);
    if (middle.includes(-1)) return { candidates: new Bits(), isIn: () => false };
    const pattern = {
      words: [...onlyOne(first), ...middle, ...onlyOne(last)],
      before: first.length === 1 ? undefined : setOf(first),
      after: last.length === 1 ? undefined : setOf(last),
    };
    return {
      candidates: this.#withAll([first, ...middle.map((number) => [number]), last]),
      isIn: (number) => this.#sequences.has(number, pattern),
    };
  }

  /** What no text of words looks like, but for a few: with line breaks, or more spaces. */
  #anyPhrase(part: string, words: readonly string[]): Phrase {
    const matches = words.filter((word) => word !== '').map((word) => this.#table.containing(word));
    return { candidates: this.#withAll(matches), isIn: (number) => this.#textOf(number).includes(part) };
  }

  /** Returns the texts that have one word at least of each list. */
  #withAll([first = [], ...others]: readonly (readonly number[])[]): Bits {
    const found = this.#textsOf(first);
    for (const words of others) found.keepAll(this.#textsOf(words));
    return found;
  }

  #textsOf(words: readonly number[]): Bits {
    const bits = new Bits(this.#end);
    for (const word of words) this.#addTexts(bits, word);
    return bits;
  }

  #addTexts(bits: Bits, word: number): void {
    const texts = this.#texts[word];
    if (typeof texts === 'number') bits.add(texts);
    else texts?.addTo(bits);
  }

  #textOf(number: number): string {
    const words = Array.from(this.#sequences.of(number), (word) =>
      word === lineBreak ? '\n' : this.#table.wordOf(word),
    );
    return words.join(' ').replaceAll(/ ?\n ?/g, '\n');
  }

  /** Adds a text, and returns its words. */
  #add(number: number, text: string): number[] {
    const words = text.match(tokens) ?? [];
    const numbers = words.map((word) => (word === '\n' ? lineBreak : this.#numberOf(word)));
    for (const word of new Set(numbers))
      if (word !== lineBreak) this.#texts[word] = withText(this.#texts[word], number);
    return numbers;
  }

  #numberOf(word: string): number {
    return this.#table.numberOf(word) ?? this.#table.add(word);
  }

  #delete(number: number): void {
    for (const word of new Set(this.#sequences.of(number))) {
      if (word === lineBreak) continue;
      const texts = this.#texts[word];
      if (typeof texts === 'object') texts.delete(number);
      if (typeof texts === 'object' && texts.size > 0) continue;
      this.#texts[word] = undefined;
      this.#table.delete(word);
    }
  }
}

/** Checks whether a part lies within one word, so that no text has to be looked at. */
export function isWithinWord(part: string): boolean {
  return !separator.test(part);
}

function onlyOne(words: readonly number[]): readonly number[] {
  return words.length === 1 ? words : [];
}

function setOf(words: readonly number[]): Bits {
  const bits = new Bits();
  for (const word of words) bits.add(word);
  return bits;
}

function withText(texts: number | SlotSet | undefined, number: number): number | SlotSet {
  if (texts === undefined) return number;
  const set = typeof texts === 'number' ? new SlotSet() : texts;
  if (typeof texts === 'number') set.add(texts);
  set.add(number);
  return set;
}
