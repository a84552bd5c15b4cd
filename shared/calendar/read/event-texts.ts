/** The texts of events, indexed for searches in each language. Built on the first search, and from then on kept up to date with what changes. */

import { type Language, languages } from '../model/values.ts';
import { Bits } from '../replica/bits.ts';
import type { EventEntry } from '../replica/entries.ts';
import type { EventIndex } from '../replica/event-index.ts';
import type { Pace } from '../replica/pace.ts';
import { isWithinWord, WordIndex } from '../replica/word-index.ts';
import { searchedFields, searchText, type Words } from './search.ts';

/** Texts of one language, or the default ones. */
interface TextSet {
  readonly words: WordIndex;
  /** Slots of the events with a text in it. */
  readonly slots: Bits;
}

export class EventTexts {
  readonly #index: EventIndex;
  /** Slots whose texts have changed; undefined before the first search. */
  #changed: Set<number> | undefined;
  /** The events by slot, as they were indexed. */
  readonly #indexed: (EventEntry | undefined)[] = [];
  readonly #default = newTextSet();
  /** Only events with texts of their own in the language. */
  readonly #translated: Readonly<Record<Language, TextSet>> = { da: newTextSet(), sv: newTextSet() };

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
    const found = this.#default.words.find(part);
    if (language !== undefined) {
      found.deleteAll(this.#translated[language].slots);
      found.addAll(this.#translated[language].words.find(part));
    }
    if (isWithinWord(part)) return found;
    found.keepAll(among);
    found.filter((slot) => {
      const entry = this.#index.at(slot);
      return (
        entry !== undefined &&
        pace.once(`search ${part}`, entry, () => searchText(entry, language).includes(part))
      );
    });
    return found;
  }

  #update(pace: Pace): void {
    this.#changed ??= this.#index.watch();
    for (const slot of this.#changed) {
      this.#replace(slot, this.#index.at(slot));
      this.#changed.delete(slot);
      pace.step();
    }
  }

  #replace(slot: number, after: EventEntry | undefined): void {
    const before = this.#indexed[slot];
    if (before !== undefined) this.#note(slot, before, 'delete');
    if (after !== undefined) this.#note(slot, after, 'add');
    this.#indexed[slot] = after;
  }

  #note(slot: number, entry: EventEntry, how: 'add' | 'delete'): void {
    this.#default.words[how](slot, searchText(entry, undefined));
    for (const language of languages) {
      if (!isTranslated(entry, language)) continue;
      const { words, slots } = this.#translated[language];
      words[how](slot, searchText(entry, language));
      slots[how](slot);
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
