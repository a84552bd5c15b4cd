/** Fairness among callers: of something that there is only so much of, such as requests in flight or bytes of their bodies, none takes more than a share; and on the one thread that there is, pieces of work begin by turns, so that who has many of them waiting does not keep others behind all of them. */

import { CodedError } from './errors.ts';
import { offerGauge } from './telemetry/gauges.ts';
import { orRefused } from './waiting.ts';

/** Milliseconds of work that begins before what has arrived meanwhile is looked at. */
const slice = 5;

/** Pieces of work that begin in one slice, at most. */
const maxBatch = 8;

/** Milliseconds after which those who wait are asked again where none of them may begin. */
const pause = 2;

export interface FairStart {
  /** Waits for the turn of a piece of work of the caller, until `begin` says that it begins, or the signal refuses it. */
  awaitTurn(caller: string, begin?: () => boolean, refused?: AbortSignal): Promise<void>;
  /** Pieces of work of a caller that wait. */
  waiting(caller: string): number;
}

interface Waiting {
  readonly begin: () => boolean;
  readonly resolve: () => void;
}

/** Creates the queue in which callers begin by turns. */
export function createFairStart(): FairStart {
  /** By caller, those of whom it is the turn first. */
  const queue = new Map<string, Waiting[]>();
  let isRunning = false;
  let resting: NodeJS.Timeout | undefined;
  let batch = 0;
  let sliceStart = 0;

  /** Lets the first one begin who may; false where nobody may. */
  function startNext(): boolean {
    for (const [caller, own] of queue) {
      if (!own[0]?.begin()) continue;
      queue.delete(caller);
      own.shift()?.resolve();
      if (own.length > 0) queue.set(caller, own);
      return true;
    }
    return false;
  }

  function leave(caller: string, waiting: Waiting): void {
    const own = queue.get(caller)?.filter((one) => one !== waiting) ?? [];
    if (own.length > 0) queue.set(caller, own);
    else queue.delete(caller);
  }

  function startSlice(): void {
    const now = performance.now();
    resting = undefined;
    batch = now - sliceStart > slice ? 1 : Math.min(maxBatch, batch + 1);
    sliceStart = now;
    isRunning = queue.size > 0;
    let started = 0;
    while (started < batch && startNext()) started++;
    // Another round of the event loop, in which others arrive.
    if (isRunning && started > 0) setImmediate(startSlice);
    else if (isRunning) resting = setTimeout(startSlice, pause);
  }

  function run(): void {
    if (isRunning && resting === undefined) return;
    clearTimeout(resting);
    resting = undefined;
    isRunning = true;
    batch = 0;
    sliceStart = performance.now();
    setImmediate(startSlice);
  }

  return {
    awaitTurn(caller, begin = () => true, refused) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiting = { begin, resolve };
      const own = queue.get(caller);
      if (own === undefined) queue.set(caller, [waiting]);
      else own.push(waiting);
      run();
      return orRefused(promise, refused, (reason) => {
        leave(caller, waiting);
        reject(reason);
      });
    },
    waiting: (caller) => queue.get(caller)?.length ?? 0,
  };
}

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
