/** A memory that forgets: what has expired, and what was used least recently when there is no more room. */

/** A map of at most `limit` entries that are gone once they have expired. Times are in milliseconds since 1970. */
export class ExpiringMap<Key, Value> {
  readonly #entries = new Map<Key, { readonly value: Value; readonly expires: number }>();
  readonly #limit: number;
  readonly #now: () => number;

  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.expires <= this.#now()) return undefined;
    // The map's order is that of use: the entry moves to its end.
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: Key, value: Value, expires: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expires });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
  }

  clear(): void {
    this.#entries.clear();
  }
}
