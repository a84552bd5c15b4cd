import { setTimeout as delay } from 'node:timers/promises';

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

const maxWait = 500;

/**
 * Waits before another attempt, a random time: at most `firstWait` milliseconds after the first failed attempt, twice as
 * much after each further one, and never more than 500. Random, so that those who failed together do not meet again.
 */
export async function backoff(failedAttempts: number, firstWait = 20): Promise<void> {
  await delay(Math.random() * Math.min(maxWait, firstWait * 2 ** (failedAttempts - 1)));
}
