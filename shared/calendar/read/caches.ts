/** What is kept for later reads, all of it in one budget: texts of single records while they are used, and pages of lists and feeds until the calendar changes. */

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

/** Texts, at most: more of them than have room in the budget. */
const maxTexts = 100_000;
/** Bytes that each takes beside its text. */
const overhead = 100;
/** Serials of entries lie below it, so that one number names a cache and an entry. */
const cacheUnit = 2 ** 32;

/** What a record is rendered as. */
export interface Rendered {
  readonly text: string;
  /** Bytes of the text in UTF-8. */
  readonly size: number;
}

/** Returns a text with its size, so that pages are joined without counting again. */
export function rendered(text: string): Rendered {
  return { text, size: Buffer.byteLength(text) };
}

/** A record as it was rendered. */
export interface CachedText<Value extends Rendered> {
  readonly value: Value;
  /** What it depends on beside the record, as a text. */
  readonly state: string;
}

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

interface Entry<Value extends Rendered> extends CachedText<Value> {
  revision: number;
}

/** Texts of records: for each URL of the API and language those of a record in its present state. */
export class TextCaches {
  readonly #texts: Cache<number, Entry<Rendered>> = createCache({
    maxEntries: maxTexts,
    name: 'texts of the calendar',
    bytes: { max: budget.texts, of: ({ value }) => sizeOf(value.text) + overhead },
  });
  #opened = 0;

  /** Opens another cache. */
  open<Value extends Rendered>(): TextCache<Value> {
    this.#opened += 1;
    const first = this.#opened * cacheUnit;
    return {
      of: (entry, revision, source) => {
        const key = first + entry.serial;
        const cached = this.#texts.get(key) as Entry<Value> | undefined;
        return cached?.revision === revision ? cached : this.#update(key, cached, entry, revision, source);
      },
    };
  }

  #update<Value extends Rendered, Post extends PostEntry>(
    key: number,
    cached: Entry<Value> | undefined,
    entry: Post,
    revision: number,
    { stateOf, make }: TextSource<Value, Post>,
  ): CachedText<Value> {
    const state = stateOf(entry);
    if (cached?.state === state) {
      cached.revision = revision;
      return cached;
    }
    const made = { value: make(entry, state, cached), state, revision };
    this.#texts.set(key, made);
    return made;
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
