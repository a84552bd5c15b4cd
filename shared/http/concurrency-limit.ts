import { CodedError } from '../errors.ts';

/** Runs a piece of work, or refuses it. */
export type Run = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates the function that runs work while fewer than `limit` pieces are in flight, and throws `overloaded` (503, retry in a second) otherwise. Keep the limit below the host's own, whose refusal has no body. */
export function createConcurrencyLimit(limit: number): Run {
  let inFlight = 0;
  return async (work) => {
    if (inFlight >= limit) {
      throw new CodedError('overloaded', 'Cannot answer now: too many requests are in flight.', {
        retryAfter: 1,
      });
    }
    inFlight++;
    try {
      return await work();
    } finally {
      inFlight--;
    }
  };
}
