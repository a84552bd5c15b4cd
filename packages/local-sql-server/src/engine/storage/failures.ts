/** Errors thrown inside of SQLite. */

import { wholeText } from './whole-text.ts';

let failure: unknown;

/**
 * Remembers the error of a function called by SQLite. Node loses it where the query also has an aggregate of ours, so that the runner of
 * the query asks for it here. Aggregates must not throw at all: they continue with a fallback until the query ends.
 */
export function recording<Given extends readonly unknown[], Result>(
  run: (...given: Given) => Result,
  fallback?: (...given: Given) => Result,
): (...given: Given) => Result {
  return (...given) => {
    try {
      return wholeText(run(...given));
    } catch (error) {
      failure ??= error;
      if (fallback === undefined) throw error;
      return fallback(...given);
    }
  };
}

/** Runs a query, and throws what its functions threw. */
export function withFailures<Result>(query: () => Result): Result {
  failure = undefined;
  try {
    const result = query();
    if (failure !== undefined) throw failure;
    return result;
  } catch (error) {
    throw failure ?? error;
  } finally {
    failure = undefined;
  }
}
