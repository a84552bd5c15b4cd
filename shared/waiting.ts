/** Waiting: at most so long, for a promise or a whole operation; between attempts; and between slices of what is long, so that others are served meanwhile. */

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

/** Characters or bytes of a slice of a long text or body. */
const slice = 512 * 1024;

/** Lets others be served before the next step. */
export const pause = (): Promise<void> => nextTurn();

/** Checks whether something is longer than a slice. */
export function isLong({ length }: string | Uint8Array): boolean {
  return length > slice;
}

/** Returns the end of the slice that begins at a place; no pair of surrogates is cut. */
export function endOfSlice(body: string | Uint8Array, start: number): number {
  const end = Math.min(start + slice, body.length);
  if (typeof body !== 'string' || end === body.length) return end;
  return /[\ud800-\udbff]/.test(body.charAt(end - 1)) ? end - 1 : end;
}
