/** A map that never outgrows its limit. */

/** A map of at most `limit` entries: when one more is added, the one that was used least recently goes. */
export class RecentMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#moveToEnd(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#moveToEnd(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
  }

  clear(): void {
    this.#entries.clear();
  }

  #moveToEnd(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }
}
