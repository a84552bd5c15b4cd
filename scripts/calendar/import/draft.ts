/** What one decision of an import stores: it is made on the newest state of the calendar, and anew when another writer was faster. */

import type { Decision, IdSpace, TakeId } from '../../../functions/calendar/log/log.ts';
import type { RawParameters } from '../../../functions/calendar/model/calendar-context.ts';
import type { AnyPost, CalendarRecord, TermRecord } from '../../../functions/calendar/model/records.ts';
import { slugWithNumber, uniqueSlug } from '../../../functions/calendar/model/text/slug.ts';
import { type WithTexts, withTranslatedFrom } from '../../../functions/calendar/model/translated-texts.ts';
import type { Kind } from '../../../functions/calendar/model/values.ts';
import { keyOf, readKey } from '../../../functions/calendar/replica/entries.ts';
import type { ReplicaContext } from '../../../functions/calendar/replica/find.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';
import { Write } from '../../../functions/calendar/write/write.ts';
import { idSpaces } from './consistency.ts';
import { lastOfSources } from './in-the-way.ts';
import { isImported } from './source-name.ts';

const kinds = Object.keys(idSpaces) as Kind[];

/** A record that is found by its slug. */
type Named = AnyPost | TermRecord;

export class Draft {
  readonly context: ReplicaContext;
  readonly replica: CalendarReplica;
  readonly #takeId: TakeId;
  readonly #puts = new Map<string, CalendarRecord>();
  readonly #deleted = new Set<string>();

  constructor(context: ReplicaContext, takeId: TakeId) {
    this.context = context;
    this.replica = context.replica;
    this.#takeId = takeId;
  }

  /** Returns the record of a key as this decision leaves it. */
  get(kind: Kind, id: number): CalendarRecord | undefined {
    const key = `${kind}/${id}`;
    return this.#deleted.has(key) ? undefined : (this.#puts.get(key) ?? recordIn(this.replica, kind, id));
  }

  /** Returns the record that has a number, in the same space of numbers. */
  holder({ kind, id }: Pick<CalendarRecord, 'kind' | 'id'>): CalendarRecord | undefined {
    for (const other of kinds) {
      const record = idSpaces[other] === idSpaces[kind] ? this.get(other, id) : undefined;
      if (record !== undefined) return record;
    }
    return undefined;
  }

  /** Returns another record of a kind that has a slug. */
  withSlug(kind: Named['kind'], slug: string, id: number): Named | undefined {
    for (const record of this.#puts.values())
      if (record.kind === kind && record.id !== id && 'slug' in record && record.slug === slug) return record;
    const stored =
      kind === 'category' || kind === 'tag'
        ? this.replica.terms.withSlug(kind, slug)
        : this.replica.posts[kind].withSlug(slug)?.record;
    if (stored === undefined || stored.id === id) return undefined;
    const now = this.get(kind, stored.id) as Named | undefined;
    return now?.slug === slug ? now : undefined;
  }

  /** Returns a free slug for a record that gives its own to another: with its number. */
  slugBeside({ kind, id, slug }: Named): string {
    return uniqueSlug(slugWithNumber(slug, id), (wanted) => this.withSlug(kind, wanted, id) !== undefined);
  }

  put(record: CalendarRecord): void {
    const before = this.get(record.kind, record.id);
    this.#puts.set(keyOf(record), withTranslatedFrom(before as WithTexts | undefined, record));
  }

  delete(record: CalendarRecord): void {
    this.#deleted.add(keyOf(record));
  }

  /** Returns the id of the author of what imports make. */
  author(): number {
    return this.operate({}, (write) => write.author());
  }

  /** Runs an operation of the service, as that of an editor, on what this decision has put; keeps what it puts and deletes. */
  operate<T>(parameters: RawParameters, run: (write: Write) => T): T {
    const write = this.#write(parameters, this.#takeId);
    const result = run(write);
    const { puts, deletes } = write.decision(undefined);
    for (const { json } of puts) this.put(JSON.parse(json) as CalendarRecord);
    for (const key of deletes) this.#deleted.add(key);
    return result;
  }

  /** Returns what an operation would return, and keeps nothing. */
  trial<T>(parameters: RawParameters, run: (write: Write) => T): T {
    let id = Number.MAX_SAFE_INTEGER;
    return run(this.#write(parameters, () => id--));
  }

  #write(parameters: RawParameters, takeId: TakeId): Write {
    const write = new Write({ ...this.context, parameters }, takeId);
    for (const record of this.#puts.values()) write.put(record);
    return write;
  }

  decision<T>(result: T): Decision<T> {
    const write = new Write(this.context, this.#takeId);
    const created: CalendarRecord[] = [];
    for (const record of this.#puts.values()) {
      // What was here before may come to be seen, or not any more, and its picture with it: that is written, too.
      if (recordIn(this.replica, record.kind, record.id) === undefined) created.push(record);
      else write.put(record);
    }
    write.noteChange(this.context.caller.author);
    const { puts, replaced = [] } = write.decision(undefined);
    const news = created.map((record) => ({ key: keyOf(record), json: JSON.stringify(record) }));
    const deletes = [...this.#deleted].filter((key) => {
      const { kind, id } = readKey(key);
      return recordIn(this.replica, kind, id) !== undefined;
    });
    return { puts: [...news, ...puts], deletes, replaced, usedIds: this.#usedIds(), result };
  }

  /**
   * Returns the ids of each space that the counters pass with what is put: the largest. With a record of a source they pass all numbers that
   * the source may give later, since it goes on counting.
   */
  #usedIds(): Readonly<Record<IdSpace, number>> {
    const records = [...this.#puts.values()];
    const first = records.some((record) => this.#isOfAnySource(record)) ? lastOfSources : 0;
    const maxId = (space: IdSpace) =>
      records
        .filter(({ kind }) => idSpaces[kind] === space)
        .reduce((max, { id }) => Math.max(max, id), first);
    return { post: maxId('post'), term: maxId('term'), user: maxId('user') };
  }

  /** Checks whether a record is of a source: a user of it, or written by one, or a term of it. */
  #isOfAnySource(record: CalendarRecord): boolean {
    if (record.kind === 'image' || record.kind === 'series') return false;
    if (record.kind === 'author') return isImported(record.subject);
    if ('name' in record) return record.imported_from !== undefined;
    const author = this.get('author', record.author);
    return author?.kind === 'author' && isImported(author.subject);
  }
}

function recordIn(replica: CalendarReplica, kind: Kind, id: number): CalendarRecord | undefined {
  if (kind === 'author') return replica.author(id);
  if (kind === 'image') return replica.image(id);
  if (kind === 'series') return replica.series.get(id)?.record;
  if (kind === 'category' || kind === 'tag') return replica.terms.get(id, kind);
  return replica.posts[kind].get(id)?.record;
}
