/**
 * Long polls: callers that wait until there is something for them. One look at a time serves all of them. Nobody tells the app that a caller
 * has hung up, so where all places are taken, the longest wait ends for the next caller.
 */

import { offerGauge } from '../telemetry/gauges.ts';
import { noteWait } from '../telemetry/trace.ts';

/** What a caller reads. */
export interface Observation<T> {
  readonly value: T;
  /** Names the state that was read. Another one may have something for the caller. */
  readonly state: string;
  /** Whether the caller need not wait. */
  readonly isFound: boolean;
}

/** What a caller has read at last. */
export interface Polled<T> {
  readonly value: T;
  /** False where nothing was found, and the place was left to another caller. */
  readonly hasWaited: boolean;
}

export interface LongPollOptions {
  /** What the waiting callers are called in metrics, as a budget. */
  readonly name: string;
  /** Callers that wait, at most: each holds a request in flight. */
  readonly maxWaiting: number;
  /** Returns the name of the present state. */
  readonly look: () => Promise<string>;
}

/** The place of a caller who waits. */
interface Place {
  readonly caller: string;
  /** Whether the wait has ended for another caller. */
  isLeft: boolean;
  /** Where the caller waits now. */
  waiter: Waiter | undefined;
}

interface Waiter {
  /** The state that the caller knows. */
  readonly state: string;
  readonly settle: (hasChanged: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/** Milliseconds between two looks while callers wait. */
const interval = 1_000;

export class LongPoll {
  readonly #look: LongPollOptions['look'];
  readonly #maxWaiting: number;
  /** The longest wait is the first. */
  readonly #places = new Set<Place>();
  #isWatching = false;

  constructor({ name, maxWaiting, look }: LongPollOptions) {
    this.#look = look;
    this.#maxWaiting = maxWaiting;
    const labels = { 'app.budget': name };
    offerGauge('budgetUsed', name, () => [[this.#places.size, labels]]);
    offerGauge('budgetLimit', name, () => [[maxWaiting, labels]]);
  }

  /** Reads for a caller, again after each change of the state, until something is found or some milliseconds have passed. */
  async read<T>(caller: string, waitMs: number, read: () => Promise<Observation<T>>): Promise<Polled<T>> {
    const first = await read();
    if (waitMs <= 0 || first.isFound) return { value: first.value, hasWaited: waitMs > 0 };
    const place = this.#take(caller);
    try {
      const { value, isFound } = await this.#wait(place, first, waitMs, read);
      return { value, hasWaited: isFound || !place.isLeft };
    } finally {
      this.#places.delete(place);
    }
  }

  async #wait<T>(
    place: Place,
    first: Observation<T>,
    waitMs: number,
    read: () => Promise<Observation<T>>,
  ): Promise<Observation<T>> {
    let latest = first;
    let remaining = waitMs;
    while (!latest.isFound && !place.isLeft) {
      const startedAt = performance.now();
      const hasChanged = await this.#nextState(place, latest.state, remaining);
      const waitedMs = performance.now() - startedAt;
      noteWait(waitedMs);
      if (!hasChanged) break;
      remaining -= waitedMs;
      latest = await read();
    }
    return latest;
  }

  /** Takes a place: a free one, or that of another wait. */
  #take(caller: string): Place {
    const place: Place = { caller, isLeft: false, waiter: undefined };
    this.#places.add(place);
    if (this.#places.size > this.#maxWaiting) this.#endLongest(place);
    return place;
  }

  /** Ends the longest wait of the caller who has the most places, but for a place that was just taken. */
  #endLongest(taken: Place): void {
    const byCaller = [...Map.groupBy(this.#places, ({ caller }) => caller).values()];
    const most = Math.max(...byCaller.map((places) => places.length));
    const longest = byCaller.find((places) => places.length === most && places[0] !== taken)?.[0];
    if (longest === undefined) return;
    this.#places.delete(longest);
    longest.isLeft = true;
    longest.waiter?.settle(false);
  }

  /** Waits for another state. Resolves with false after the timeout. */
  #nextState(place: Place, state: string, timeoutMs: number): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, Math.max(0, timeoutMs), false);
    place.waiter = { state, settle: resolve, fail: reject };
    this.#watch();
    return promise.finally(() => {
      clearTimeout(timer);
      place.waiter = undefined;
    });
  }

  /** Looks for another state for as long as callers wait. */
  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    setTimeout(async () => {
      await this.#tell();
      this.#isWatching = false;
      if (this.#waiters().length > 0) this.#watch();
    }, interval);
  }

  async #tell(): Promise<void> {
    try {
      const state = await this.#look();
      for (const waiter of this.#waiters()) if (waiter.state !== state) waiter.settle(true);
    } catch (error) {
      for (const waiter of this.#waiters()) waiter.fail(error);
    }
  }

  #waiters(): Waiter[] {
    return [...this.#places].flatMap(({ waiter }) => (waiter === undefined ? [] : [waiter]));
  }
}
