/** How many bytes of request bodies are worked on at once. */

import { getHeapStatistics } from 'node:v8';
import type { Config } from '../config.ts';
import { bodyLimit } from './body.ts';
import { createShares, type RunWithin } from './shares.ts';

/** A body takes some ten times its bytes while it is parsed, stored and sent, and half of the heap is for other things. */
const heapPerByte = 24;

/** Creates the function that runs work within the setting's bytes, or within what fits the memory; one body of the largest size always does, for each of two callers. */
export function createBodyBudget({ BODY_BYTES_IN_FLIGHT: bytes }: Config): RunWithin {
  const wanted = bytes === 0 ? getHeapStatistics().heap_size_limit / heapPerByte : bytes;
  const max = Math.max(wanted, 2 * bodyLimit);
  return createShares(max, max / 2, { budget: 'bytes of bodies', insists: true });
}
