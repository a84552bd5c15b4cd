/**
 * Finds the texts that contain a part. Spaces and line breaks separate words, so a part without them lies within a word:
 * the part is looked up in the vocabulary, and each word leads to its texts. A phrase is looked up in the texts that contain its words.
 * Texts that are not indexed yet are looked through, which finds the same.
 */

import { createCache } from '../../../shared/cache.ts';
import { Bits, SlotSet } from '../replica/slot-sets.ts';

const separators = /[ \n]+/;
/** Phrases whose slots are cached until a text changes. */
const maxPhrases = 100;
/** Ends each word of the vocabulary. */
const endOfWord = '\n';

export class WordIndex {
  /** The slots that have a text. */
  readonly slots = new Bits();
  readonly #texts: (string | undefined)[] = [];
  /** The slots whose texts are not indexed yet. */
  readonly #pending = new Set<number>();
  readonly #numbers = new Map<string, number>();
  /** The distinct words in the order of their numbers. */
  #vocabulary = '';
  /** By the number of a word: where it ends in the vocabulary, and the slots of the texts that have it. */
  #ends: number[] = [];
  #postings: SlotSet[] = [];
  readonly #phrases = createCache<string, Bits>({ maxEntries: maxPhrases });
  /** Number of words that no text has any more. */
  #unused = 0;

  /** Number of texts that are not indexed yet. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Replaces the text of a slot; undefined for none. It is found at once, and more quickly once it is indexed. */
  set(slot: number, text: string | undefined): void {
    const previousText = this.#texts[slot];
    if (text === previousText) return;
    this.#texts[slot] = text;
    if (this.#phrases.size > 0) this.#phrases.clear();
    if (!this.#pending.delete(slot)) for (const word of wordsOf(previousText)) this.#delete(word, slot);
    if (text === undefined) this.slots.delete(slot);
    else {
      this.slots.add(slot);
      this.#pending.add(slot);
    }
    if (this.#unused * 2 > this.#postings.length) this.#dropUnused();
  }

  /** Indexes texts that are not indexed yet, up to a number of them. */
  index(maxTexts = Number.POSITIVE_INFINITY): void {
    let remaining = maxTexts;
    for (const slot of this.#pending) {
      if (remaining <= 0) return;
      remaining -= 1;
      this.#pending.delete(slot);
      for (const word of wordsOf(this.#texts[slot])) this.#postingsOf(word).add(slot);
    }
  }

  /** Returns the slots of the texts that contain a part, not to be changed. */
  find(part: string): Bits {
    const words = part.split(separators).filter((word) => word !== '');
    if (words[0] === part) return this.#findInWords(part);
    const cached = this.#phrases.get(part);
    if (cached !== undefined) return cached;
    const matches = this.slots.copy();
    for (const word of words) matches.keepAll(this.#findInWords(word));
    matches.keepIf((slot) => this.#texts[slot]?.includes(part) ?? false);
    this.#phrases.set(part, matches);
    return matches;
  }

  /** Returns the slots of the texts that have a word with a part. */
  #findInWords(part: string): Bits {
    const matches = new Bits(this.#texts.length);
    for (const slot of this.#pending) if (this.#texts[slot]?.includes(part)) matches.add(slot);
    const vocabulary = this.#vocabulary;
    let word = 0;
    let end = 0;
    for (let at = vocabulary.indexOf(part); at >= 0; at = vocabulary.indexOf(part, end)) {
      while ((this.#ends[word] ?? vocabulary.length) <= at) word += 1;
      end = this.#ends[word] ?? vocabulary.length;
      this.#postings[word]?.addTo(matches);
    }
    return matches;
  }

  #postingsOf(word: string): SlotSet {
    const postings = this.#postings[this.#numbers.get(word) ?? -1] ?? this.#add(word, new SlotSet());
    if (postings.size === 0) this.#unused -= 1;
    return postings;
  }

  /** Adds a word that no text has yet. */
  #add(word: string, postings: SlotSet): SlotSet {
    this.#numbers.set(detached(word), this.#postings.length);
    this.#vocabulary += word + endOfWord;
    this.#ends.push(this.#vocabulary.length);
    this.#postings.push(postings);
    this.#unused += 1;
    return postings;
  }

  #delete(word: string, slot: number): void {
    const postings = this.#postingsOf(word);
    postings.delete(slot);
    if (postings.size === 0) this.#unused += 1;
  }

  #dropUnused(): void {
    const numbers = [...this.#numbers];
    const postings = this.#postings;
    this.#numbers.clear();
    this.#vocabulary = '';
    this.#ends = [];
    this.#postings = [];
    for (const [word, number] of numbers) {
      const slots = postings[number];
      if (slots !== undefined && slots.size > 0) this.#add(word, slots);
    }
    this.#unused = 0;
  }
}

/** Returns the distinct words of a text. */
function wordsOf(text = ''): Set<string> {
  return new Set(text.split(separators).filter((word) => word !== ''));
}

/** Returns a copy of a word. V8 stores a part of 13 or more characters as a reference to the whole text. */
function detached(word: string): string {
  return word.length < 13 ? word : word.split('').join('');
}
