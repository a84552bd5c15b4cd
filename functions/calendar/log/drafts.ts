/** Drafts of next versions in rows beside the log. */

import { isUnreachable, TableFailure, unavailable } from './failure.ts';
import type { DraftRow, DraftRows } from './log.ts';
import { checkEntity } from './plan.ts';
import { draftToEntity } from './rows.ts';
import type { Table } from './table.ts';

export class TableDrafts implements DraftRows {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  read(key: string): Promise<DraftRow | undefined> {
    return answered(() => this.#table.draft(key));
  }

  async put(key: string, json: string, etag: string | undefined): Promise<boolean> {
    checkEntity(key, draftToEntity('', key, json));
    return this.#put(key, json, etag);
  }

  remove(key: string, etag: string): Promise<boolean> {
    return this.#put(key, null, etag);
  }

  #put(key: string, json: string | null, etag: string | undefined): Promise<boolean> {
    return answered(async () => {
      try {
        await this.#table.putDraft(key, json, etag);
        return true;
      } catch (error) {
        const isOther = error instanceof TableFailure && ['conflict', 'no-row'].includes(error.reason);
        if (isOther) return false;
        throw error;
      }
    });
  }
}

/** Calls the tables; a failure to reach them is one that callers can meet. */
async function answered<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isUnreachable(error)) throw unavailable('use the draft', 'its storage does not answer', error);
    throw error;
  }
}
