import { createShares } from './shares.ts';

/** Runs a piece of work, or refuses it. */
export type Run = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates the function that runs work while fewer than `limit` pieces are in flight, and throws `overloaded` (503, retry in a second) otherwise. Keep the limit below the host's own, whose refusal has no body. */
export function createConcurrencyLimit(limit: number): Run {
  const runWithin = createShares(limit, limit, { what: 'too many requests are', budget: 'requests' });
  return (work) => runWithin('', 1, work);
}
