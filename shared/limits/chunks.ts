/** Work on megabytes in chunks, between which the event loop serves other requests. */

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Characters or bytes of a chunk. */
export const chunkLength = 512 * 1024;

/** Lets other work run before the next chunk. */
export const yieldToEventLoop = (): Promise<void> => nextTurn();

/** Checks whether a text or body is longer than a chunk. */
export function isLong({ length }: { readonly length: number }): boolean {
  return length > chunkLength;
}

/** Returns the end of the chunk that begins at `start`. It never splits a surrogate pair. */
export function nextChunkEnd(body: string | Uint8Array, start: number): number {
  const end = Math.min(start + chunkLength, body.length);
  if (typeof body !== 'string' || end === body.length) return end;
  return /[\ud800-\udbff]/.test(body.charAt(end - 1)) ? end - 1 : end;
}
