/** Long texts and bodies, which are worked with piece by piece, so that others are served meanwhile. */

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Characters or bytes of a slice. */
const slice = 512 * 1024;

/** Lets others be served before the next step. */
export const pause = (): Promise<void> => nextTurn();

/** Checks whether something is longer than a slice. */
export function isLong({ length }: string | Uint8Array): boolean {
  return length > slice;
}

/** Returns the end of the slice that begins at a place; no pair of surrogates is cut. */
export function endOfSlice(body: string | Uint8Array, start: number): number {
  const end = Math.min(start + slice, body.length);
  if (typeof body !== 'string' || end === body.length) return end;
  return /[\ud800-\udbff]/.test(body.charAt(end - 1)) ? end - 1 : end;
}
