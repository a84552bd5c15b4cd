/** Shares: of something that there is only so much of, such as requests in flight or bytes of their bodies, none takes more than theirs; and what runs, by keys such as its callers, and how long it takes. */

import { CodedError } from './errors.ts';
import { offerGauge } from './telemetry/gauges.ts';

/** Seconds after which a caller who is refused may try again. */
const retryAfter = 1;

/** Runs work that takes an amount on a caller's account, or throws `overloaded` (503, retry in a second). */
export type RunWithin = <T>(caller: string, amount: number, work: () => Promise<T>) => Promise<T>;

/** What one piece of work has taken. */
export interface Taken {
  /** Takes more, and throws `overloaded` where that is too much; unless it is `owed`, since it is there already. */
  add(amount: number, owed?: boolean): void;
  /** Gives all back, once. */
  release(): void;
}

export interface Shares {
  /** Takes an amount on a caller's account, or throws `overloaded` (503, retry in a second). A caller's only piece of work may take more than a share, up to all there is. */
  take(caller: string, amount: number): Taken;
  readonly run: RunWithin;
}

/** Creates shares of `max` for all callers together and `maxOfOne` for each. `what` there is too much of stands in the message; `budget` is the name of all this in the metrics. With `insists`, who has gone beyond their own share is refused until the time after which they were told to try again is over, so that those who do not wait cost no more than the refusal. */
export function createShares(
  max: number,
  maxOfOne: number,
  {
    what = 'too much is',
    budget,
    insists = false,
  }: { readonly what?: string; readonly budget?: string; readonly insists?: boolean } = {},
): Shares {
  const takenBy = new Map<string, number>();
  /** By caller, those told last at the end. */
  const mayRetry = new Map<string, number>();
  let total = 0;

  function change(caller: string, amount: number): void {
    const own = (takenBy.get(caller) ?? 0) + amount;
    total += amount;
    if (own === 0) takenBy.delete(caller);
    else takenBy.set(caller, own);
  }

  function isToldToWait(caller: string): boolean {
    const now = performance.now();
    for (const [one, time] of mayRetry) {
      if (time > now) break;
      mayRetry.delete(one);
    }
    return mayRetry.has(caller);
  }

  /** Throws unless a piece of work that has taken `held` may take more. */
  function check(caller: string, held: number, amount: number): void {
    const own = takenBy.get(caller) ?? 0;
    const isBeyond = own > held && own + amount > maxOfOne;
    if (isBeyond && insists) mayRetry.set(caller, performance.now() + retryAfter * 1000);
    if (isBeyond || total + amount > max) throw refusal();
  }

  function refusal(): CodedError {
    return new CodedError('overloaded', `Cannot answer now: ${what} in flight.`, { retryAfter });
  }

  if (budget !== undefined) {
    const labels = { 'app.budget': budget };
    offerGauge('budgetUsed', budget, () => [[total, labels]]);
    offerGauge('budgetLimit', budget, () => [[max, labels]]);
  }

  function take(caller: string, amount: number): Taken {
    let held = 0;
    const add: Taken['add'] = (more, owed = false) => {
      if (more > 0 && !owed) check(caller, held, more);
      held += more;
      change(caller, more);
    };
    if (amount > 0 && isToldToWait(caller)) throw refusal();
    add(amount);
    return {
      add,
      release() {
        change(caller, -held);
        held = 0;
      },
    };
  }

  return {
    take,
    async run(caller, amount, work) {
      const taken = take(caller, amount);
      try {
        return await work();
      } finally {
        taken.release();
      }
    },
  };
}

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
