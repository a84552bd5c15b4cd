/** Deadlines on the monotonic clock, and promises that are given up at a timeout. */

export interface Deadline {
  /** Returns the remaining milliseconds; 0 after it. */
  remainingMs(): number;
}

/** Starts a deadline in milliseconds from now. */
export function deadlineIn(milliseconds: number): Deadline {
  const end = performance.now() + milliseconds;
  return { remainingMs: () => Math.max(0, end - performance.now()) };
}

/** Waits for a promise up to a timeout in milliseconds; then rejects with the result of `error`. The promise continues. */
export async function withTimeout<T>(
  milliseconds: number,
  promise: Promise<T>,
  error: () => Error,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(error()), milliseconds);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
