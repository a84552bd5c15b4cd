/** What a benchmark gives: rows of a table, each a ratio of two things measured side by side in one run. */

export interface BenchmarkRow {
  readonly name: string;
  /** What was measured, in `unit`. */
  readonly value: number;
  readonly unit: string;
  /** What it was measured against, in the same run. */
  readonly against?: { readonly name: string; readonly value: number };
  /** value / against.value. */
  readonly ratio?: number;
  /** What docs/architecture.md asks for, in words: `at least 0.8`. */
  readonly target?: string;
  /** What else was seen, in words. */
  readonly details?: string;
}

export interface BenchmarkOptions {
  /** Seconds of one measurement of `hostile`. */
  readonly seconds: number;
}

export type Benchmark = (options: BenchmarkOptions) => Promise<readonly BenchmarkRow[]>;

/** Creates a row that compares two measurements. */
export function comparison(
  name: string,
  value: number,
  unit: string,
  against: { name: string; value: number },
  target: string,
): BenchmarkRow {
  return { name, value, unit, against, ratio: value / against.value, target };
}

/** Returns the median of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Runs several measurements in turn (A B A B ...), so that the machine's moods fall on all of them, and gives the median of each. */
export async function inTurn(
  rounds: number,
  measurements: readonly (() => Promise<number>)[],
): Promise<number[]> {
  const results: number[][] = measurements.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, measure] of measurements.entries()) results[index]?.push(await measure());
  }
  return results.map(median);
}
