let failure: unknown;

/**
 * Remembers what a function called by SQLite throws. Node loses it where the query also has an aggregate of ours, so
 * that whoever ran the query asks for it here.
 */
export function recording<Given extends readonly unknown[], Result>(
  run: (...given: Given) => Result,
): (...given: Given) => Result {
  return (...given) => {
    try {
      return run(...given);
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
}

/** The same for aggregates, which must not throw at all: they go on with a fallback until the query ends. */
export function recordingQuietly<Given extends readonly unknown[], Result>(
  run: (...given: Given) => Result,
  fallback: (...given: Given) => Result,
): (...given: Given) => Result {
  return (...given) => {
    try {
      return run(...given);
    } catch (error) {
      failure ??= error;
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
