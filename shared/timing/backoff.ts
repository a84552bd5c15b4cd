import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two attempts, at most. */
const maxBackoffMs = 500;

/**
 * Waits before another attempt for a random time: at most `firstWait` milliseconds after the first failed attempt, twice as long after
 * each further one, at most 500. The jitter keeps processes that failed together from retrying together.
 */
export async function backoff(failedAttempts: number, firstWait = 20): Promise<void> {
  await delay(Math.random() * Math.min(maxBackoffMs, firstWait * 2 ** (failedAttempts - 1)));
}
