/** Timeouts and backoff: of a promise, of a whole operation, and between attempts. */

import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two attempts, at most. */
const maxBackoffMs = 500;

/** Waits for a promise up to a timeout in milliseconds; then rejects with the result of `error`. The promise continues. */
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

/** Starts a deadline in milliseconds from now. */
export function deadlineIn(milliseconds: number): Deadline {
  const end = performance.now() + milliseconds;
  return { left: () => Math.max(0, end - performance.now()) };
}

/**
 * Waits before another attempt for a random time: at most `firstWait` milliseconds after the first failed attempt, twice as long after
 * each further one, at most 500. The jitter keeps processes that failed together from retrying together.
 */
export async function backoff(failedAttempts: number, firstWait = 20): Promise<void> {
  await delay(Math.random() * Math.min(maxBackoffMs, firstWait * 2 ** (failedAttempts - 1)));
}
