/** The turns of writes: one at a time, each caller as often as any other. */

import { CodedError } from '../../errors.ts';
import { createTurns } from '../../turns.ts';

/** Writes that wait, at most, and the one that has its turn. */
const inAll = 201;

/** Milliseconds for which a write waits for its turn. */
export const maxWait = 6_000;

export const createWriteTurns = () =>
  createTurns({
    name: 'wait for the turn to write',
    running: 1,
    runningOfOne: 1,
    inAll,
    refusal: () =>
      new CodedError('overloaded', 'Cannot save to the calendar now: too many writes wait.', {
        retryAfter: 1,
      }),
  });
