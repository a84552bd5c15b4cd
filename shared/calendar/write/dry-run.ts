/** A dry run of a long write. */

import type { TakeId } from '../log/log.ts';
import type { CalendarRequest } from '../model/context.ts';

/** Characters of parameters above which a write has a dry run. */
const longWrite = 2_000;

/**
 * Runs the decision of a long write once and discards it, so that its texts are sanitized before its turn; its errors appear in its turn.
 */
export function dryRun({ parameters }: CalendarRequest, decide: (takeId: TakeId) => unknown): void {
  const texts = Object.values(parameters).filter((value) => typeof value === 'string');
  if (texts.reduce((sum, text) => sum + text.length, 0) < longWrite) return;
  let id = Number.MAX_SAFE_INTEGER;
  try {
    decide(() => id--);
  } catch {
    // The replica need not be up to date, or loaded.
  }
}
