/** What is cached for later reads, all of it in one budget: texts of single records while they are used, and pages of lists and feeds until the calendar changes. */

import { crc32 } from 'node:zlib';
import { type Cache, createCache } from '../../cache.ts';
import type { PostEntry } from '../replica/entries.ts';

const mebibyte = 2 ** 20;

/** Bytes of memory, at most. What does not fit any more makes room by what was used least recently. */
export const budget = {
  /** Pages of lists and feeds, until the calendar changes. */
  pages: 8 * mebibyte,
  /** Texts of single records, until they change: JSON, and components of iCalendar. */
  texts: 32 * mebibyte,
  /** Which texts have a phrase. */
  phrases: 4 * mebibyte,
} as const;

/** Bytes that each takes beside its text. */
const overhead = 100;
/** Serials of entries lie below it, so that one number names a cache and an entry. */
const cacheUnit = 2 ** 32;

/** What a record is rendered as. */
export interface Rendered {
  readonly text: string;
  /** Bytes of the text in UTF-8. */
  readonly size: number;
  /** Checksum of the text. */
  readonly sum: number;
}

/** Returns a text with its size and checksum, so that pages of it are joined and tagged without going through it again. */
export function rendered(text: string): Rendered {
  return { text, size: Buffer.byteLength(text), sum: crc32(text) };
}

/** A record as it was rendered, in one object: pages look at thousands of them all over the memory. */
export type CachedText<Value extends Rendered> = Value & {
  /** What it depends on beside the record, as a text. */
  readonly state: string;
};

/** How texts come about. */
export interface TextSource<Value extends Rendered, Entry extends PostEntry> {
  readonly stateOf: (entry: Entry) => string;
  /** Renders a record in a state; `before` is what it was rendered as in the state before. */
  readonly make: (entry: Entry, state: string, before: CachedText<Value> | undefined) => Value;
}

/** Texts of records of one kind and purpose. */
export interface TextCache<Value extends Rendered> {
  /**
   * Returns a record in its present state, rendered now or before. As long as the replica's `revision` is the same, the state is not
   * asked for again; NaN where the state depends on the caller.
   */
  of<Entry extends PostEntry>(
    entry: Entry,
    revision: number,
    source: TextSource<Value, Entry>,
  ): CachedText<Value>;
}

interface Entry<Value extends Rendered> {
  /** Undefined once there is no room for it any more. */
  text: CachedText<Value> | undefined;
  readonly cache: number;
  revision: number;
  /** How many texts had been added when it was last looked up by its key. */
  lookedUp: number;
}

/** Texts that may be added before one that is used has to be looked up by its key, which is what keeps it from making room. */
const maxAdded = 1000;

let lastCache = 0;

/** Texts of records: for each URL of the API and language those of a record in its present state. */
export class TextCaches {
  readonly #texts: Cache<number, Entry<Rendered>> = createCache({
    name: 'texts of the calendar',
    bytes: { max: budget.texts, of: ({ text }) => sizeOf(text?.text ?? '') + overhead },
    onRemoved: (entry) => {
      entry.text = undefined;
    },
  });
  #added = 0;

  /** Opens another cache. */
  open<Value extends Rendered>(): TextCache<Value> {
    lastCache += 1;
    const cache = lastCache;
    return {
      of: (entry, revision, source) => {
        const near = entry.cached as Entry<Value> | undefined;
        if (near?.text === undefined || near.cache !== cache || near.revision !== revision)
          return this.#lookUp(cache, entry, revision, source);
        return this.#added - near.lookedUp > maxAdded
          ? this.#lookUp(cache, entry, revision, source)
          : near.text;
      },
    };
  }

  /** Looks a text up by its key; renders it where it is not there, or in another state than the present one. */
  #lookUp<Value extends Rendered, Post extends PostEntry>(
    cache: number,
    entry: Post,
    revision: number,
    { stateOf, make }: TextSource<Value, Post>,
  ): CachedText<Value> {
    const key = cache * cacheUnit + entry.serial;
    const found = this.#texts.get(key) as Entry<Value> | undefined;
    const before = found?.text;
    const state = found?.revision === revision && before !== undefined ? before.state : stateOf(entry);
    const isSame = before?.state === state;
    const text = isSame ? before : { ...make(entry, state, before), state };
    // Whatever the state and the text were made from may have taken its room.
    const isCached = isSame && found?.text !== undefined;
    const cached = isCached ? found : { text, cache, revision, lookedUp: 0 };
    if (!isCached) {
      this.#added += 1;
      this.#texts.set(key, cached);
    }
    cached.revision = revision;
    cached.lookedUp = this.#added;
    entry.cached = cached;
    return text;
  }
}

/** Pages, at most: more of them than have room in the budget. */
const maxPages = 2000;
/** Keys of pages that were asked for once, at most. */
const maxAskedOnce = 1000;
/** A page that takes more than this part of the budget is not cached. */
const largestPart = 4;

export interface PageOptions<Page> {
  /** The replica's present revision. */
  readonly revision: number;
  /** Names all that the page depends on. */
  readonly cacheKey: unknown;
  readonly make: () => Page;
  readonly bytesOf: (page: Page) => number;
}

interface CachedPage {
  readonly page: object;
  readonly bytes: number;
}

/** Pages of lists and feeds. A page is cached when it is asked for the second time: most questions come once, and their pages would only be garbage that has grown old. */
export class PageCache {
  readonly #pages: Cache<string, CachedPage> = createCache({
    maxEntries: maxPages,
    name: 'pages of the calendar',
    bytes: { max: budget.pages, of: ({ bytes }, key) => bytes + sizeOf(key) },
  });
  readonly #askedOnce = createCache<string, true>({ maxEntries: maxAskedOnce });
  #revision = -1;

  /** Returns the page under a key, made now or since the present revision. */
  of<Page extends object>({ revision, cacheKey, make, bytesOf }: PageOptions<Page>): Page {
    if (revision !== this.#revision) this.#forget(revision);
    const key = JSON.stringify(cacheKey);
    const cached = this.#pages.get(key)?.page as Page | undefined;
    if (cached !== undefined) return cached;
    const page = make();
    if (this.#askedOnce.get(key) === undefined) {
      this.#askedOnce.set(key, true);
      return page;
    }
    const bytes = bytesOf(page);
    if (bytes * largestPart <= budget.pages) this.#pages.set(key, { page, bytes });
    return page;
  }

  #forget(revision: number): void {
    this.#pages.clear();
    this.#askedOnce.clear();
    this.#revision = revision;
  }
}

const twoBytes = /[\u0100-\uffff]/;

/** Returns the bytes that a text takes in memory: V8 spends two on each character where one of them is beyond U+00FF. */
export function sizeOf(text: string): number {
  return twoBytes.test(text) ? 2 * text.length : text.length;
}
