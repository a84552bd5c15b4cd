/** Commits decisions, one at a time, each exactly once. Why this is right: `docs/decisions/calendar-log.md`. */

import { randomBytes } from 'node:crypto';
import { backoff, type Deadline, deadlineIn } from '../../waiting.ts';
import { isUnreachable, outcomeUnknown, TableFailure, unavailable } from './failure.ts';
import type { Refresher } from './keep-fresh.ts';
import type { LocalLog } from './local-log.ts';
import type { Decision, Log, TakeId } from './log.ts';
import { drawIds, maxRecentWriteIds, type Plan, planCommit } from './plan.ts';
import type { Head } from './rows.ts';
import type { Table } from './table.ts';

export interface WriterOptions {
  readonly table: Table;
  readonly local: LocalLog;
  readonly refresher: Refresher;
  /** Partition of the calendar. */
  readonly calendar: string;
  /** Milliseconds that a write may take, its time in the queue included. */
  readonly budget: number;
}

/** What came of asking for a decision: something to write, or an answer that needs an up-to-date replica to be true. */
type Outcome<T> = { readonly plan: Plan; readonly result: T } | { readonly resolve: () => T };

/** Milliseconds that must be left to begin a transaction; with less its outcome would not be learnt in time. */
const minTimeToSend = 50;

/** Milliseconds for which another process counts as writing, after something that it wrote was seen. */
const contentionMemory = 500;

/** Milliseconds that a writer waits at most while others write; measured with eight processes, shorter waits waste more attempts. */
const maxBackoff = 100;

/** Creates the `write` of a log. Writes are queued, so that those of one process do not conflict with each other. */
export function openWriter({ table, local, refresher, calendar, budget }: WriterOptions): Log['write'] {
  const writer = randomBytes(6).toString('base64url');
  let sequence = 0;
  let last: Promise<unknown> = Promise.resolve();
  let seenVersion = 0;
  let othersSeen = Number.NEGATIVE_INFINITY;

  /**
   * Decides at once on the local replica, because the commit finds out when it is stale; unless the tables were
   * unreachable, for then it is better to know beforehand that nothing can be sent. But while others write too, each first
   * backs off and reads the head: otherwise the last writer would always be ahead of those that have yet to see its write.
   */
  async function write<T>(decide: (takeId: TakeId) => Decision<T>, deadline: Deadline): Promise<T> {
    for (let again = false; ; again = true) {
      if (deadline.left() < minTimeToSend) throw tooBusy();
      const contended = othersAreWriting();
      if (contended) await backoff(1, maxBackoff);
      const verify = again || contended || !local.isReachable || !isCurrent();
      if (verify) await refresh(deadline);
      if (!isCurrent()) continue;
      const outcome = decideNow(decide);
      if ('resolve' in outcome && verify) return outcome.resolve();
      if ('plan' in outcome && (await commit(outcome.plan, deadline))) return outcome.result;
    }
  }

  function isCurrent(): boolean {
    return local.loaded && local.head.version === local.version;
  }

  /** Checks whether another process has written lately, as far as was seen. */
  function othersAreWriting(): boolean {
    if (local.version !== seenVersion) {
      seenVersion = local.version;
      othersSeen = performance.now();
    }
    return performance.now() - othersSeen < contentionMemory;
  }

  function decideNow<T>(decide: (takeId: TakeId) => Decision<T>): Outcome<T> {
    const { takeId, nextIds } = drawIds(local.head);
    try {
      const decision = decide(takeId);
      const { puts, deletes, result } = decision;
      if (puts.length + deletes.length === 0) return { resolve: () => result };
      sequence += 1;
      return { plan: planCommit({ local, calendar, writer, sequence, decision, nextIds }), result };
    } catch (error) {
      return {
        resolve: () => {
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
    let maybeCommitted = false;
    for (let attempt = 1; ; attempt++) {
      try {
        applyCommitted(plan, await table.commit(plan.operations, deadline.left()));
        return true;
      } catch (error) {
        if (!(error instanceof TableFailure)) throw error;
        maybeCommitted ||= error.maybeCommitted;
        await refreshAfter(error, maybeCommitted, deadline);
        if (tookEffect(plan, local.head, maybeCommitted)) return true;
        if (local.head.version !== plan.base.version || local.head.log !== plan.base.log) return false;
        if (deadline.left() === 0) throw maybeCommitted ? outcomeUnknown(error) : tooBusy(error);
        await backoff(attempt);
      }
    }
  }

  function applyCommitted({ base, head, changes }: Plan, etag: string): void {
    // Whoever reads at the same time may have got further, or have found the table replaced.
    if (local.version < base.version || local.head.log !== base.log) return;
    const others = local.version !== seenVersion;
    local.apply(changes);
    local.setHead({ ...head, etag });
    if (!others) seenVersion = local.version;
  }

  async function refresh(deadline: Deadline): Promise<void> {
    try {
      await refresher.refresh(deadline.left());
    } catch (error) {
      throw isUnreachable(error) ? unreachable(error) : error;
    }
  }

  async function refreshAfter(
    failure: TableFailure,
    maybeCommitted: boolean,
    deadline: Deadline,
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await refresher.refresh(deadline.left());
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        if (!maybeCommitted) throw unreachable(failure);
        if (deadline.left() === 0) throw outcomeUnknown(failure);
        await backoff(attempt);
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

/** Checks by the head whether a plan took effect; throws when the head no longer says it. */
function tookEffect(plan: Plan, head: Head, maybeCommitted: boolean): boolean {
  if (head.recentWriteIds.includes(plan.writeId)) return true;
  if (maybeCommitted && head.version >= plan.head.version + maxRecentWriteIds)
    throw outcomeUnknown(undefined);
  return false;
}

const action = 'save to the calendar';

function unreachable(cause: unknown): Error {
  return unavailable(action, 'its storage does not answer', cause);
}

function tooBusy(cause?: unknown): Error {
  return unavailable(action, 'the writes before it took too long', cause);
}
