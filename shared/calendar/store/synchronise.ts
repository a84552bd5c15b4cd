/** Brings what this process holds up to the head. Why this is right: `docs/decisions/calendar-log.md`. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { backOff } from './deadline.ts';
import { isUnreachable, TableFailure } from './failure.ts';
import type { Held } from './held.ts';
import type { Change } from './log.ts';
import { type Head, noHead } from './rows.ts';
import type { Table } from './table.ts';

/** Versions per parallel range of a load: its rows come in one page, and a page has at most 1,000. */
const rangeVersions = 1_000;
const maximumRanges = 256;
const parallelRanges = 4;
/** Changes that are taken in without letting other work of the process come in between, while it loads. */
const changesAtOnce = 2_000;
/** How often a call is tried, and the longest wait after the first failure in milliseconds: enough for a short hiccup. */
const attempts = 4;
const firstWait = 100;

/**
 * Reads the head, and the rows that are newer than the replica when it moved. When the head belongs to another history
 * (the table was replaced, or restored from a copy), everything is loaded anew.
 */
export async function synchronise(table: Table, held: Held): Promise<void> {
  const { version, head: known } = held;
  const head = await again(() => readHead(table));
  const replaced = head.version < version || (known.log !== '' && head.log !== known.log);
  if (replaced) await load(table, held, head, 0);
  else if (head.version > held.version) await load(table, held, head, held.version);
  held.adopt(head);
}

async function load(table: Table, held: Held, head: Head, after: number): Promise<void> {
  const changes = await changesSince(table, after, head.version);
  if (after === 0) held.clear();
  if (held.loaded) held.take(changes);
  else await takeInPortions(held, changes);
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
 * the whole a true state: the one at the time of its last page. Many rows are read in parallel ranges before it.
 */
async function changesSince(table: Table, after: number, head: number): Promise<Change[]> {
  const ranges = rangesBetween(after, head);
  const found = await inParallel(ranges, ([from, upTo]) => scan(table, from, upTo));
  const changes = [
    ...found,
    await scan(table, ranges.length === 0 ? after : head, Number.MAX_SAFE_INTEGER),
  ].flat();
  const newest = changes.at(-1)?.version ?? 0;
  if (newest < head)
    throw new Error(
      `Cannot read the calendar's log: its head has version ${head}, and its newest row ${newest}`,
    );
  return changes;
}

type Range = readonly [after: number, upTo: number];

/** Divides the versions above `after` and up to `upTo` evenly; none when they are few. */
function rangesBetween(after: number, upTo: number): Range[] {
  if (upTo - after <= rangeVersions) return [];
  const count = Math.min(maximumRanges, Math.ceil((upTo - after) / rangeVersions));
  const bound = (index: number) => after + Math.floor(((upTo - after) * index) / count);
  return Array.from({ length: count }, (_, index) => [bound(index), bound(index + 1)]);
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  async function worker(): Promise<void> {
    for (const [index, item] of queue) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(parallelRanges, items.length) }, worker));
  return results;
}

/** Reads the rows above `after` and up to `upTo`, page by page. An empty page may have a next one. */
async function scan(table: Table, after: number, upTo: number): Promise<Change[]> {
  const found: Change[] = [];
  let next: string | undefined;
  do {
    const page = await again(() => table.page(after, upTo, next));
    found.push(...page.changes);
    next = page.next;
  } while (next !== undefined);
  return found;
}

/** A replica that holds all rows up to some version is brought up to date by the rows above it, so a load may stop anywhere. */
async function takeInPortions(held: Held, changes: readonly Change[]): Promise<void> {
  for (let start = 0; start < changes.length; start += changesAtOnce) {
    held.take(changes.slice(start, start + changesAtOnce));
    await nextTurn();
  }
}

/** Calls again, a few times, when the tables could not be reached. Only for what changes nothing. */
async function again<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!isUnreachable(error) || attempt === attempts) throw error;
      await backOff(attempt, firstWait);
    }
  }
}
