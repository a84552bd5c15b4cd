/** The series of events in the replica, and which of them a change is still being made to. */

import type { SeriesDate, SeriesRecord } from '../model/records.ts';
import type { Status } from '../model/values.ts';

export interface SeriesEntry {
  readonly record: SeriesRecord;
  /** Version of the log under which it was last written. */
  readonly version: number;
}

/** Checks whether something is still to be done to dates of a series. */
export function isDue({ dates }: Pick<SeriesRecord, 'dates'>): boolean {
  return dates.some(({ due }) => due !== undefined);
}

interface Events {
  readonly posts: { readonly event: { get(id: number): { readonly status: Status } | undefined } };
}

/** Returns the dates of a series as they are now: one that people have brought back from the trash is a date again. */
export function present({ dates }: Pick<SeriesRecord, 'dates'>, { posts }: Events): readonly SeriesDate[] {
  return dates.map((date) => {
    if (date.is_removed !== true || date.due !== undefined || date.event === undefined) return date;
    const status = posts.event.get(date.event)?.status;
    if (status === undefined || status === 'trash') return date;
    const { is_removed: _removed, ...live } = date;
    return live;
  });
}

export class SeriesSet {
  readonly #byId = new Map<number, SeriesEntry>();
  readonly #due = new Set<number>();

  get(id: number): SeriesEntry | undefined {
    return this.#byId.get(id);
  }

  values(): IterableIterator<SeriesEntry> {
    return this.#byId.values();
  }

  /** The series of which dates are due, and whose last step is older than some seconds at an instant. */
  dueSince(now: number, seconds: number): SeriesRecord[] {
    const due = [...this.#due].map((id) => this.#byId.get(id)?.record);
    return due.filter(
      (record) => record !== undefined && (record.at ?? 0) + seconds <= now,
    ) as SeriesRecord[];
  }

  put(id: number, record: SeriesRecord | undefined, version: number): void {
    this.#due.delete(id);
    this.#byId.delete(id);
    if (record === undefined) return;
    this.#byId.set(id, { record, version });
    if (isDue(record)) this.#due.add(id);
  }

  clear(): void {
    this.#byId.clear();
    this.#due.clear();
  }
}
