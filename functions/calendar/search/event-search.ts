/** Searches the texts of events in each language (docs/calendar-contract.md, "Filters of events"). */

import { yieldToEventLoop } from '../../../shared/limits/chunks.ts';
import { logFailure } from '../../../shared/telemetry/log.ts';
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

/** Texts that are indexed in one turn of the event loop, at most. */
const chunkLength = 500;

/** The index of the texts of events. What has changed is indexed in the background, or by the next search where it is little. */
export class EventSearch {
  readonly #events: EventIndex;
  /** Slots of events whose texts may have changed; undefined before the first use. */
  #changed: Set<number> | undefined;
  #isIndexing = false;
  readonly #default = new WordIndex();
  /** Texts of the events that are translated. */
  readonly #translated: Readonly<Record<Language, WordIndex>> = { da: new WordIndex(), sv: new WordIndex() };

  constructor(events: EventIndex) {
    this.#events = events;
  }

  /**
   * Indexes what has changed, in chunks between which others have their turn. Resolves once all is indexed; at once where another call does
   * it. A search meanwhile looks through the texts that are not indexed yet, and finds the same.
   */
  async index(): Promise<void> {
    if (this.#isIndexing) return;
    this.#isIndexing = true;
    try {
      do {
        await yieldToEventLoop();
        this.#update(chunkLength);
        for (const words of this.#indexes()) words.index(chunkLength);
      } while (this.#pending() > 0);
    } finally {
      this.#isIndexing = false;
    }
  }

  /** Deletes the events from a set that do not match a search: their texts lack a wanted part or contain an excluded part. */
  keepMatches(set: Bits, search: string, language: Language | undefined): void {
    const { wanted, excluded } = parseSearch(search);
    this.#update();
    if (this.#pending() <= chunkLength) for (const words of this.#indexes()) words.index();
    else this.indexInBackground();
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

  /** Begins to index what has changed. Nobody waits for it. */
  indexInBackground(): void {
    this.index().catch((error: unknown) => logFailure(undefined, error));
  }

  #indexes(): readonly WordIndex[] {
    return [this.#default, ...Object.values(this.#translated)];
  }

  /** Returns how many texts are to be indexed. */
  #pending(): number {
    return this.#indexes().reduce((sum, { pending }) => sum + pending, this.#changed?.size ?? 0);
  }

  /** Replaces texts that have changed, up to a number of them. */
  #update(maxTexts = Number.POSITIVE_INFINITY): void {
    this.#changed ??= this.#events.watch();
    let remaining = maxTexts;
    for (const slot of this.#changed) {
      if (remaining <= 0) return;
      remaining -= 1;
      this.#changed.delete(slot);
      this.#replace(slot, this.#events.at(slot));
    }
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
