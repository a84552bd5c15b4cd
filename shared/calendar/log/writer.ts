/** Commits decisions, one at a time, each exactly once. Why this is right: `docs/decisions/calendar-log.md`. */

import { randomBytes } from 'node:crypto';
import { backOff, type Deadline, deadlineIn } from './deadline.ts';
import { isUnreachable, outcomeUnknown, TableFailure, unavailable } from './failure.ts';
import type { Follower } from './follower.ts';
import type { Held } from './held.ts';
import type { Decision, Log, TakeId } from './log.ts';
import { drawIds, maximumMarks, type Plan, planCommit } from './plan.ts';
import type { Head } from './rows.ts';
import type { Table } from './table.ts';

export interface WriterOptions {
  readonly table: Table;
  readonly held: Held;
  readonly follower: Follower;
  /** Partition of the calendar. */
  readonly calendar: string;
  /** Milliseconds that a write may take, its time in the queue included. */
  readonly budget: number;
}

/** What came of asking for a decision: something to write, or an answer that needs an up-to-date replica to be true. */
type Outcome<T> = { readonly plan: Plan; readonly result: T } | { readonly settle: () => T };

/** Milliseconds that must be left to begin a transaction; with less its outcome would not be learnt in time. */
const leastTimeToSend = 50;

/** Milliseconds for which another process counts as writing, after something that it wrote was seen. */
const contentionMemory = 500;

/** Milliseconds that a writer waits at most while others write; measured with eight processes, shorter waits waste more tries. */
const longestTurn = 100;

/** Makes the `write` of a log. Its writes are queued, so that the writers of one process do not get in each other's way. */
export function openWriter({ table, held, follower, calendar, budget }: WriterOptions): Log['write'] {
  const writer = randomBytes(6).toString('base64url');
  let sequence = 0;
  let last: Promise<unknown> = Promise.resolve();
  let seenVersion = 0;
  let othersSeen = Number.NEGATIVE_INFINITY;

  /**
   * Tries at once with what is held, because the commit finds out when that is old; unless the tables were unreachable, for
   * then it is better to know beforehand that nothing can be sent. But while others write too, all first
   * wait a moment and ask for the head: or else who wrote last would always be ahead of those who have yet to see it.
   */
  async function write<T>(decide: (takeId: TakeId) => Decision<T>, deadline: Deadline): Promise<T> {
    for (let again = false; ; again = true) {
      if (deadline.left() < leastTimeToSend) throw tooBusy();
      const contended = othersWrite();
      if (contended) await backOff(1, longestTurn);
      const verify = again || contended || follower.down || !isCurrent();
      if (verify) await refresh(deadline);
      if (!isCurrent()) continue;
      const outcome = decideNow(decide);
      if ('settle' in outcome && verify) return outcome.settle();
      if ('plan' in outcome && (await commit(outcome.plan, deadline))) return outcome.result;
    }
  }

  function isCurrent(): boolean {
    return held.loaded && held.head.version === held.version;
  }

  /** Tells whether another process has written lately, as far as was seen. */
  function othersWrite(): boolean {
    if (held.version !== seenVersion) {
      seenVersion = held.version;
      othersSeen = performance.now();
    }
    return performance.now() - othersSeen < contentionMemory;
  }

  function decideNow<T>(decide: (takeId: TakeId) => Decision<T>): Outcome<T> {
    const { takeId, nextIds } = drawIds(held.head);
    try {
      const decision = decide(takeId);
      const { puts, deletes, result } = decision;
      if (puts.length + deletes.length === 0) return { settle: () => result };
      sequence += 1;
      return { plan: planCommit({ held, calendar, writer, sequence, decision, nextIds }), result };
    } catch (error) {
      return {
        settle: () => {
          throw error;
        },
      };
    }
  }

  /**
   * Sends a plan until it is known what came of it: true when it took effect, false when it never will because the head
   * moved on. As long as the head has not moved it is the same plan that is sent again: a copy that was held up on its way
   * may still arrive, and then one of the two finds the head changed.
   */
  async function commit(plan: Plan, deadline: Deadline): Promise<boolean> {
    let perhapsDone = false;
    for (let attempt = 1; ; attempt++) {
      try {
        takeOver(plan, await table.commit(plan.operations, deadline.left()));
        return true;
      } catch (error) {
        if (!(error instanceof TableFailure)) throw error;
        perhapsDone ||= error.perhapsDone;
        await refreshAfter(error, perhapsDone, deadline);
        if (tookEffect(plan, held.head, perhapsDone)) return true;
        if (held.head.version !== plan.base.version || held.head.log !== plan.base.log) return false;
        if (deadline.left() === 0) throw perhapsDone ? outcomeUnknown(error) : tooBusy(error);
        await backOff(attempt);
      }
    }
  }

  function takeOver({ base, head, changes }: Plan, etag: string): void {
    // Whoever reads at the same time may have got further, or have found the table replaced.
    if (held.version < base.version || held.head.log !== base.log) return;
    const others = held.version !== seenVersion;
    held.take(changes);
    held.adopt({ ...head, etag });
    if (!others) seenVersion = held.version;
  }

  async function refresh(deadline: Deadline): Promise<void> {
    try {
      await follower.refresh(deadline.left());
    } catch (error) {
      throw isUnreachable(error) ? unreachable(error) : error;
    }
  }

  async function refreshAfter(
    failure: TableFailure,
    perhapsDone: boolean,
    deadline: Deadline,
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await follower.refresh(deadline.left());
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        if (!perhapsDone) throw unreachable(failure);
        if (deadline.left() === 0) throw outcomeUnknown(failure);
        await backOff(attempt);
      }
    }
  }

  return (decide) => {
    const deadline = deadlineIn(budget);
    const run = last.then(() => write(decide, deadline));
    last = run.catch(() => {});
    return run;
  };
}

/** Tells from the head whether a plan took effect; throws when the head no longer says it. */
function tookEffect(plan: Plan, head: Head, perhapsDone: boolean): boolean {
  if (head.marks.includes(plan.mark)) return true;
  if (perhapsDone && head.version >= plan.head.version + maximumMarks) throw outcomeUnknown(undefined);
  return false;
}

const action = 'save to the calendar';

function unreachable(cause: unknown): Error {
  return unavailable(action, 'its storage does not answer', cause);
}

function tooBusy(cause?: unknown): Error {
  return unavailable(action, 'its turn did not come in time', cause);
}
