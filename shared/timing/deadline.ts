/** The end of an operation, on the monotonic clock. */
export interface Deadline {
  /** Returns the remaining milliseconds; 0 after it. */
  remainingMs(): number;
}

/** Starts a deadline in milliseconds from now. */
export function deadlineIn(milliseconds: number): Deadline {
  const end = performance.now() + milliseconds;
  return { remainingMs: () => Math.max(0, end - performance.now()) };
}
