/** Waiting: at most so long, for a promise or a whole operation; between attempts; for a turn on the one thread that there is, so that who has many pieces of work does not keep others behind all of them; and between slices of what is long. */

import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds between two attempts, at most. */
const maxWait = 500;

/** Waits for a promise at most so many milliseconds; then rejects with what `error` makes. The promise goes on. */
export async function within<T>(milliseconds: number, promise: Promise<T>, error: () => Error): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(error()), milliseconds);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The moment until which something may take, on the monotonic clock. */
export interface Deadline {
  /** Milliseconds left; 0 when it has passed. */
  left(): number;
}

/** Starts a deadline in so many milliseconds. */
export function deadlineIn(milliseconds: number): Deadline {
  const end = performance.now() + milliseconds;
  return { left: () => Math.max(0, end - performance.now()) };
}

/**
 * Waits before another attempt, a random time: at most `firstWait` milliseconds after the first failed attempt, twice as
 * much after each further one, and never more than 500. Random, so that those who failed together do not meet again.
 */
export async function backoff(failedAttempts: number, firstWait = 20): Promise<void> {
  await delay(Math.random() * Math.min(maxWait, firstWait * 2 ** (failedAttempts - 1)));
}

/** Calls back, once, where a signal comes before a promise is settled. Returns the promise. */
export function orRefused<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  onRefused: (reason: unknown) => void,
): Promise<T> {
  if (signal === undefined) return promise;
  const refuse = () => onRefused(signal.reason);
  if (signal.aborted) refuse();
  else signal.addEventListener('abort', refuse, { once: true });
  return promise.finally(() => signal.removeEventListener('abort', refuse));
}

/** Milliseconds of work that begins before what has arrived meanwhile is looked at. */
const sliceTime = 5;

/** Pieces of work that begin in one slice, at most. */
const maxBatch = 8;

/** Milliseconds after which those who wait are asked again where none of them may begin. */
const restTime = 2;

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
    batch = now - sliceStart > sliceTime ? 1 : Math.min(maxBatch, batch + 1);
    sliceStart = now;
    isRunning = queue.size > 0;
    let started = 0;
    while (started < batch && startNext()) started++;
    // Another round of the event loop, in which others arrive.
    if (isRunning && started > 0) setImmediate(startSlice);
    else if (isRunning) resting = setTimeout(startSlice, restTime);
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

/** Characters or bytes of a slice of a long text or body. */
export const sliceLength = 512 * 1024;

/** Lets others be served before the next step. */
export const pause = (): Promise<void> => nextTurn();

/** Checks whether something is longer than a slice. */
export function isLong({ length }: { readonly length: number }): boolean {
  return length > sliceLength;
}

/** Returns the end of the slice that begins at a place; no pair of surrogates is cut. */
export function endOfSlice(body: string | Uint8Array, start: number): number {
  const end = Math.min(start + sliceLength, body.length);
  if (typeof body !== 'string' || end === body.length) return end;
  return /[\ud800-\udbff]/.test(body.charAt(end - 1)) ? end - 1 : end;
}
