/** Texts of records, cached until the records change. */

import { crc32 } from 'node:zlib';
import { createCache } from '../../../shared/cache.ts';
import type { PostEntry } from '../replica/entries.ts';

/** Bytes of memory. */
export const maxTextBytes = 32 * 2 ** 20;
/** Bytes of an entry besides its text. */
const overhead = 100;
/** Serials of entries are below this number, so that a number names a cache and an entry. */
const serialUnit = 2 ** 32;

/** A record as text: JSON, or a component of iCalendar. */
export interface Rendered {
  readonly text: string;
  /** Bytes of the text in UTF-8. */
  readonly size: number;
  /** Checksum of the text. */
  readonly sum: number;
}

/** Returns a text with its size and checksum, by which pages are joined and tagged. */
export function rendered(text: string): Rendered {
  return { text, size: Buffer.byteLength(text), sum: crc32(text) };
}

export type CachedText<Value extends Rendered> = Value & {
  /** What the text depends on besides the record. */
  readonly state: string;
  /** The latest revision of the replica in which the text was found valid. */
  revision: number;
};

/** How texts are made. */
export interface TextSource<Value extends Rendered, Entry extends PostEntry> {
  readonly stateOf: (entry: Entry) => string;
  /** Renders a record in a state. `before` is the text of an earlier state. */
  readonly make: (entry: Entry, state: string, before: CachedText<Value> | undefined) => Value;
}

/** Texts of a form and language. */
export interface TextCache<Value extends Rendered> {
  /** Returns the text of a record in its present state. The state is checked once in each `revision`: always where that is NaN. */
  of<Entry extends PostEntry>(
    entry: Entry,
    revision: number,
    source: TextSource<Value, Entry>,
  ): CachedText<Value>;
}

/** The caches of all forms and languages. They share a budget of memory. */
export class TextCaches {
  readonly #texts = createCache<number, CachedText<Rendered>>({
    name: 'texts of the calendar',
    bytes: { max: maxTextBytes, of: ({ text }) => sizeOf(text) + overhead },
  });
  #opened = 0;

  open<Value extends Rendered>(): TextCache<Value> {
    this.#opened += 1;
    const firstKey = this.#opened * serialUnit;
    return {
      of: (entry, revision, source) => this.#of(firstKey + entry.serial, entry, revision, source),
    };
  }

  #of<Value extends Rendered, Entry extends PostEntry>(
    key: number,
    entry: Entry,
    revision: number,
    { stateOf, make }: TextSource<Value, Entry>,
  ): CachedText<Value> {
    const cached = this.#texts.get(key) as CachedText<Value> | undefined;
    if (cached?.revision === revision) return cached;
    const state = stateOf(entry);
    if (cached?.state === state) {
      cached.revision = revision;
      return cached;
    }
    const text = { ...make(entry, state, cached), state, revision };
    this.#texts.set(key, text);
    return text;
  }
}

const twoBytes = /[\u0100-\uffff]/;

/** Returns the bytes of a text in memory: V8 takes two for each character where any is beyond U+00FF. */
function sizeOf(text: string): number {
  return twoBytes.test(text) ? 2 * text.length : text.length;
}
