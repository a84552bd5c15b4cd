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

/** What a record is rendered as. */
export interface Rendered {
  readonly text: string;
}

/** A record as it was rendered. */
export interface CachedText<Value extends Rendered> {
  readonly value: Value;
  /** What it depends on beside the record, as a text. */
  readonly state: string;
}

/** How a text comes about. */
export interface TextOptions<Value extends Rendered> {
  /** The replica's revision: as long as it is the same, the state is not asked for again. NaN where the state depends on the caller. */
  readonly revision: number;
  readonly stateOf: () => string;
  /** Renders the record in a state; `before` is what it was rendered as in the state before. */
  readonly make: (state: string, before: CachedText<Value> | undefined) => Value;
}

/** Texts of records of one kind and purpose. */
export interface TextCache<Value extends Rendered> {
  /** Returns a record in its present state, rendered now or before. */
  of(entry: PostEntry, options: TextOptions<Value>): CachedText<Value>;
}

interface Entry<Value extends Rendered> extends CachedText<Value> {
  revision: number;
}

/** The budget that caches of texts share. */
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
    return { of: ({ serial }, options) => this.#of(first + serial, options) };
  }

  #of<Value extends Rendered>(
    key: number,
    { revision, stateOf, make }: TextOptions<Value>,
  ): CachedText<Value> {
    const cached = this.#texts.get(key) as Entry<Value> | undefined;
    if (cached?.revision === revision) return cached;
    const state = stateOf();
    if (cached?.state === state) {
      cached.revision = revision;
      return cached;
    }
    const made = { value: make(state, cached), state, revision };
    this.#texts.set(key, made);
    return made;
  }
}
