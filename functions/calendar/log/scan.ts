/** Reads the log: its head, and its rows in ascending order of version, in a scan that gives a true state (`docs/decisions/calendar-log.md`). */

import { backoff } from '../../../shared/timing.ts';
import { isUnreachable, TableFailure } from './failure.ts';
import type { Change } from './log.ts';
import { type Head, noHead } from './rows.ts';
import type { Table } from './table.ts';

/** Versions per range of a load: its rows come in one page, and a page has at most 1,000. */
const rangeVersions = 1_000;
const maxRanges = 256;
/** Ranges that are asked for at once. More are hardly faster, and take more memory. */
const rangesAhead = 4;
/** The attempts of a call, and the longest wait after the first failure in milliseconds: enough for a short hiccup. */
const maxAttempts = 4;
const firstWait = 100;
/** The longest wait in milliseconds for tables that are too busy. */
const maxWaitWhileBusy = 5_000;

/** Reads the head; creates the table where there is none. */
export function headOf(table: Table): Promise<Head> {
  return retried(() => readHead(table));
}

async function readHead(table: Table): Promise<Head> {
  try {
    return await table.head();
  } catch (error) {
    if (!(error instanceof TableFailure && error.reason === 'no-table')) throw error;
    await table.create();
    return noHead;
  }
}

/**
 * Reads all rows above a version, in ascending order. The last scan, page after page to the end of the log, is what makes
 * the whole a true state: the one at the time of its last page. Many rows are read in ranges before it, some at once.
 */
export async function* changesSince(table: Table, after: number, head: number): AsyncGenerator<Change[]> {
  const ranges = rangesBetween(after, head);
  yield* readAhead(ranges, ([from, upTo]) => scan(table, from, upTo));
  yield scan(table, ranges.length === 0 ? after : head, Number.MAX_SAFE_INTEGER);
}

type Range = readonly [after: number, upTo: number];

/** Divides the versions above `after` and up to `upTo` evenly; none when they are few. */
function rangesBetween(after: number, upTo: number): Range[] {
  if (upTo - after <= rangeVersions) return [];
  const count = Math.min(maxRanges, Math.ceil((upTo - after) / rangeVersions));
  const bound = (index: number) => after + Math.floor(((upTo - after) * index) / count);
  return Array.from({ length: count }, (_, index) => [bound(index), bound(index + 1)]);
}

/** Reads several items at once, and gives what came of them in their order. */
async function* readAhead<T, R>(items: readonly T[], read: (item: T) => Promise<R>): AsyncGenerator<R> {
  const pending: Promise<R>[] = [];
  for (const item of items) {
    const result = read(item);
    // The consumer of the promise sees a failure; after an earlier failure it has none.
    result.catch(() => {});
    pending.push(result);
    if (pending.length === rangesAhead) yield* pending.splice(0, 1);
  }
  yield* pending;
}

/** Reads the rows above `after` and up to `upTo`, page by page. An empty page may have a next one. */
async function scan(table: Table, after: number, upTo: number): Promise<Change[]> {
  const changes: Change[] = [];
  let next: string | undefined;
  do {
    const page = await retried(() => table.page(after, upTo, next), true);
    changes.push(...page.changes);
    next = page.next;
  } while (next !== undefined);
  return changes;
}

/**
 * Calls again, a few times, when the tables could not be reached; `untilServed` as often as they answer that they are too busy, since
 * they serve the call in the end. Only for what changes nothing.
 */
async function retried<T>(call: () => Promise<T>, untilServed = false): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      const { throttling } = error;
      if (attempt >= maxAttempts && !(untilServed && throttling !== undefined)) throw error;
      const maxWait = throttling === undefined ? undefined : maxWaitWhileBusy;
      await backoff(attempt, { firstWait, maxWait, retryAfter: throttling?.retryAfterMs });
    }
  }
}
