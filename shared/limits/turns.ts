/** Work of many small steps, between which others get turns. */

import { yieldToEventLoop } from './chunks.ts';

/** Milliseconds of work after which others get a turn. */
const turnLength = 10;

export interface Turns {
  /** Called between steps, each of which is short: lets other work run when this one has gone on for long. */
  next(): Promise<void> | undefined;
}

/** Creates the turns of one piece of work. */
export function createTurns(): Turns {
  let endsAt = performance.now() + turnLength;
  return {
    next() {
      if (performance.now() < endsAt) return undefined;
      return yieldToEventLoop().then(() => {
        endsAt = performance.now() + turnLength;
      });
    },
  };
}
