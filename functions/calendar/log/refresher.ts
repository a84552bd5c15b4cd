/** Keeps the replica up to date for readers and writers, and knows how old it is while the tables are unreachable. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { offerGauge } from '../../../shared/telemetry/gauges.ts';
import { measure } from '../../../shared/telemetry/trace.ts';
import { withTimeout } from '../../../shared/timing.ts';
import { isUnreachable, TableFailure, unavailable } from './failure.ts';
import { type LocalLog, synchronise } from './local-log.ts';
import type { Freshness } from './log.ts';
import type { Snapshots } from './snapshots.ts';
import type { Table } from './table.ts';

/** Milliseconds that a read waits for tables that are known to be unreachable, before it is answered from memory. */
const waitTimeoutWhileDown = 250;

export interface RefresherOptions {
  readonly table: Table;
  readonly local: LocalLog;
  /** From which the log is loaded, and which are written when it has moved on. */
  readonly snapshots?: Pick<Snapshots, 'read' | 'consider'> | undefined;
  /** Milliseconds that a read may wait for the first load. */
  readonly budget: number;
  /** Milliseconds that a read may wait once the replica is loaded. */
  readonly waitTimeout: number;
  /** Milliseconds for which the replica may be read after it was last known to be up to date. */
  readonly staleFor: number;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
}

/** Keeps the replica up to date with the log of a table. */
export class Refresher {
  readonly #options: RefresherOptions;
  /** When the replica was last known to be up to date; a state that is found is at least as new as the call. */
  #freshAt = Number.NEGATIVE_INFINITY;
  /** The run that is under way, and when it began. */
  #run: { readonly startedAt: number; readonly end: Promise<void> } | undefined;

  constructor(options: RefresherOptions) {
    const { local, now } = options;
    this.#options = options;
    offerGauge('calendarVersion', '', () => [[local.version]]);
    offerGauge('calendarRecords', '', () => [[local.records]]);
    offerGauge('calendarAge', '', () => (local.loaded ? [[(now() - this.#freshAt) / 1_000]] : []));
  }

  /**
   * Brings the replica up to date, or resolves as stale for as long as that is allowed. A replica that was up to date less than
   * `maxAgeMs` milliseconds ago counts as up to date.
   */
  readonly read = async (maxAgeMs = 0): Promise<Freshness> => {
    const { local, budget, waitTimeout } = this.#options;
    if (local.loaded && this.#isWithin(maxAgeMs, this.#freshAt))
      return { ...this.#position(), stale: false, age: 0 };
    const timeout = local.isReachable ? waitTimeout : Math.min(waitTimeout, waitTimeoutWhileDown);
    const wait = local.loaded ? timeout : budget;
    try {
      await measure('queue', 'wait for the replica', {}, () => this.refresh(wait, maxAgeMs));
      return { ...this.#position(), stale: false, age: 0 };
    } catch (error) {
      if (isUnreachable(error)) return this.#freshnessWhileDown(error);
      throw error;
    }
  };

  /**
   * Brings the replica up to date within a timeout in milliseconds, or throws a `TableFailure`. A run that began less than `maxAgeMs`
   * milliseconds ago will do.
   */
  async refresh(milliseconds: number, maxAgeMs = 0): Promise<void> {
    const run = this.#run;
    try {
      await withTimeout(
        milliseconds,
        run !== undefined && this.#isWithin(maxAgeMs, run.startedAt) ? run.end : this.#refreshOnce(),
        () => new TableFailure('unreachable', false, new Error('No answer in time')),
      );
    } catch (error) {
      if (isUnreachable(error)) this.#options.local.isReachable = false;
      throw error;
    }
  }

  readonly #refreshOnce = coalesce(() => {
    const startedAt = this.#options.now();
    const end = this.#synchronise(startedAt);
    this.#run = { startedAt, end };
    return end;
  });

  async #synchronise(startedAt: number): Promise<void> {
    const { table, local, snapshots } = this.#options;
    try {
      await synchronise(table, local, snapshots);
      this.#freshAt = startedAt;
      local.isReachable = true;
      snapshots?.consider(local.head);
    } finally {
      this.#run = undefined;
    }
  }

  /** Checks whether less than some milliseconds have passed since a time. */
  #isWithin(milliseconds: number, time: number): boolean {
    return this.#options.now() - time < milliseconds;
  }

  #freshnessWhileDown(cause: unknown): Freshness {
    const { local, now, staleFor } = this.#options;
    const age = now() - this.#freshAt;
    if (local.loaded && age <= staleFor)
      return { ...this.#position(), stale: true, age: Math.ceil(age / 1_000) };
    throw unavailable('read the calendar', this.#reasonWhyNot(), cause);
  }

  #reasonWhyNot(): string {
    const { isWhole, wanted } = this.#options.local.progress;
    if (isWhole) return 'its storage has not answered for too long';
    return wanted > 0 ? 'it is still being loaded' : 'its storage does not answer';
  }

  #position() {
    const { version, head } = this.#options.local;
    return { version, history: head.log };
  }
}

/**
 * After a run that was shared by at least `busyCalls` calls, the next run waits until `fullBatch` calls share it, or until
 * `intervalMs` after the last run began: a point read takes more of the processor than a list from the cache.
 */
const busyCalls = 4;
const fullBatch = 16;
const intervalMs = 5;

/**
 * Coalesces calls into runs of `task`. A call during a run waits for the next run, together with all others made
 * meanwhile. So at most one run is in flight, its cost does not grow with the number of callers, and what it finds is
 * never older than any of its calls. A run begins in the next turn of the event loop, so that calls of one turn share it.
 */
export function coalesce<T>(task: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  let calls = 0;
  /** When the next run begins, at the latest, where it waits for more to share it. */
  let latest = 0;
  let whenFull = () => {};

  async function runAfter(previous: Promise<unknown>): Promise<T> {
    await previous;
    await nextTurn();
    const wait = latest - performance.now();
    if (wait > 0 && calls < fullBatch) await waitForCalls(wait);
    latest = calls < busyCalls ? 0 : performance.now() + intervalMs;
    next = null;
    calls = 0;
    return task();
  }

  async function waitForCalls(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.ceil(milliseconds));
    whenFull = resolve;
    await promise;
    clearTimeout(timer);
  }

  return () => {
    calls++;
    if (calls === fullBatch) whenFull();
    if (next === null) {
      next = runAfter(current);
      current = next.catch(() => {});
    }
    return next;
  };
}
