import { CodedError } from '../errors.ts';

/** Runs work, or throws `overloaded` (503, try again in a second) while `limit` pieces are under way. Keep it below the host's own limit, whose refusal says nothing. */
export function createAdmission(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let underWay = 0;
  return async (work) => {
    if (underWay >= limit) {
      throw new CodedError(
        'unavailable',
        'overloaded',
        'Cannot answer now: too many requests are under way.',
        { retryAfter: 1 },
      );
    }
    underWay++;
    try {
      return await work();
    } finally {
      underWay--;
    }
  };
}
