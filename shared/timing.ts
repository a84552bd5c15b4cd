/** Deadlines on the monotonic clock, promises that are given up at a timeout, and waits between attempts. */

import { setTimeout as delay } from 'node:timers/promises';

export interface Deadline {
  /** Returns the remaining milliseconds; 0 after it. */
  remainingMs(): number;
}

/** Starts a deadline in milliseconds from now. */
export function deadlineIn(milliseconds: number): Deadline {
  const end = performance.now() + milliseconds;
  return { remainingMs: () => Math.max(0, end - performance.now()) };
}

/** Waits for a promise up to a timeout in milliseconds; then rejects with the result of `error`. The promise continues. */
export async function withTimeout<T>(
  milliseconds: number,
  promise: Promise<T>,
  error: () => Error,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(error()), milliseconds);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export interface BackoffOptions {
  /** Milliseconds after the first failed attempt, at most. Default: 20. */
  readonly firstWait?: number | undefined;
  /** Milliseconds after any failed attempt, at most. Default: 500. */
  readonly maxWait?: number | undefined;
  /** Milliseconds for which the other side asked to be left alone; waited for in any case. Default: 0. */
  readonly retryAfter?: number | undefined;
}

/**
 * Waits before another attempt for a random time: at most `firstWait` milliseconds after the first failed attempt, twice as long after
 * each further one, at most `maxWait`; and before that for `retryAfter`. The jitter keeps processes that failed together from retrying
 * together.
 */
export async function backoff(
  failedAttempts: number,
  { firstWait = 20, maxWait = 500, retryAfter = 0 }: BackoffOptions = {},
): Promise<void> {
  await delay(retryAfter + Math.random() * Math.min(maxWait, firstWait * 2 ** (failedAttempts - 1)));
}
