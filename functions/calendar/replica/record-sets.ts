/** Records of the replica by id, slug or another unique field; categories and tags with their tree and numbers of published events. */

import type { AnyPost, TermRecord } from '../model/records.ts';
import type { TermKind } from '../model/values.ts';
import type { EntryOf } from './entries.ts';

/** All records of a kind. */
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

  /** Puts an entry, or deletes that of an id. Returns the replaced entry. */
  put(id: number, entry: EntryOf<R> | undefined): EntryOf<R> | undefined {
    const previous = this.#byId.get(id);
    if (previous !== undefined && this.#bySlug.get(previous.record.slug) === id)
      this.#bySlug.delete(previous.record.slug);
    if (entry === undefined) this.#byId.delete(id);
    else {
      this.#byId.set(id, entry);
      this.#bySlug.set(entry.record.slug, id);
    }
    return previous;
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

export class TermSet {
  readonly #byId = new Map<number, TermRecord>();
  readonly #versions = new Map<number, number>();
  readonly #counts = new Map<number, number>();
  #children: Map<number, TermRecord[]> | undefined;
  #revision = 0;

  /** Grows with every change of a term, except for counts. */
  get revision(): number {
    return this.#revision;
  }

  /** The live term of an id, of the given kind. */
  get(id: number, kind?: TermKind): TermRecord | undefined {
    const term = this.#byId.get(id);
    return term?.deleted === true || (kind !== undefined && term?.kind !== kind) ? undefined : term;
  }

  /** What remains of a deleted term; undefined for a live one, and for one of which nothing remains. */
  signpost(id: number): TermRecord | undefined {
    const term = this.#byId.get(id);
    return term?.deleted === true ? term : undefined;
  }

  /** Version of the log under which a term was last written. */
  versionOf(id: number): number {
    return this.#versions.get(id) ?? 0;
  }

  put(id: number, term: TermRecord | undefined, version: number): void {
    this.#versions.set(id, version);
    if (term === undefined) this.#byId.delete(id);
    else this.#byId.set(id, term);
    this.#children = undefined;
    this.#revision += 1;
  }

  /** All live terms, in no order. */
  all(): TermRecord[] {
    return [...this.#byId.values()].filter((term) => term.deleted !== true);
  }

  /** The live terms of a kind, in no order. */
  ofKind(kind: TermKind): TermRecord[] {
    return this.all().filter((term) => term.kind === kind);
  }

  find(kind: TermKind, test: (term: TermRecord) => boolean): TermRecord | undefined {
    for (const term of this.#byId.values()) {
      if (term.kind === kind && term.deleted !== true && test(term)) return term;
    }
    return undefined;
  }

  withSlug(kind: TermKind, slug: string): TermRecord | undefined {
    return this.find(kind, (term) => term.slug === slug);
  }

  /**
   * Returns the id of the live parent of a category, 0 at the top. The parent of a deleted category takes its place. A category that is its
   * own ancestor is at the top.
   */
  parentOf({ id, parent = 0 }: TermRecord): number {
    let liveParent = 0;
    const ancestors = new Set<number>();
    for (
      let ancestor = this.#byId.get(parent);
      ancestor !== undefined;
      ancestor = this.#byId.get(ancestor.parent ?? 0)
    ) {
      if (ancestor.id === id) return 0;
      if (ancestors.has(ancestor.id)) break;
      ancestors.add(ancestor.id);
      if (liveParent === 0 && ancestor.deleted !== true) liveParent = ancestor.id;
    }
    return liveParent;
  }

  /** Direct children of a category, or the categories at the top for 0. */
  childrenOf(id: number): readonly TermRecord[] {
    this.#children ??= Map.groupBy(this.ofKind('category'), (term) => this.parentOf(term));
    return this.#children.get(id) ?? [];
  }

  /** Ids of a term and of all its descendants. */
  withDescendants(id: number): number[] {
    return [id, ...this.childrenOf(id).flatMap((child) => this.withDescendants(child.id))];
  }

  /** Levels from the top down to a category, inclusive; 0 where it does not exist. */
  depthOf(id: number): number {
    const term = this.get(id);
    return term === undefined ? 0 : 1 + this.depthOf(this.parentOf(term));
  }

  /** Levels from a category down to its lowest descendant, inclusive. */
  heightOf(id: number): number {
    return 1 + this.childrenOf(id).reduce((height, child) => Math.max(height, this.heightOf(child.id)), 0);
  }

  /** Checks whether a record names a category as its parent. */
  isParent(id: number): boolean {
    return [...this.#byId.values()].some(({ parent }) => parent === id);
  }

  /** Number of published events of a term. */
  countOf(id: number): number {
    return this.#counts.get(id) ?? 0;
  }

  /** Adds to the number of published events of terms. */
  count(ids: readonly number[] | undefined, difference: 1 | -1): void {
    for (const id of ids ?? []) this.#counts.set(id, this.countOf(id) + difference);
  }

  clear(): void {
    this.#byId.clear();
    this.#versions.clear();
    this.#counts.clear();
    this.#children = undefined;
    this.#revision += 1;
  }
}

/** Puts a record into a map by id, and its id into a map by a unique field; undefined deletes both. */
export function upsertUnique<R extends object, Field extends keyof R & string>(
  records: Map<number, R>,
  ids: Map<R[Field], number>,
  id: number,
  record: R | undefined,
  field: Field,
): void {
  const previous = records.get(id);
  if (previous !== undefined && ids.get(previous[field]) === id) ids.delete(previous[field]);
  records.delete(id);
  if (record === undefined) return;
  records.set(id, record);
  ids.set(record[field], id);
}
