/** The earlier versions of records, in rows of their own beside the log: which are read, and which are not kept any longer. */

import { isUnreachable, unavailable } from './failure.ts';
import type { LocalLog } from './local-log.ts';
import type { PastRange, PastRecord, RecordHistory } from './log.ts';
import { allPastKeys, pastKeysOf } from './rows.ts';
import type { Table } from './table.ts';

/** Versions of a record that are kept, at most. */
export const maxVersions = 200;
/** Seconds of a day, and so between two sweeps of all processes. */
const day = 24 * 60 * 60;
/** Rows of a page of a sweep, and of one removal. */
const pageSize = 1_000;
const removedTogether = 100;

function notRead(error: unknown): never {
  if (isUnreachable(error)) throw unavailable('read the history', 'its storage does not answer', error);
  throw error;
}

export class TableHistory implements RecordHistory {
  readonly #table: Table;
  readonly #local: LocalLog;
  readonly #days: number;

  constructor(table: Table, local: LocalLog, days: number) {
    this.#table = table;
    this.#local = local;
    this.#days = days;
  }

  async list(key: string, { before, limit }: PastRange): Promise<PastRecord[]> {
    if (this.#days === 0) return [];
    const keys = pastKeysOf(key, before);
    const query = { keys, log: this.#local.history, since: this.#firstKept(), pageSize: limit };
    const found: PastRecord[] = [];
    let next: string | undefined;
    do {
      const page = await this.#table.past(query, next).catch(notRead);
      found.push(...page.rows.map(({ past }) => past));
      next = page.next;
    } while (next !== undefined && found.length < limit);
    return found.slice(0, limit);
  }

  async sweep(): Promise<number | undefined> {
    const now = Math.floor(Date.now() / 1_000);
    if (!(await this.#table.noteSweep(now, now - day))) return undefined;
    const since = this.#firstKept();
    let removed = 0;
    let next: string | undefined;
    // The newest versions of a record come first.
    let current = { key: '', count: 0 };
    do {
      const page = await this.#table.past({ keys: allPastKeys, pageSize, isBare: true }, next);
      const old: string[] = [];
      for (const { rowKey, at, past } of page.rows) {
        current = { key: past.key, count: past.key === current.key ? current.count + 1 : 1 };
        if (at < since || current.count > maxVersions) old.push(rowKey);
      }
      for (let start = 0; start < old.length; start += removedTogether)
        await this.#table.remove(old.slice(start, start + removedTogether));
      removed += old.length;
      next = page.next;
    } while (next !== undefined);
    return removed;
  }

  /** Returns the instant, in seconds, from which on what was replaced is kept. */
  #firstKept(): number {
    return Math.floor(Date.now() / 1_000) - this.#days * day;
  }
}
