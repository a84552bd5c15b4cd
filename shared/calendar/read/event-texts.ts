/** Searching events for words (behaviour section 6.2): what is looked for, and the texts that are looked at, indexed in each language on the first search and kept up to date from then on with what changes. */

import { plainText } from '../model/text/html.ts';
import { textIn } from '../model/text/render-text.ts';
import { type Language, languages } from '../model/values.ts';
import { Bits } from '../replica/bits.ts';
import type { EventEntry } from '../replica/entries.ts';
import type { EventIndex } from '../replica/event-index.ts';
import type { ChangedSlots } from '../replica/slot-sets.ts';
import { isWithinWord, type Phrase, WordIndex } from '../replica/word-index.ts';
import { Phrases } from './phrases.ts';

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
  readonly #phrases = new Phrases();

  constructor(index: EventIndex) {
    this.#index = index;
  }

  /** Keeps those events of a set whose texts have all words that are wanted, as parts, and none that is excluded. */
  search(set: Bits, { wanted, excluded }: Words, language: Language | undefined): void {
    this.#update();
    for (const part of wanted) set.keepAll(this.#with(part, language, set));
    for (const part of excluded) set.deleteAll(this.#with(part, language, set));
  }

  /** Returns the events whose text contains a part. Where the index cannot tell, only those of `among` are looked at. */
  #with(part: string, language: Language | undefined, among: Bits): Bits {
    if (part === '') return among.copy();
    if (isWithinWord(part)) return this.#inLanguage(language, ({ words }) => words.find(part));
    const ofDefault = this.#default.words.phrase(part);
    if (language === undefined)
      return this.#withPhrase(ofDefault.candidates, ofDefault.isIn, ` ${part}`, among);
    const { words, slots } = this.#translated[language];
    const own = words.phrase(part);
    const found = this.#inLanguage(language, (texts) => (texts.words === words ? own : ofDefault).candidates);
    const isIn = (slot: number) => (slots.has(slot) ? own : ofDefault).isIn(slot);
    return this.#withPhrase(found, isIn, `${language} ${part}`, among);
  }

  /** Returns those candidates among others that do have a phrase. */
  #withPhrase(candidates: Bits, isIn: Phrase['isIn'], phrase: string, among: Bits): Bits {
    candidates.keepAll(among);
    this.#phrases.keep(candidates, phrase, isIn);
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

  #update(): void {
    this.#changed ??= this.#index.watch();
    for (let slot = this.#changed.first(); slot !== undefined; slot = this.#changed.first()) {
      this.#replace(slot, this.#index.at(slot));
      this.#changed.delete(slot);
    }
  }

  #replace(slot: number, entry: EventEntry | undefined): void {
    this.#phrases.note(slot);
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
