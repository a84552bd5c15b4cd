/** The events, venues and organizers of the replica: those of a kind by id and by slug. */

import type { AnyPost } from '../model/records.ts';
import type { EntryOf } from './entries.ts';

/** All records of one kind. */
export class PostSet<R extends AnyPost> {
  readonly #byId = new Map<number, EntryOf<R>>();
  readonly #bySlug = new Map<string, number>();

  get(id: number): EntryOf<R> | undefined {
    return this.#byId.get(id);
  }

  withSlug(slug: string): EntryOf<R> | undefined {
    const id = this.#bySlug.get(slug);
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /** Puts an entry, or drops the record of an id; returns the entry that stood there before. */
  put(id: number, entry: EntryOf<R> | undefined): EntryOf<R> | undefined {
    const before = this.#byId.get(id);
    if (before !== undefined && this.#bySlug.get(before.record.slug) === id)
      this.#bySlug.delete(before.record.slug);
    if (entry === undefined) this.#byId.delete(id);
    else {
      this.#byId.set(id, entry);
      this.#bySlug.set(entry.record.slug, id);
    }
    return before;
  }

  values(): IterableIterator<EntryOf<R>> {
    return this.#byId.values();
  }

  get size(): number {
    return this.#byId.size;
  }

  clear(): void {
    this.#byId.clear();
    this.#bySlug.clear();
  }
}
