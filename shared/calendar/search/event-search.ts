/** Searches the texts of events in each language (behaviour section 6.2). The first search builds the index, later searches update it. */

import { plainText } from '../model/text/html.ts';
import { textIn } from '../model/text/render-text.ts';
import { type Language, languages } from '../model/values.ts';
import type { Bits } from '../replica/bits.ts';
import type { EventEntry } from '../replica/entries.ts';
import type { EventIndex } from '../replica/event-index.ts';
import type { Words } from './parse-search.ts';
import { WordIndex } from './word-index.ts';

/** Fields that are searched, in the order in which they stand in the text. */
const searchedFields = ['title', 'excerpt', 'description'] as const;

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

  /** Deletes the events from a set whose texts lack a wanted part or contain an excluded part. */
  keepMatches(set: Bits, { wanted, excluded }: Words, language: Language | undefined): void {
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
    this.#default.set(slot, entry && searchText(entry, undefined));
    for (const language of languages) {
      const isTranslation = entry !== undefined && isTranslated(entry, language);
      this.#translated[language].set(slot, isTranslation ? searchText(entry, language) : undefined);
    }
  }
}

function isTranslated({ record }: EventEntry, language: Language): boolean {
  const texts = record.translations?.[language];
  return texts !== undefined && searchedFields.some((field) => texts[field] !== undefined);
}

/** Returns the texts of an event that searches look at, as plain text in lower case: only the title where it has a password. */
function searchText({ record }: EventEntry, language: Language | undefined): string {
  const fields = record.access_password === undefined ? searchedFields : (['title'] as const);
  return fields.map((field) => plainText(textIn(record, field, language)).toLowerCase()).join('\n');
}
