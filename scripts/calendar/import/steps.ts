/** Work on many records in several decisions: each is made on the newest state, so that one that another writer has changed is found again. */

import { isCodedError } from '../../../shared/errors.ts';
import type { Draft } from './draft.ts';
import type { Target } from './target.ts';

/** Records of one decision, at most: each changed one touches three rows of a transaction. */
export const maxRecords = 32;

/** Decides in steps until one is done. Each puts at most a number of records; of long ones fewer fit into a transaction. */
export async function decideInSteps<S extends { readonly isDone: boolean }>(
  target: Target,
  step: (draft: Draft, limit: number) => S,
): Promise<S> {
  let limit = maxRecords;
  for (;;) {
    try {
      const result = await target.decide((draft) => step(draft, limit));
      if (result.isDone) return result;
    } catch (error) {
      if (!isCodedError(error, 'change-too-large') || limit === 1) throw error;
      limit = Math.ceil(limit / 2);
    }
  }
}

/** Decides about items in chunks, which are halved where they do not fit into a transaction. Returns what the decisions have returned. */
export async function decideEach<I, R>(
  items: readonly I[],
  target: Target,
  decision: (chunk: readonly I[], draft: Draft) => R,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += maxRecords)
    results.push(...(await decideChunk(items.slice(start, start + maxRecords), target, decision)));
  return results;
}

async function decideChunk<I, R>(
  chunk: readonly I[],
  target: Target,
  decision: (chunk: readonly I[], draft: Draft) => R,
): Promise<R[]> {
  try {
    return [await target.decide((draft) => decision(chunk, draft))];
  } catch (error) {
    // Records with long texts: fewer of them fit into one transaction.
    if (!isCodedError(error, 'change-too-large') || chunk.length === 1) throw error;
    const half = Math.ceil(chunk.length / 2);
    return [
      ...(await decideChunk(chunk.slice(0, half), target, decision)),
      ...(await decideChunk(chunk.slice(half), target, decision)),
    ];
  }
}
