/** The results of a batch that reads sources: a marker stands before those of each source, and behind the last. */

import type { ResultSet } from '../../sql/values.ts';

/** Columns of the result before the results of each source, which may be any number: its index, and the time of the server. */
const marker = ['$source', '$at'] as const;

/** The statement of a marker; one stands behind the last source too. */
export function markerOf(index: number): string {
  return `SELECT ${index} AS [${marker[0]}], SYSUTCDATETIME() AS [${marker[1]}];`;
}

/** Returns the results of each source, in their order. What stands before the first marker belongs to none, and the last result is the version. */
export function resultsBySource(results: readonly ResultSet[]): ResultSet[][] {
  const groups: ResultSet[][] = [];
  for (const result of results.slice(0, -1)) {
    if (isMarker(result)) groups.push([]);
    else groups.at(-1)?.push(result);
  }
  return groups;
}

/** Returns when the server began each source, and when it ended the last, in milliseconds since epoch. */
export function sourceTimes(results: readonly ResultSet[]): number[] {
  return results.filter(isMarker).map(({ rows }) => Number(rows[0]?.[1]));
}

function isMarker({ columns }: ResultSet): boolean {
  return columns.length === marker.length && columns.every(({ name }, index) => name === marker[index]);
}
