/** Sorting that can be interrupted: a merge sort, whose generator pauses every thousand comparisons or so. */

/** Items that are sorted, or merged, between two pauses. */
const perStep = 1_000;

type Compare<T> = (a: T, b: T) => number;

/** Returns items and those that are sorted already, in order. */
export function* mergeSort<T>(
  items: readonly T[],
  sorted: readonly T[],
  compare: Compare<T>,
): Generator<undefined, T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += perStep) {
    runs.push(items.slice(start, start + perStep).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(yield* merge(runs[index] ?? [], runs[index + 1] ?? [], compare));
    runs = merged;
  }
  return yield* merge(sorted, runs[0] ?? [], compare);
}

function* merge<T>(a: readonly T[], b: readonly T[], compare: Compare<T>): Generator<undefined, T[]> {
  const merged: T[] = [];
  let [nextA, nextB] = [0, 0];
  for (;;) {
    const [first, second] = [a[nextA], b[nextB]];
    if (first === undefined) return merged.concat(b.slice(nextB));
    if (second === undefined) return merged.concat(a.slice(nextA));
    if (compare(first, second) <= 0) {
      merged.push(first);
      nextA += 1;
    } else {
      merged.push(second);
      nextB += 1;
    }
    if (merged.length % perStep === 0) yield;
  }
}
