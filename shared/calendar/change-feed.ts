/** The change feed of a calendar, and the callers who wait for the next change. */

import { CodedError } from '../errors.ts';
import { Budget, type Reservation } from '../limits/budget.ts';
import { noteWait } from '../telemetry/trace.ts';
import { unavailable } from './log/failure.ts';
import type { Freshness } from './log/log.ts';
import type { CalendarRequest } from './model/context.ts';
import { parseFilters } from './model/fields/parameter.ts';
import { type ChangePage, changeParameters, listChanges } from './read/changes.ts';
import type { ReadContext, ReadResult } from './read/context.ts';
import type { CalendarReplica } from './replica/replica.ts';
import { publishDue } from './write/publish-due.ts';
import type { Write } from './write/write.ts';

/** What the feed needs of its calendar. */
export interface FollowedCalendar {
  readonly replica: CalendarReplica;
  freshness(): Promise<Freshness>;
  read<T>(request: CalendarRequest, query: (context: ReadContext) => T): Promise<ReadResult<T>>;
  commit<T>(request: CalendarRequest, decide: (write: Write) => T): Promise<T>;
}

/** Changes, and whether the caller had to wait for them as asked. */
export interface Changes extends ReadResult<ChangePage> {
  /** False where nothing has changed and too many others wait. */
  readonly hasWaited: boolean;
}

interface Waiter {
  /** The state that the caller knows. */
  readonly state: string;
  readonly settle: (hasChanged: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/** Milliseconds between two looks for changes while callers wait: one point read for all of them. */
const interval = 1_000;

export class ChangeFeed {
  readonly #calendar: FollowedCalendar;
  /** A waiting caller holds a request in flight, so only a part of these may wait. */
  readonly #places: Budget;
  readonly #waiters = new Set<Waiter>();
  #isWatching = false;

  constructor(calendar: FollowedCalendar, maxWaiting: number) {
    this.#calendar = calendar;
    this.#places = new Budget({
      name: 'callers that wait for changes',
      limit: maxWaiting,
      rejection: () => new CodedError('overloaded', 'Cannot wait for changes: too many callers wait.'),
    });
  }

  /**
   * Lists the changes of a request. Where there are none yet, waits for the first one up to some milliseconds. Throws `changes-gone` for a
   * version of another history.
   */
  async list(request: CalendarRequest, waitMs = 0): Promise<Changes> {
    const changes = await this.#present(request);
    if (waitMs <= 0 || isFound(changes)) return { ...changes, hasWaited: waitMs > 0 };
    const place = this.#reserve(request);
    if (place === undefined) return { ...changes, hasWaited: false };
    try {
      return { ...(await this.#wait(request, changes, waitMs)), hasWaited: true };
    } finally {
      place.release();
    }
  }

  async #wait(request: CalendarRequest, first: ReadResult<ChangePage>, waitMs: number) {
    let changes = first;
    let remaining = waitMs;
    while (!isFound(changes)) {
      const started = performance.now();
      const hasChanged = await this.#nextState(stateOf(changes.freshness), remaining);
      const waited = performance.now() - started;
      noteWait(waited);
      if (!hasChanged) return changes;
      remaining -= waited;
      changes = await this.#present(request);
    }
    return changes;
  }

  #reserve({ callerKey = '' }: CalendarRequest): Reservation | undefined {
    try {
      return this.#places.reserve(callerKey, 1);
    } catch (error) {
      if (error instanceof CodedError && error.code === 'overloaded') return undefined;
      throw error;
    }
  }

  async #present(request: CalendarRequest): Promise<ReadResult<ChangePage>> {
    const { freshness, replica, commit, read } = this.#calendar;
    const { stale } = await freshness();
    replica.publishDue();
    if (!stale && replica.publishedByClock().length > 0) await commit(request, publishDue);
    const { since, history, result } = await this.#read(request, read);
    mustContinue(since, history, result);
    return result;
  }

  async #read(request: CalendarRequest, read: FollowedCalendar['read']) {
    const { value, freshness } = await read(request, (context) => {
      const { since, history, per_page } = parseFilters(changeParameters, context);
      return { since, history, page: listChanges(since, per_page, context) };
    });
    const { since, history, page } = value;
    return { since, history, result: { value: page, freshness } };
  }

  /** Waits until the calendar has another state, or a scheduled record is due. Resolves with false after the timeout. */
  #nextState(state: string, timeoutMs: number): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const waiter = { state, settle: resolve, fail: reject };
    const timer = setTimeout(resolve, Math.max(0, timeoutMs), false);
    this.#waiters.add(waiter);
    this.#watch();
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    });
  }

  /** Looks for changes for as long as callers wait. */
  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    setTimeout(() => {
      this.#isWatching = false;
      void this.#look().then(() => {
        if (this.#waiters.size > 0) this.#watch();
      });
    }, interval);
  }

  async #look(): Promise<void> {
    const { freshness, replica } = this.#calendar;
    try {
      const state = stateOf(await freshness());
      replica.publishDue();
      const isDue = replica.publishedByClock().length > 0;
      for (const waiter of this.#waiters) if (isDue || waiter.state !== state) waiter.settle(true);
    } catch (error) {
      for (const waiter of this.#waiters) waiter.fail(error);
    }
  }
}

function isFound({ value }: ReadResult<ChangePage>): boolean {
  return value.changes.length > 0;
}

function stateOf({ history, version }: Freshness): string {
  return `${history} ${version}`;
}

/** Throws where the versions of a caller are not those of the calendar: what happened since is not known. */
function mustContinue(
  since: number,
  history: string | undefined,
  { value, freshness }: ReadResult<ChangePage>,
) {
  const isOther = history !== undefined && history !== freshness.history;
  if (!isOther && since <= value.latest) return;
  if (freshness.stale) throw unavailable('list the changes', 'its storage does not answer');
  throw new CodedError(
    'changes-gone',
    isOther
      ? 'Cannot list the changes: the calendar was replaced. Start over without since and history.'
      : `Cannot list the changes: the calendar has no version ${since}; it was replaced. Start over without since and history.`,
  );
}
