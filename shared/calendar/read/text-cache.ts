/** Texts of single records, kept while they are used, all in one budget: for each URL of the API and language those of a record in its present state. */

import { type Cache, createCache } from '../../cache.ts';
import type { PostEntry } from '../replica/entries.ts';
import { budget } from './budget.ts';
import { sizeOf } from './page-cache.ts';

/** Texts, at most: more of them than have room in the budget. */
const maxTexts = 100_000;
/** Bytes that each takes beside its text. */
const overhead = 100;
/** Serials of entries lie below it, so that one number names a cache and an entry. */
const cacheUnit = 2 ** 32;

/** Texts of records of one kind and purpose. */
export interface TextCache {
  /** Returns the text of a record, made now or before. `state` names what it depends on beside the record; default: nothing. */
  of(entry: PostEntry, make: () => string, state?: string): string;
}

interface CachedText {
  readonly text: string;
  readonly state: string;
}

/** The budget that caches of texts share. */
export class TextCaches {
  readonly #texts: Cache<number, CachedText> = createCache({
    maxEntries: maxTexts,
    name: 'texts of the calendar',
    bytes: { max: budget.texts, of: ({ text }) => sizeOf(text) + overhead },
  });
  #opened = 0;

  /** Opens another cache. */
  open(): TextCache {
    this.#opened += 1;
    const first = this.#opened * cacheUnit;
    return {
      of: ({ serial }, make, state = '') => {
        const cached = this.#texts.get(first + serial);
        if (cached?.state === state) return cached.text;
        const text = make();
        this.#texts.set(first + serial, { text, state });
        return text;
      },
    };
  }
}
