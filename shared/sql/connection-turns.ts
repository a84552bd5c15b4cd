/** The turns at the connections of a pool: a bounded queue, and no caller and no object with more than half of them. */

import { CodedError } from '../errors.ts';
import { createTurns, type Turns } from '../turns.ts';

/** Statements that wait for a connection, for each that the pool may have. */
const waitingPerConnection = 4;

/** Statements of a caller, or about an object, that wait behind slow ones of which nobody knows how long they take, for each that may run. */
const behindSlow = 2;

/** Creates the turns at so many connections. Who finds no place is refused at once. */
export function createConnectionTurns(connections: number): Turns {
  const runningOfOne = Math.max(1, Math.floor(connections / 2));
  return createTurns({
    name: 'wait for a connection',
    running: connections,
    runningOfOne,
    behindHeldUp: behindSlow * runningOfOne,
    inAll: (1 + waitingPerConnection) * connections,
    refusal: () =>
      new CodedError('database-busy', 'Cannot use the database: too many statements wait for it.', {
        retryAfter: 1,
      }),
  });
}
