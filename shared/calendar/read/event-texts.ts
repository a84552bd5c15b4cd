/** The texts of events, indexed for searches in each language. Built on the first search, and from then on kept up to date with what changes. */

import { createCache } from '../../cache.ts';
import { type Language, languages } from '../model/values.ts';
import { Bits } from '../replica/bits.ts';
import type { ChangedSlots } from '../replica/changed-slots.ts';
import type { EventEntry } from '../replica/entries.ts';
import type { EventIndex } from '../replica/event-index.ts';
import type { Pace } from '../replica/pace.ts';
import { isWithinWord, type Phrase, WordIndex } from '../replica/word-index.ts';
import { budget } from './budget.ts';
import { searchedFields, searchText, type Words } from './search.ts';

/** Slots that are looked at between two pauses. */
const perBlock = 1_024;
/** Phrases of which it is known where they are, at most. */
const maxPhrases = 100;
const isIn = 1;
const isNot = 2;

/** Texts of one language, or the default ones. */
interface TextSet {
  readonly words: WordIndex;
  /** Slots of the events with a text in it. */
  readonly slots: Bits;
}

export class EventTexts {
  readonly #index: EventIndex;
  /** Slots whose texts have changed; undefined before the first search. */
  #changed: ChangedSlots | undefined;
  readonly #default = newTextSet();
  /** Only events with texts of their own in the language. */
  readonly #translated: Readonly<Record<Language, TextSet>> = { da: newTextSet(), sv: newTextSet() };
  /** Stand for the texts of so many slots as they are: another for each change. */
  readonly #blocks: object[] = [];
  /** In which texts of each block the phrases are that were searched lately: the same one is asked for with other filters. */
  readonly #outcomes = createCache<string, WeakMap<object, Uint8Array>>({
    maxEntries: maxPhrases,
    bytes: { max: budget.phrases, of: () => this.#blocks.length * perBlock },
  });

  constructor(index: EventIndex) {
    this.#index = index;
  }

  /** Keeps those events of a set whose texts have all words that are wanted, as parts, and none that is excluded. It may take several slices. */
  search(set: Bits, { wanted, excluded }: Words, language: Language | undefined, pace: Pace): void {
    this.#update(pace);
    for (const part of wanted) set.keepAll(this.#with(part, language, set, pace));
    for (const part of excluded) set.deleteAll(this.#with(part, language, set, pace));
  }

  /** Returns the events whose text contains a part. Where the index cannot tell, only those of `among` are looked at. */
  #with(part: string, language: Language | undefined, among: Bits, pace: Pace): Bits {
    if (part === '') return among.copy();
    if (isWithinWord(part)) return this.#inLanguage(language, ({ words }) => words.find(part));
    const usual = this.#default.words.phrase(part);
    if (language === undefined)
      return this.#withPhrase(usual.candidates, usual.isIn, ` ${part}`, among, pace);
    const { words, slots } = this.#translated[language];
    const own = words.phrase(part);
    const found = this.#inLanguage(language, (texts) => (texts.words === words ? own : usual).candidates);
    const isIn = (slot: number) => (slots.has(slot) ? own : usual).isIn(slot);
    return this.#withPhrase(found, isIn, `${language} ${part}`, among, pace);
  }

  /** Returns those candidates among others that do have a phrase. */
  #withPhrase(candidates: Bits, isIn: Phrase['isIn'], phrase: string, among: Bits, pace: Pace): Bits {
    candidates.keepAll(among);
    this.#keep(candidates, phrase, isIn, pace);
    return candidates;
  }

  /** Returns what is found in the texts that readers of a language see: where there is none in it, in the default one. */
  #inLanguage(language: Language | undefined, find: (texts: TextSet) => Bits): Bits {
    const found = find(this.#default);
    if (language === undefined) return found;
    const translated = this.#translated[language];
    found.deleteAll(translated.slots);
    found.addAll(find(translated));
    return found;
  }

  /** Keeps those slots of a set of which a test is true. What is found out in one slice is at hand in the next, unless the texts have changed. */
  #keep(found: Bits, what: string, test: (slot: number) => boolean, pace: Pace): void {
    for (let first = found.next(0); first !== undefined; ) {
      const block = Math.floor(first / perBlock);
      const [start, end] = [block * perBlock, (block + 1) * perBlock];
      this.#blocks[block] ??= {};
      const outcomes = pace.once(what, this.#blocks[block], (slots) => this.#outcomesOf(what, slots));
      found.filter(
        (slot) => {
          outcomes[slot - start] ||= test(slot) ? isIn : isNot;
          return outcomes[slot - start] === isIn;
        },
        start,
        end,
      );
      first = found.next(end);
    }
  }

  /** Returns what is known of a phrase in a block, and takes in what is found out. */
  #outcomesOf(phrase: string, block: object): Uint8Array {
    const byBlock = this.#outcomes.get(phrase) ?? new WeakMap<object, Uint8Array>();
    this.#outcomes.set(phrase, byBlock);
    const outcomes = byBlock.get(block) ?? new Uint8Array(perBlock);
    byBlock.set(block, outcomes);
    return outcomes;
  }

  #update(pace: Pace): void {
    this.#changed ??= this.#index.watch();
    for (let slot = this.#changed.first(); slot !== undefined; slot = this.#changed.first()) {
      this.#replace(slot, this.#index.at(slot));
      this.#changed.delete(slot);
      pace.step();
    }
  }

  #replace(slot: number, entry: EventEntry | undefined): void {
    this.#blocks[Math.floor(slot / perBlock)] = {};
    this.#default.words.set(slot, entry && searchText(entry, undefined));
    for (const language of languages) {
      const { words, slots } = this.#translated[language];
      const isTranslation = entry !== undefined && isTranslated(entry, language);
      words.set(slot, isTranslation ? searchText(entry, language) : undefined);
      if (isTranslation) slots.add(slot);
      else slots.delete(slot);
    }
  }
}

function newTextSet(): TextSet {
  return { words: new WordIndex(), slots: new Bits() };
}

function isTranslated({ record }: EventEntry, language: Language): boolean {
  const texts = record.translations?.[language];
  return texts !== undefined && searchedFields.some((field) => texts[field] !== undefined);
}
