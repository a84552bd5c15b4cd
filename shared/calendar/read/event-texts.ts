/** Searching events for words (behaviour section 6.2): what is looked for, and the texts that are looked at, indexed in each language on the first search and kept up to date from then on with what changes. */

import { createCache } from '../../cache.ts';
import { plainText } from '../model/text/html.ts';
import { textIn } from '../model/text/render-text.ts';
import { type Language, languages } from '../model/values.ts';
import { Bits } from '../replica/bits.ts';
import type { EventEntry } from '../replica/entries.ts';
import type { EventIndex } from '../replica/event-index.ts';
import type { Pace } from '../replica/pace.ts';
import type { ChangedSlots } from '../replica/slot-sets.ts';
import { isWithinWord, type Phrase, WordIndex } from '../replica/word-index.ts';
import { budget } from './caches.ts';

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

/** Words too common to search for, unless nothing else is asked. */
const common = new Set(
  (
    'about an are as at be by com for from how in is it of on or that the this to was what when where who will ' +
    'with www'
  ).split(' '),
);
/** Words of a search, at most; of more, the whole is a phrase. */
const maxWords = 9;

/** Fields that are searched, in the order in which they stand in the text. */
export const searchedFields = ['title', 'excerpt', 'description'] as const;

const token = /(-?)(?:"([^"]*)"?|([^\s,+"]+))/g;

/** What a text must and must not contain, in lower case. */
export interface Words {
  readonly wanted: readonly string[];
  readonly excluded: readonly string[];
}

/**
 * Parses a search: words separated by whitespace, commas or plus signs, `"a phrase"`, `-word` to exclude. Single letters and
 * common words are dropped; the whole is a phrase when nothing is left, or when there are more than nine words.
 */
export function parseSearch(search: string): Words {
  const wanted: string[] = [];
  const excluded: string[] = [];
  const whole = search.toLowerCase();
  for (const [, minus, phrase, word = ''] of whole.matchAll(token)) {
    const text = phrase ?? word.replace(/^'+|(?<!')'+$/g, '');
    if (text.trim() === '' || /^[a-z-]$/.test(text) || common.has(text)) continue;
    (minus === '-' ? excluded : wanted).push(text);
  }
  const count = wanted.length + excluded.length;
  return count === 0 || count > maxWords ? { wanted: [whole.trim()], excluded: [] } : { wanted, excluded };
}

/** Returns title, excerpt and description of an event as plain text in lower case, as they would be shown; of one with a password only the title. */
export function searchText({ record }: EventEntry, language: Language | undefined): string {
  const fields = record.access_password === undefined ? searchedFields : (['title'] as const);
  return fields.map((field) => plainText(textIn(record, field, language)).toLowerCase()).join('\n');
}
