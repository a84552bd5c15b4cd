/** The turns of writes: one at a time, each caller as often as any other; and who has many rests between them while others write. */

import { CodedError } from '../../errors.ts';
import { Rests } from '../../rests.ts';
import { measure } from '../../telemetry/trace.ts';
import { createTurns, type Turns } from '../../turns.ts';
import { createFairStart } from '../../waiting.ts';

const name = 'wait for the turn to write';

/** Writes that wait, at most, and the one that has its turn. */
const inAll = 201;

/** Milliseconds for which a write waits for its turn. */
export const maxWait = 6_000;

/** Creates the turns of which none is taken. A write waits for the tables more than it computes, so its caller rests by the time for which nobody else's has a turn. */
export function createWriteTurns(): Pick<Turns, 'run'> {
  const turns = createTurns({ name, running: 1, runningOfOne: 1, inAll, refusal });
  const fairStart = createFairStart();
  let busy = 0;
  let since: number | undefined;
  const now = () => performance.now();
  const rests = new Rests({ now, active: () => busy + (since === undefined ? 0 : now() - since) });

  async function timed<T>(work: () => Promise<T>): Promise<T> {
    const start = now();
    since = start;
    try {
      return await work();
    } finally {
      busy += now() - start;
      since = undefined;
    }
  }

  /** Waits until the rests of a caller are over, or rejects when that has not come in so many milliseconds, or cannot be expected to. */
  async function awaitRest(caller: string, begin: () => boolean, milliseconds: number): Promise<void> {
    const before = fairStart.waiting(caller);
    if (before >= inAll || rests.waitOf(caller, before) > milliseconds) throw refusal();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(refusal()), milliseconds);
    await measure('queue', name, {}, () => fairStart.awaitTurn(caller, begin, late.signal)).finally(() =>
      clearTimeout(timer),
    );
  }

  return {
    async run(keys, milliseconds, work) {
      const [caller = ''] = keys;
      const end = now() + milliseconds;
      const request = rests.add(caller);
      try {
        if (fairStart.waiting(caller) > 0 || !request.begin())
          await awaitRest(caller, request.begin, milliseconds);
        return await turns.run(keys, end - now(), () => timed(work));
      } finally {
        request.end();
      }
    },
  };
}

function refusal(): CodedError {
  return new CodedError('overloaded', 'Cannot save to the calendar now: too many writes wait.', {
    retryAfter: 1,
  });
}
