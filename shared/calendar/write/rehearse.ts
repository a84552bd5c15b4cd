/** What is worth doing before a write has its turn: others wait while it is decided. */

import type { TakeId } from '../log/log.ts';
import type { CalendarRequest } from '../model/context.ts';

/** Characters of parameters from which on a write is rehearsed. */
const longWrite = 2_000;

/** Decides a long write once in vain, so that its texts are sanitized already when it is decided in its turn; what is wrong with it is told then. */
export function rehearse({ parameters }: CalendarRequest, decide: (takeId: TakeId) => unknown): void {
  const texts = Object.values(parameters).filter((value) => typeof value === 'string');
  if (texts.reduce((sum, text) => sum + text.length, 0) < longWrite) return;
  let id = Number.MAX_SAFE_INTEGER;
  try {
    decide(() => id--);
  } catch {
    // The replica need not be up to date, or loaded.
  }
}
