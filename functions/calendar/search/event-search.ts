/** Searches the texts of events in each language (docs/calendar-contract.md, "Filters of events"). */

import { plainText } from '../model/text/plain-text.ts';
import { textIn } from '../model/text/render-text.ts';
import { searchText } from '../model/text/search-text.ts';
import { type Language, languages } from '../model/values.ts';
import type { EventEntry } from '../replica/entries.ts';
import type { EventIndex } from '../replica/event-index.ts';
import type { Bits } from '../replica/slot-sets.ts';
import { WordIndex } from './word-index.ts';

/** Words too common to search for, unless nothing else is asked. */
const common = new Set(
  (
    'about an are as at be by com for from how in is it of on or that the this to was what when where who will ' +
    'with www'
  ).split(' '),
);
/** Words of a search, at most; of more, the whole is a phrase. */
const maxWords = 9;

const token = /(-?)(?:"([^"]*)"?|([^\s,+"]+))/g;

/** What a text must and must not contain, as searches compare texts. */
export interface Words {
  readonly wanted: readonly string[];
  readonly excluded: readonly string[];
}

/**
 * Parses a search: words separated by whitespace, commas or plus signs, `"a phrase"`, `-word` to exclude. Single letters and common words
 * are dropped. When nothing is left, or more than nine words are, the whole search is a phrase.
 */
export function parseSearch(search: string): Words {
  const terms: string[] = [];
  const excluded: string[] = [];
  const written = searchText(search);
  for (const [, minus, phrase, word = ''] of written.matchAll(token)) {
    const text = phrase ?? word.replace(/^'+|(?<!')'+$/g, '');
    if (text.trim() === '' || /^[a-z-]$/.test(text) || common.has(text)) continue;
    (minus === '-' ? excluded : terms).push(text);
  }
  const count = terms.length + excluded.length;
  return count === 0 || count > maxWords
    ? { wanted: [written.trim()], excluded: [] }
    : { wanted: terms, excluded };
}

/** Fields that are searched, in the order in which they stand in the text. */
const searchedFields = ['title', 'excerpt', 'description'] as const;

/** The first search builds the index, later searches update it. */
export class EventSearch {
  readonly #events: EventIndex;
  /** Slots of events whose texts may have changed; undefined before the first search. */
  #changed: Set<number> | undefined;
  readonly #default = new WordIndex();
  /** Texts of the events that are translated. */
  readonly #translated: Readonly<Record<Language, WordIndex>> = { da: new WordIndex(), sv: new WordIndex() };

  constructor(events: EventIndex) {
    this.#events = events;
  }

  /** Deletes the events from a set that do not match a search: their texts lack a wanted part or contain an excluded part. */
  keepMatches(set: Bits, search: string, language: Language | undefined): void {
    const { wanted, excluded } = parseSearch(search);
    this.#update();
    for (const part of wanted) set.keepAll(this.#find(part, language));
    for (const part of excluded) set.deleteAll(this.#find(part, language));
  }

  /** Returns the events whose text contains a part: the text in a language, or the default text where it is not translated. */
  #find(part: string, language: Language | undefined): Bits {
    const inDefault = this.#default.find(part);
    if (language === undefined) return inDefault;
    const translated = this.#translated[language];
    const matches = inDefault.copy();
    matches.deleteAll(translated.slots);
    matches.addAll(translated.find(part));
    return matches;
  }

  #update(): void {
    this.#changed ??= this.#events.watch();
    for (const slot of this.#changed) this.#replace(slot, this.#events.at(slot));
    this.#changed.clear();
  }

  #replace(slot: number, entry: EventEntry | undefined): void {
    this.#default.set(slot, entry && textOf(entry, undefined));
    for (const language of languages) {
      const isTranslation = entry !== undefined && isTranslated(entry, language);
      this.#translated[language].set(slot, isTranslation ? textOf(entry, language) : undefined);
    }
  }
}

function isTranslated({ record }: EventEntry, language: Language): boolean {
  const texts = record.translations?.[language];
  return texts !== undefined && searchedFields.some((field) => texts[field] !== undefined);
}

/** Returns the texts of an event that searches look at: only the title where it has a password. */
function textOf({ record }: EventEntry, language: Language | undefined): string {
  const fields = record.access_password === undefined ? searchedFields : (['title'] as const);
  return fields.map((field) => searchText(plainText(textIn(record, field, language)))).join('\n');
}
