/** Commits decisions, one at a time, each exactly once. Why this is right: `docs/decisions/calendar-log.md`. */

import { randomBytes } from 'node:crypto';
import { CodedError } from '../../../shared/errors.ts';
import { FairQueue } from '../../../shared/limits/fair-queue.ts';
import { backoff, type Deadline, deadlineIn } from '../../../shared/timing.ts';
import { isUnreachable, outcomeUnknown, TableFailure, unavailable } from './failure.ts';
import type { LocalLog } from './local-log.ts';
import type { Decision, Log, TakeId } from './log.ts';
import { drawIds, maxRecentWriteIds, type Plan, planCommit } from './plan.ts';
import type { Refresher } from './refresher.ts';
import type { Head, SnapshotRef } from './rows.ts';
import type { Table } from './table.ts';

export interface WriterOptions {
  readonly table: Table;
  readonly local: LocalLog;
  readonly refresher: Pick<Refresher, 'refresh'>;
  /** Partition of the calendar. */
  readonly calendar: string;
  /** Milliseconds that a write may take, its time in the queue included. */
  readonly budget: number;
  /** Whether versions of records are kept that others replace. Default: they are not. */
  readonly keepsHistory?: boolean;
}

/** The outcome of a decision: a plan to commit, or an answer that is true only of an up-to-date replica. */
type Outcome<T> = { readonly plan: Plan; readonly result: T } | { readonly resolve: () => T };

/** Milliseconds that must remain to begin a transaction; with less its outcome would not be learnt in time. */
const minTimeToSend = 50;

/** Milliseconds for which another process counts as writing, after one of its writes was seen. */
const contentionMemory = 500;

/** The most milliseconds that a writer backs off under contention. Measured with eight processes: shorter waits waste more attempts. */
const maxBackoff = 100;

/** Writes that wait, at most. */
const maxQueued = 500;

/** How much of its budget a write waits, at most: the rest must suffice to commit it. */
const queueShare = 0.75;

/** The `write` of a log. Writes run one after the other, so that those of one process do not conflict with each other. */
export class LogWriter {
  readonly #table: Table;
  readonly #local: LocalLog;
  readonly #refresher: Pick<Refresher, 'refresh'>;
  readonly #calendar: string;
  readonly #budget: number;
  readonly #keepsHistory: boolean;
  readonly #writer = randomBytes(6).toString('base64url');
  #sequence = 0;
  readonly #queue: FairQueue;
  #seenVersion = 0;
  #contentionSeen = Number.NEGATIVE_INFINITY;

  constructor({ table, local, refresher, calendar, budget, keepsHistory = false }: WriterOptions) {
    this.#keepsHistory = keepsHistory;
    this.#table = table;
    this.#local = local;
    this.#refresher = refresher;
    this.#calendar = calendar;
    this.#budget = budget;
    this.#queue = new FairQueue({
      name: 'wait to write',
      concurrency: 1,
      maxQueued,
      timeoutMs: budget * queueShare,
      rejection,
    });
  }

  readonly write: Log['write'] = (decide, callerKey = '') => {
    const deadline = deadlineIn(this.#budget);
    return this.#queue.run([callerKey], () => this.#write(decide, deadline));
  };

  /**
   * Decides on the local replica without reading the head first, because the commit finds out when it is stale. After the tables were
   * unreachable it reads the head first, since nothing may be sent. While other processes write too, it backs off and reads the head:
   * otherwise the last writer would always be ahead of the others.
   */
  async #write<T>(decide: (takeId: TakeId) => Decision<T>, deadline: Deadline): Promise<T> {
    for (let isRetry = false; ; isRetry = true) {
      if (deadline.remainingMs() < minTimeToSend) throw tooBusy();
      const contended = this.#isContended();
      if (contended) await backoff(1, { firstWait: maxBackoff });
      const verify = isRetry || contended || !this.#local.isReachable || !this.#isCurrent();
      if (verify) await this.#refresh(deadline);
      if (!this.#isCurrent()) continue;
      const outcome = this.#decide(decide);
      if ('resolve' in outcome && verify) return outcome.resolve();
      if ('plan' in outcome && (await this.#commit(outcome.plan, deadline))) return outcome.result;
    }
  }

  #isCurrent(): boolean {
    return this.#local.loaded && this.#local.head.version === this.#local.version;
  }

  /** Checks whether a write of another process was seen recently. */
  #isContended(): boolean {
    if (this.#local.version !== this.#seenVersion) {
      this.#seenVersion = this.#local.version;
      this.#contentionSeen = performance.now();
    }
    return performance.now() - this.#contentionSeen < contentionMemory;
  }

  #decide<T>(decide: (takeId: TakeId) => Decision<T>): Outcome<T> {
    const { takeId, nextIds } = drawIds(this.#local.head);
    try {
      const decision = decide(takeId);
      const { puts, deletes, result } = decision;
      if (puts.length + deletes.length === 0) return { resolve: () => result };
      return { plan: this.#planOf(decision, nextIds), result };
    } catch (error) {
      return {
        resolve: () => {
          throw error;
        },
      };
    }
  }

  /**
   * Has the head name a snapshot, unless it belongs to another log by now, or names a newer one. Changes nothing else. Resolves with
   * whether it does.
   */
  readonly nameSnapshot = (
    log: string,
    snapshot: SnapshotRef,
    damaged: string | undefined,
  ): Promise<boolean> => {
    const deadline = deadlineIn(this.#budget);
    return this.#queue.run([''], () => this.#nameSnapshot(log, snapshot, damaged, deadline));
  };

  async #nameSnapshot(
    log: string,
    snapshot: SnapshotRef,
    damaged: string | undefined,
    deadline: Deadline,
  ): Promise<boolean> {
    while (deadline.remainingMs() >= minTimeToSend) {
      await this.#refresh(deadline);
      if (!this.#isCurrent()) continue;
      const { head } = this.#local;
      const latest = head.snapshot?.blob === damaged ? 0 : (head.snapshot?.version ?? 0);
      if (head.log !== log || head.version < snapshot.version || latest >= snapshot.version) return false;
      const plan = this.#planOf({ puts: [], deletes: [], result: undefined }, head.nextIds, snapshot);
      if (await this.#commit(plan, deadline)) return true;
    }
    return false;
  }

  #planOf(decided: Decision<unknown>, nextIds: Head['nextIds'], snapshot?: SnapshotRef): Plan {
    const decision = this.#keepsHistory ? decided : { ...decided, replaced: [] };
    this.#sequence += 1;
    const local = this.#local;
    const calendar = this.#calendar;
    const writer = this.#writer;
    const sequence = this.#sequence;
    return planCommit({ local, calendar, writer, sequence, decision, nextIds, snapshot });
  }

  /**
   * Sends a plan until its outcome is known: true when it took effect, false when it never will because the head moved on. While the
   * head has not moved the same plan is sent again: a delayed copy may still arrive, and then one of the two finds the head changed.
   */
  async #commit(plan: Plan, deadline: Deadline): Promise<boolean> {
    const { base } = plan;
    let maybeCommitted = false;
    for (let attempt = 1; ; attempt++) {
      try {
        this.#applyCommitted(plan, await this.#table.commit(plan.operations, deadline.remainingMs()));
        return true;
      } catch (error) {
        if (!(error instanceof TableFailure)) throw error;
        maybeCommitted ||= error.maybeCommitted;
        await this.#refreshAfter(error, maybeCommitted, deadline);
        const { head } = this.#local;
        if (tookEffect(plan, head, maybeCommitted)) return true;
        if (hasMoved(base, head)) return false;
        if (deadline.remainingMs() === 0) throw maybeCommitted ? outcomeUnknown(error) : tooBusy(error);
        await backoff(attempt);
      }
    }
  }

  #applyCommitted({ base, head, changes }: Plan, etag: string): void {
    const local = this.#local;
    // A concurrent read may have got further, or have found the table replaced.
    if (local.version < base.version || local.head.log !== base.log) return;
    const sawAnotherWriter = local.version !== this.#seenVersion;
    local.apply(changes);
    local.setHead({ ...head, etag });
    if (!sawAnotherWriter) this.#seenVersion = local.version;
  }

  async #refresh(deadline: Deadline): Promise<void> {
    try {
      await this.#refresher.refresh(deadline.remainingMs());
    } catch (error) {
      throw isUnreachable(error) ? unreachable(error) : error;
    }
  }

  async #refreshAfter(failure: TableFailure, maybeCommitted: boolean, deadline: Deadline): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#refresher.refresh(deadline.remainingMs());
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        if (!maybeCommitted) throw unreachable(failure);
        if (deadline.remainingMs() === 0) throw outcomeUnknown(failure);
        await backoff(attempt);
      }
    }
  }
}

/** Checks whether anything was committed to a head. A commit may leave the version as it is, and never the latest write. */
function hasMoved(base: Head, { log, recentWriteIds }: Head): boolean {
  return log !== base.log || recentWriteIds[0] !== base.recentWriteIds[0];
}

/**
 * Checks by the head whether a plan took effect; throws when the head no longer says it. A list of writes that is full may have lost the
 * plan's, unless it still has one that the plan was made on: that one is older, and is lost before.
 */
function tookEffect({ base, head: planned, writeId }: Plan, head: Head, maybeCommitted: boolean): boolean {
  const { log, recentWriteIds } = head;
  if (log !== planned.log) return false;
  if (recentWriteIds.includes(writeId)) return true;
  const isFull = recentWriteIds.length >= maxRecentWriteIds;
  if (maybeCommitted && isFull && !base.recentWriteIds.some((id) => recentWriteIds.includes(id)))
    throw outcomeUnknown(undefined);
  return false;
}

function rejection(reason: 'full' | 'timeout'): CodedError {
  return new CodedError(
    'overloaded',
    reason === 'full'
      ? 'Cannot save to the calendar: too many writes are queued.'
      : 'Cannot save to the calendar: the write was queued for too long.',
    { retryAfter: 1 },
  );
}

const action = 'save to the calendar';

function unreachable(cause: unknown): Error {
  return unavailable(action, 'its storage does not answer', cause);
}

function tooBusy(cause?: unknown): Error {
  return unavailable(action, 'the writes before it took too long', cause);
}
