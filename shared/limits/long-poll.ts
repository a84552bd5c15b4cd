/** Long polls: callers that wait until there is something for them. One look at a time serves all of them. */

import { CodedError, isCodedError } from '../errors.ts';
import { noteWait } from '../telemetry/trace.ts';
import { Budget, type Reservation } from './budget.ts';

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
  /** False where nothing was found, and too many others wait. */
  readonly hasWaited: boolean;
}

export interface LongPollOptions {
  /** What the budget of waiting callers is called in metrics. */
  readonly name: string;
  /** Callers that wait, at most: each holds a request in flight. */
  readonly maxWaiting: number;
  /** Returns the name of the present state. */
  readonly look: () => Promise<string>;
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
  readonly #places: Budget;
  readonly #waiters = new Set<Waiter>();
  #isWatching = false;

  constructor({ name, maxWaiting, look }: LongPollOptions) {
    this.#look = look;
    this.#places = new Budget({
      name,
      limit: maxWaiting,
      rejection: () => new CodedError('overloaded', 'Cannot wait: too many callers wait.'),
    });
  }

  /** Reads for a caller, again after each change of the state, until something is found or some milliseconds have passed. */
  async read<T>(caller: string, waitMs: number, read: () => Promise<Observation<T>>): Promise<Polled<T>> {
    const first = await read();
    if (waitMs <= 0 || first.isFound) return { value: first.value, hasWaited: waitMs > 0 };
    const place = this.#reserve(caller);
    if (place === undefined) return { value: first.value, hasWaited: false };
    try {
      return { value: await this.#wait(first, waitMs, read), hasWaited: true };
    } finally {
      place.release();
    }
  }

  async #wait<T>(first: Observation<T>, waitMs: number, read: () => Promise<Observation<T>>): Promise<T> {
    let latest = first;
    let remaining = waitMs;
    while (!latest.isFound) {
      const startedAt = performance.now();
      const hasChanged = await this.#nextState(latest.state, remaining);
      const waitedMs = performance.now() - startedAt;
      noteWait(waitedMs);
      if (!hasChanged) break;
      remaining -= waitedMs;
      latest = await read();
    }
    return latest.value;
  }

  #reserve(caller: string): Reservation | undefined {
    try {
      return this.#places.reserve(caller, 1);
    } catch (error) {
      if (isCodedError(error, 'overloaded')) return undefined;
      throw error;
    }
  }

  /** Waits for another state. Resolves with false after the timeout. */
  #nextState(state: string, timeoutMs: number): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const waiter = { state, settle: resolve, fail: reject };
    const timer = setTimeout(resolve, Math.max(0, timeoutMs), false);
    this.#waiters.add(waiter);
    this.#watch();
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    });
  }

  /** Looks for another state for as long as callers wait. */
  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    setTimeout(async () => {
      await this.#tell();
      this.#isWatching = false;
      if (this.#waiters.size > 0) this.#watch();
    }, interval);
  }

  async #tell(): Promise<void> {
    try {
      const state = await this.#look();
      for (const waiter of this.#waiters) if (waiter.state !== state) waiter.settle(true);
    } catch (error) {
      for (const waiter of this.#waiters) waiter.fail(error);
    }
  }
}
