/** Keeps the replica up to date for readers and writers, and says how old it is while the tables are unreachable. */

import { within } from '../../within.ts';
import { isUnreachable, TableFailure, unavailable } from './failure.ts';
import type { Held } from './held.ts';
import type { Reading } from './log.ts';
import { shareNext } from './share-next.ts';
import { synchronise } from './synchronise.ts';
import type { Table } from './table.ts';

/** Milliseconds that a read waits while the tables are known to be unreachable, before it is answered from memory. */
const patienceWhileDown = 250;

export interface Follower {
  /** Whether the tables could not be reached when they were last asked. */
  readonly down: boolean;
  /** Brings the replica up to date, or answers from what is held for as long as that is allowed. */
  read(): Promise<Reading>;
  /** Brings the replica up to date within so many milliseconds, or throws a `TableFailure`. */
  refresh(milliseconds: number): Promise<void>;
}

export interface FollowerOptions {
  readonly table: Table;
  readonly held: Held;
  /** Milliseconds that a read may wait for the first load. */
  readonly budget: number;
  /** Milliseconds that a read may wait once the replica is loaded. */
  readonly patience: number;
  /** Milliseconds for which the replica may be read after it was last known to be up to date. */
  readonly staleFor: number;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
}

/** Follows the log of a table. */
export function follow({ table, held, budget, patience, staleFor, now }: FollowerOptions): Follower {
  /** When the replica was last known to be up to date; a state that is found is at least as new as the question. */
  let fresh = Number.NEGATIVE_INFINITY;
  let down = false;

  const share = shareNext(async () => {
    const asked = now();
    await synchronise(table, held);
    fresh = asked;
    down = false;
  });

  async function refresh(milliseconds: number): Promise<void> {
    try {
      await within(
        milliseconds,
        share(),
        () => new TableFailure('unreachable', false, new Error('No answer in time')),
      );
    } catch (error) {
      down ||= isUnreachable(error);
      throw error;
    }
  }

  function readingWhileDown(cause: unknown): Reading {
    const age = now() - fresh;
    if (held.loaded && age <= staleFor)
      return { version: held.version, stale: true, age: Math.ceil(age / 1_000) };
    throw unavailable(
      'read the calendar',
      held.loaded ? 'its storage has not answered for too long' : 'its storage does not answer',
      cause,
    );
  }

  return {
    get down() {
      return down;
    },
    refresh,
    async read() {
      const wait = !held.loaded ? budget : down ? Math.min(patience, patienceWhileDown) : patience;
      try {
        await refresh(wait);
        return { version: held.version, stale: false, age: 0 };
      } catch (error) {
        if (isUnreachable(error)) return readingWhileDown(error);
        throw error;
      }
    },
  };
}
