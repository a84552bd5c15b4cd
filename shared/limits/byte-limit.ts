/** The bytes of bodies and large replies that fit the memory of the process. */

import { getHeapStatistics } from 'node:v8';

/** A body takes some ten times its bytes while it is parsed, stored and sent, and half of the heap is for other data. */
const heapPerByte = 24;

/** Two request bodies of the largest size. */
const minBytes = 8 * 1024 * 1024;

/** Returns the limit of the byte budget in bytes: what the setting says, or what fits the heap where that is 0. */
export function byteLimit(bytes: number): number {
  const limit = bytes === 0 ? getHeapStatistics().heap_size_limit / heapPerByte : bytes;
  return Math.max(Math.floor(limit), minBytes);
}
