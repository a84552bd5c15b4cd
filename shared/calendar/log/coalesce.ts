import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Coalesces calls into runs of `task`. A call during a run waits for the next run, together with all others made
 * meanwhile. So at most one run is in flight, its cost does not grow with the number of callers, and what it finds is
 * never older than any of its calls. A run begins in the next turn of the event loop, so that calls of one turn share it.
 */
export function coalesce<T>(task: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;

  async function runAfter(previous: Promise<unknown>): Promise<T> {
    await previous;
    await nextTurn();
    next = null;
    return task();
  }

  return () => {
    if (next === null) {
      next = runAfter(current);
      current = next.catch(() => {});
    }
    return next;
  };
}
