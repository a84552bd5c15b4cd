/** How much an import moves to the trash without asking. */

/** Records that may be pruned without asking, at least, and the share of those of the source that may be. */
const maxPruned = 20;
const maxShare = 0.1;

/**
 * Returns how many of a number of records may be pruned without asking. A source that is not well, or another one at its address, has few of
 * its records: then somebody must say how many may go.
 */
export function prunedWithoutAsking(total: number): number {
  return Math.max(maxPruned, Math.floor(total * maxShare));
}
