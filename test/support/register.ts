/**
 * Whether what callers saw of one record can have happened one after the other, in an order that keeps to the clock (linearizability, by
 * the search of Wing and Gong): reads give the last value that was written. It knows nothing of how the calendar works.
 */

/** One call on a record, as its caller saw it. Times are milliseconds on one clock. */
export interface RegisterCall {
  readonly kind: 'read' | 'write';
  /** What was read, or what a write was to leave; undefined for a record that is not there. */
  readonly value: string | undefined;
  readonly start: number;
  /** When the caller had the answer; infinite for a write of which nobody knows whether it was done. */
  readonly end: number;
}

/** Checks whether calls on a record, which is not there at first, are in order. */
export function isLinearizable(calls: readonly RegisterCall[]): boolean {
  const sorted = calls.toSorted((a, b) => a.start - b.start);
  const failed = new Set<string>();

  /** Tries each call that may come next: one that began before all others that are left had ended. */
  function search(left: readonly number[], value: string | undefined): boolean {
    // Writes whose outcome nobody knows need not have happened.
    if (left.every((index) => sorted[index]?.end === Number.POSITIVE_INFINITY)) return true;
    const name = `${left.join()} ${value}`;
    if (failed.has(name)) return false;
    const firstEnd = Math.min(...left.map((index) => sorted[index]?.end ?? 0));
    for (const index of left) {
      const call = sorted[index];
      if (call === undefined || call.start > firstEnd) continue;
      if (call.kind === 'read' && call.value !== value) continue;
      const others = left.filter((other) => other !== index);
      if (search(others, call.kind === 'read' ? value : call.value)) return true;
    }
    failed.add(name);
    return false;
  }

  return search(
    sorted.map((_, index) => index),
    undefined,
  );
}
