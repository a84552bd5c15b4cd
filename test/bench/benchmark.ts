/** What a benchmark gives: rows of a table, each a ratio of two things measured side by side in one run. */

import { paced } from './pace.ts';

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
  /** Why the figures mean nothing; the run fails. */
  readonly failure?: string;
}

export interface BenchmarkOptions {
  /** Seconds for which `load` measures callers before an attack, and during it. */
  readonly seconds: number;
  /** Selects scenes of `load`, as `isSelected` reads it. */
  readonly scenes: string;
  /** Events of the calendars of `calendar-instances`. */
  readonly events: readonly number[];
}

export type Benchmark = (options: BenchmarkOptions) => Promise<readonly BenchmarkRow[]>;

/** Checks whether a name contains one of several texts with commas between them; an empty text selects every name. */
export function isSelected(name: string, texts: string): boolean {
  return texts.split(',').some((text) => name.includes(text));
}

/**
 * Runs a benchmark or a scene of one. Resolves with its rows, of which those that measured nothing say so, or with one row that says why it
 * failed, so that the others are measured all the same.
 */
export async function orFailure(
  name: string,
  measure: () => Promise<readonly BenchmarkRow[]>,
): Promise<readonly BenchmarkRow[]> {
  try {
    const rows = await measure();
    return rows.length === 0 ? [failedRow(name, 'It has measured nothing.')] : rows.map(judged);
  } catch (error) {
    console.error(error);
    return [failedRow(name, error instanceof Error ? error.message : String(error))];
  }
}

function failedRow(name: string, failure: string): BenchmarkRow {
  return { name, value: Number.NaN, unit: '', failure: failure.split('\n', 1)[0] ?? '' };
}

/** Returns a row, with a failure where it has no figure, or compares something with nothing. */
function judged(row: BenchmarkRow): BenchmarkRow {
  const { value, ratio = 1 } = row;
  const isMeasured = !Number.isNaN(value) && ratio > 0 && ratio < Number.POSITIVE_INFINITY;
  return isMeasured ? row : { failure: 'It has measured nothing.', ...row };
}

/** Prints a row of a long benchmark as soon as it is measured, and returns it. */
export function reportRow(row: BenchmarkRow): BenchmarkRow {
  const { name, value, unit, ratio, details = '', failure } = row;
  const ratioText = ratio === undefined ? '' : `, ratio ${ratio.toFixed(2)}`;
  const figure = failure === undefined ? `${value.toFixed(1)} ${unit}${ratioText}` : `FAILED: ${failure}`;
  console.error(`  ${name}: ${figure}; ${details}`);
  return row;
}

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

/** Returns the smallest of some numbers that so large a part of them, 0.99 for p99, does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
}

/**
 * Runs several measurements in turn, so that the machine's noise falls on all of them, and gives the median of each. Each round begins
 * with the next one (A B C, B C A, ...), so that the effects of earlier work, such as collections of the heap, fall on all of them.
 */
export async function inTurn(
  rounds: number,
  measurements: readonly (() => Promise<number>)[],
): Promise<number[]> {
  const results: number[][] = measurements.map(() => []);
  const order = [...measurements.entries()];
  for (let round = 0; round < paced(rounds); round++) {
    for (const [index, measure] of order) results[index]?.push(await measure());
    order.push(...order.splice(0, 1));
  }
  return results.map(median);
}
