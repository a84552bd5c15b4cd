/** One write to the calendar while it is decided: what it reads, and the records it will put and delete. */

import type { Decision, TakeId } from '../log/log.ts';
import { checkRecords } from '../log/plan.ts';
import {
  type CalendarRecord,
  type ImageRecord,
  keyOf,
  type Language,
  type PostKind,
  type TermKind,
  type TermRecord,
} from '../model/records.ts';
import { uniquePostSlug } from '../model/text/slug.ts';
import type { Surroundings } from '../parameters/parameter.ts';
import type { PostEntry } from '../replica/entries.ts';

export class Write {
  readonly surroundings: Surroundings;
  /** Language that texts are written in; the default ones without it. */
  readonly language: Language | undefined;
  readonly takeId: TakeId;
  readonly #puts = new Map<string, CalendarRecord>();
  readonly #deletes: string[] = [];
  #author: number | undefined;

  constructor(surroundings: Surroundings, takeId: TakeId, language: Language | undefined) {
    this.surroundings = surroundings;
    this.takeId = takeId;
    this.language = language;
    this.#author = surroundings.caller.author;
  }

  put(record: CalendarRecord): void {
    this.#puts.set(keyOf(record), record);
    checkRecords(this.#puts.size);
  }

  delete(record: CalendarRecord): void {
    this.#deletes.push(keyOf(record));
  }

  /** Gives the decision with a result, for the log. */
  decision<T>(result: T): Decision<T> {
    const puts = [...this.#puts].map(([key, record]) => ({ key, json: JSON.stringify(record) }));
    return { puts, deletes: this.#deletes, result };
  }

  /** Id of the caller as an author. A user becomes an author on the first write. */
  author(): number {
    const { subject } = this.surroundings.caller;
    if (this.#author === undefined) {
      if (subject === undefined) throw new TypeError('Only a signed-in caller can be an author.');
      this.#author = this.takeId('user');
      this.put({ kind: 'author', id: this.#author, subject });
    }
    return this.#author;
  }

  /** Id of the image of an address; the same address gives the same image. */
  imageOf(url: string): number {
    const known =
      this.surroundings.replica.imageWithUrl(url) ?? this.#find('image', (image) => image.url === url);
    if (known !== undefined) return known.id;
    const image: ImageRecord = { kind: 'image', id: this.takeId('post'), url };
    this.put(image);
    return image.id;
  }

  /** The first free slug for a post, counting those of this write; the post's own does not count. */
  freeSlug(kind: PostKind, id: number, wanted: string): string {
    const { posts } = this.surroundings.replica;
    return uniquePostSlug(wanted, (slug) => {
      const holder: PostEntry | undefined = posts[kind].withSlug(slug);
      if (holder !== undefined && holder.record.id !== id) return true;
      return this.#find(kind, (other) => other.slug === slug && other.id !== id) !== undefined;
    });
  }

  /** A term, among those of the calendar and of this write. */
  findTerm(kind: TermKind, isIt: (term: TermRecord) => boolean): TermRecord | undefined {
    const added = this.#find(kind as 'category', isIt);
    return added ?? this.surroundings.replica.terms.find(kind, isIt);
  }

  #find<K extends CalendarRecord['kind']>(
    kind: K,
    isIt: (record: Extract<CalendarRecord, { readonly kind: K }>) => boolean,
  ): Extract<CalendarRecord, { readonly kind: K }> | undefined {
    for (const record of this.#puts.values()) {
      if (record.kind !== kind) continue;
      const candidate = record as Extract<CalendarRecord, { readonly kind: K }>;
      if (isIt(candidate)) return candidate;
    }
    return undefined;
  }
}

/** Drops what reads the same when it is absent: undefined, `""`, false, 0 and empty lists. */
export function compact<T extends object>(record: { readonly [K in keyof T]: T[K] | undefined }): T {
  const entries = Object.entries(record).filter(
    ([, value]) => Boolean(value) && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(entries) as T;
}
