/** What runs, by keys such as its callers, and how long it takes. */

/** Work that runs. */
export interface Running {
  readonly keys: readonly string[];
  /** Milliseconds on the clock at which it began, and the looks until then. */
  readonly start: number;
  readonly look: number;
}

/** Looks without new work of a key after which it is held up; not milliseconds, since this process itself may have been. */
const heldUp = 3;

export class RunningWork {
  readonly #maxOfOne: number;
  /** By key, the oldest first. */
  readonly #byKey = new Map<string, Set<Running>>();
  /** Milliseconds that work of a key takes, while there is any: slow work counts at once, and is forgotten slowly, since quick and slow statements take turns. */
  readonly #durations = new Map<string, number>();
  #looks = 0;
  /** Pieces of work that run. */
  count = 0;

  /** At most so many run of one key. */
  constructor(maxOfOne: number) {
    this.#maxOfOne = maxOfOne;
  }

  /** Checks whether all that may run of a key does. */
  isFull(key: string): boolean {
    return (this.#byKey.get(key)?.size ?? 0) >= this.#maxOfOne;
  }

  begin(keys: readonly string[]): Running {
    const one: Running = { keys, start: performance.now(), look: this.#looks };
    this.count += 1;
    for (const key of keys) this.#byKey.set(key, (this.#byKey.get(key) ?? new Set()).add(one));
    return one;
  }

  end(one: Running): void {
    const duration = performance.now() - one.start;
    this.count -= 1;
    for (const key of one.keys) {
      const before = this.#durations.get(key) ?? duration;
      this.#durations.set(key, Math.max(duration, before + (duration - before) / 8));
      const others = this.#byKey.get(key);
      others?.delete(one);
      if (others?.size === 0) for (const map of [this.#byKey, this.#durations]) map.delete(key);
    }
  }

  /** Notes that somebody looks, which is to happen at an even pace. */
  look(): void {
    this.#looks += 1;
  }

  /** Returns the milliseconds that work of a key takes, as far as can be told: that of what runs since longest, at least. */
  durationOf(key: string): number {
    const [oldest] = this.#byKey.get(key) ?? [];
    const elapsed = oldest === undefined ? 0 : performance.now() - oldest.start;
    return Math.max(elapsed, this.#durations.get(key) ?? 0);
  }

  /** Checks whether all that may run of a key has for a while, and for much longer than its work took so far, so that nobody knows how long it will. */
  isHeldUp(key: string): boolean {
    const newest = [...(this.#byKey.get(key) ?? [])].at(-1);
    if (newest === undefined || !this.isFull(key) || this.#looks - newest.look < heldUp) return false;
    return performance.now() - newest.start > 2 * (this.#durations.get(key) ?? 0);
  }
}
