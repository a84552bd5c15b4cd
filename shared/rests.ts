/**
 * Rests: while others ask, who has many requests at once works in batches, with rests between them, until the thread has been there for
 * others for two thirds of the time, for three quarters where requests are heavy. Who is alone never rests, and neither does who has few.
 * A rest lasts for longer than the batch alone asks for where the thread has worked besides: on what comes before and after, or for others.
 * What takes the time of others than the thread, such as large replies, asks for rests of its own, which even those who have few take.
 */

import { performance } from 'node:perf_hooks';

/** Requests at once up to which a caller is none of many: pages of the explorer, feeds and clients keep up to six connections each. */
const few = 8;
/** Milliseconds since the last request of another caller for which others are there. */
const othersStay = 1_000;
/** Milliseconds of work in a batch, as far as can be told from the last one, and requests, at most. */
const batchTime = 5;
const maxBatch = 8;
/** Milliseconds above which a request is heavy. */
const heavy = 20;
/** For how long the thread is there for others, as a multiple of the time that it works; and how long the rest after a batch is at most, as a multiple of the time that the batch took, since others may keep the thread busy. */
const free = { light: 2, heavy: 3 };
const maxMultiple = 6;
/** Milliseconds of a batch that does not end, of one with the rest after it, and of a rest for others than the thread, at most. */
const maxTime = 500;

/** Times of the thread, in milliseconds. */
export interface Clock {
  now(): number;
  /** The time for which the event loop has worked. */
  active(): number;
}

const clockOfThread: Clock = {
  now: () => performance.now(),
  active: () => performance.eventLoopUtilization().active,
};

/** Requests of one caller that began together. */
interface Batch {
  readonly start: number;
  readonly activeAtStart: number;
  readonly size: number;
  begun: number;
  running: number;
  restUntil: number;
}

interface CallerState {
  requests: number;
  batch: Batch | undefined;
  /** Milliseconds of one request in the last batch, and from one to the next. */
  cost: number;
  pace: number;
}

/** Runs what waits long for others than this thread. Meanwhile the request neither counts as one of its caller's nor keeps its batch open. */
export type OffThread = <T>(wait: () => Promise<T>) => Promise<T>;

/** Waits as part of the request, where nobody counts. */
export const onThread: OffThread = (wait) => wait();

/** One request of a caller. */
export interface Request {
  /** Notes that it begins, where the caller may begin one. Returns whether it does. */
  begin(): boolean;
  readonly offThread: OffThread;
  /** Has the caller rest for so many milliseconds where others ask, besides other rests of this kind. */
  addRest(milliseconds: number): void;
  end(): void;
}

export class Rests {
  readonly #clock: Clock;
  readonly #callers = new Map<string, CallerState>();
  /** Milliseconds on the clock until which a caller rests for what others than the thread did. */
  readonly #restsUntil = new Map<string, number>();
  #latest = { caller: '', time: Number.NEGATIVE_INFINITY };
  /** The latest one who is not that one. */
  #other = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock = clockOfThread) {
    this.#clock = clock;
  }

  /** Notes a request of a caller. */
  add(caller: string): Request {
    this.#note(caller);
    let state = this.#enter(caller);
    let batch: Batch | undefined;
    const leave = () => {
      state.requests -= 1;
      if (state.requests === 0) this.#callers.delete(caller);
      if (batch !== undefined) this.#end(batch, state);
      batch = undefined;
    };
    return {
      begin: () => {
        if (!this.#mayBegin(caller, state)) return false;
        batch = state.batch;
        if (batch !== undefined) batch.running += 1;
        return true;
      },
      offThread: (wait) => {
        leave();
        return wait().finally(() => {
          state = this.#enter(caller);
        });
      },
      addRest: (milliseconds) => this.#addRest(caller, milliseconds),
      end: leave,
    };
  }

  #enter(caller: string): CallerState {
    const state = this.#callers.get(caller) ?? { requests: 0, batch: undefined, cost: 1, pace: 0 };
    this.#callers.set(caller, state);
    state.requests += 1;
    return state;
  }

  /** Returns milliseconds that so many requests of a caller take to begin, as far as can be told. */
  waitOf(caller: string, requests: number): number {
    return requests * (this.#callers.get(caller)?.pace ?? 0);
  }

  #note(caller: string): void {
    if (caller !== this.#latest.caller) this.#other = this.#latest.time;
    this.#latest = { caller, time: this.#clock.now() };
  }

  /** Checks whether anybody else has asked lately. */
  hasOthers(caller: string): boolean {
    const time = caller === this.#latest.caller ? this.#other : this.#latest.time;
    return this.#clock.now() - time < othersStay;
  }

  #addRest(caller: string, milliseconds: number): void {
    if (!this.hasOthers(caller)) return;
    const now = this.#clock.now();
    for (const [one, time] of this.#restsUntil) if (time <= now) this.#restsUntil.delete(one);
    const end = Math.max(now, this.#restsUntil.get(caller) ?? 0) + milliseconds;
    this.#restsUntil.set(caller, Math.min(end, now + maxTime));
  }

  #mayBegin(caller: string, state: CallerState): boolean {
    const hasOthers = this.hasOthers(caller);
    if (hasOthers && this.#clock.now() < (this.#restsUntil.get(caller) ?? 0)) return false;
    if (state.requests <= few || !hasOthers) {
      state.batch = undefined;
      state.pace = 0;
      return true;
    }
    if (
      state.batch === undefined ||
      (state.batch.begun >= state.batch.size && this.#isOver(state.batch, state))
    )
      this.#startBatch(state);
    const { batch } = state;
    if (batch === undefined || batch.begun >= batch.size) return false;
    batch.begun += 1;
    return true;
  }

  #startBatch(state: CallerState): void {
    const now = this.#clock.now();
    const { batch: last, cost } = state;
    if (last !== undefined) state.pace = (now - last.start) / last.begun;
    const size = Math.min(maxBatch, Math.max(1, Math.round(batchTime / cost)));
    const activeAtStart = this.#clock.active();
    state.batch = { start: now, activeAtStart, size, begun: 0, running: 0, restUntil: now };
  }

  /** Checks whether the thread has been free for its part of the time since a batch began; or whether all of the batch have ended, and the longest rest, or its time is over. */
  #isOver({ start, activeAtStart, running, restUntil }: Batch, { cost }: CallerState): boolean {
    const now = this.#clock.now();
    if ((running === 0 && now >= restUntil) || now - start > maxTime) return true;
    return now > start && this.#clock.active() - activeAtStart <= (now - start) / (1 + freeAfter(cost));
  }

  #end(batch: Batch, state: CallerState): void {
    batch.running -= 1;
    if (batch.running > 0) return;
    const active = this.#clock.active() - batch.activeAtStart;
    state.cost = active / batch.begun;
    batch.restUntil = this.#clock.now() + active * maxMultiple;
  }
}

/** Returns the multiple for which the thread is free after requests of such a cost. */
function freeAfter(cost: number): number {
  return cost > heavy ? free.heavy : free.light;
}
