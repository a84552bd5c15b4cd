/** Property-based tests. */
import fc from 'fast-check';

/**
 * Properties are tried with the same values each time, so that a run says something about the change under test.
 * `PROPERTY_RUNS=100 npm test` goes hunting instead: a hundred times as many values, from a seed of the moment.
 * What a hunt finds prints its seed, and becomes a case of its own beside the property.
 */
const factor = Number(process.env['PROPERTY_RUNS'] ?? 1);
fc.configureGlobal({ numRuns: 100 * factor, ...(factor === 1 && { seed: 1 }) });

/** A property is tried so many times, more often in a hunt. */
export function runs(count: number): { numRuns: number } {
  return { numRuns: count * factor };
}

export { fc };
