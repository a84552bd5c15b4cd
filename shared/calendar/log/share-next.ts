import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Shares one run of `task` among callers, and never a run that began before the call: who calls while a run
 * is under way gets the next one, together with everybody else who came meanwhile. So at most one run is under
 * way, its cost does not grow with the number of callers, and what it finds is never older than any of its callers.
 * A run begins in the next turn of the event loop, so that callers of the same turn share it too.
 */
export function shareNext<T>(task: () => Promise<T>): () => Promise<T> {
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
