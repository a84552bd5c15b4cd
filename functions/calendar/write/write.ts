/** A write as it is decided: the records that it puts and deletes, the ids that it takes, and the images whose readers change with it. */

import type { Decision, PastRecord, TakeId } from '../log/log.ts';
import { checkRecords } from '../log/plan.ts';
import { formatWall } from '../model/dates/wall.ts';
import { pagePathOf, withEarlierPaths } from '../model/page-paths.ts';
import { withNewKey } from '../model/picture-keys.ts';
import type {
  AnyPost,
  CalendarRecord,
  EventRecord,
  ImageRecord,
  OrganizerRecord,
  TermRecord,
  VenueRecord,
} from '../model/records.ts';
import { uniquePostSlug } from '../model/text/slug.ts';
import { languages, type PostKind, type TermKind } from '../model/values.ts';
import {
  entryOf,
  isPublic,
  keyOf,
  type OrganizerEntry,
  type PostEntry,
  publicImage,
  type VenueEntry,
} from '../replica/entries.ts';
import type { ReplicaContext } from '../replica/find.ts';
import type { CalendarReplica } from '../replica/replica.ts';

/** A field that does not have the value that was sent, and why: an end before the start, a time that clocks skip, more markup than is kept, or what is gone since. */
export interface AdjustedField {
  readonly name: string;
  readonly reason: 'before-start' | 'skipped-time' | 'too-much-markup' | 'gone';
}

/** Seconds of a day. */
const day = 24 * 60 * 60;

export class Write {
  readonly context: ReplicaContext;
  readonly takeId: TakeId;
  /** Fields that do not have the values that were sent. */
  readonly adjusted: AdjustedField[] = [];
  /** Whether the record was created before, by the same request. */
  isReplayed = false;
  readonly #puts = new Map<string, CalendarRecord>();
  readonly #deletes: string[] = [];
  #author: number | undefined;

  constructor(context: ReplicaContext, takeId: TakeId) {
    this.context = context;
    this.takeId = takeId;
    this.#author = context.caller.author;
  }

  put(record: CalendarRecord): void {
    this.#puts.set(keyOf(record), record);
    checkRecords(this.#puts.size);
  }

  /** Number of the records that it puts. */
  get size(): number {
    return this.#puts.size;
  }

  delete(record: CalendarRecord): void {
    this.#deletes.push(keyOf(record));
  }

  /** Returns the decision with a result, for the log. */
  decision<T>(result: T): Decision<T> {
    const { replica } = this.context;
    for (const record of this.#puts.values()) this.put(asSeenByReaders(record, this.context));
    for (const image of imagesOfNewReaders(this.#puts, replica)) this.put(image);
    for (const image of hiddenImages(this.#puts, replica)) this.put(image);
    const puts = [...this.#puts].map(([key, record]) => ({
      key,
      json: JSON.stringify(withPathBefore(record, replica)),
    }));
    return { puts, deletes: this.#deletes, replaced: this.#replaced(), result };
  }

  /** Notes in events, venues and organizers who has changed them, and when; nobody for what the clock does. */
  noteChange(by: number | undefined): void {
    for (const { changed_by: _before, ...record } of [...this.#puts.values()].filter(isPost))
      this.put({
        ...record,
        changed_at: this.context.now,
        ...(by === undefined ? {} : { changed_by: by }),
      } as AnyPost);
  }

  /** Checks whether it changes an event, venue or organizer. */
  get changesPosts(): boolean {
    return [...this.#puts.values()].some(isPost);
  }

  /** Returns the events, venues and organizers that it changes, as they were. */
  #replaced(): PastRecord[] {
    const { posts } = this.context.replica;
    return [...this.#puts.values()].filter(isPost).flatMap(({ kind, id }) => {
      const before: PostEntry | undefined = posts[kind].get(id);
      if (before === undefined) return [];
      return { key: keyOf(before.record), version: before.version, json: JSON.stringify(before.record) };
    });
  }

  /** Returns the id of the caller as an author. A user becomes an author on the first write; what to call them is noted anew, and once a day that they write still. */
  author(): number {
    const { caller, now, replica, authorNameDays = 0 } = this.context;
    const { subject } = caller;
    const name = authorNameDays > 0 ? caller.name : undefined;
    if (subject === undefined) throw new TypeError('Only a signed-in caller can be an author.');
    this.#author ??= this.takeId('user');
    const id = this.#author;
    const seen = now - (now % day);
    const before = replica.author(id);
    const isKnown =
      before !== undefined && before.name === name && (name === undefined || before.seen === seen);
    if (!isKnown && !this.#puts.has(keyOf({ kind: 'author', id })))
      this.put({ kind: 'author', id, subject, ...(name === undefined ? {} : { name, seen }) });
    return id;
  }

  /** Returns the id of the image of a URL; the same URL is the same image. */
  imageOf(url: string): number {
    const existingRecord =
      this.context.replica.imageWithUrl(url) ?? this.#find('image', (image) => image.url === url);
    if (existingRecord !== undefined) return existingRecord.id;
    const image: ImageRecord = { kind: 'image', id: this.takeId('post'), url };
    this.put(image);
    return image.id;
  }

  /** Returns the first free slug for a post, counting those of this write; the post's own does not count. */
  freeSlug(kind: PostKind, id: number, wanted: string): string {
    const { posts } = this.context.replica;
    return uniquePostSlug(wanted, (slug) => {
      const holder: PostEntry | undefined = posts[kind].withSlug(slug);
      if (holder !== undefined && holder.record.id !== id) return true;
      return this.#find(kind, (other) => other.slug === slug && other.id !== id) !== undefined;
    });
  }

  /** Finds a term among those of the calendar and of this write. */
  findTerm(kind: TermKind, isIt: (term: TermRecord) => boolean): TermRecord | undefined {
    const newTerm = this.#find(kind as 'category', isIt);
    return newTerm ?? this.context.replica.terms.find(kind, isIt);
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

/** Omits values that read the same when they are absent: undefined, `""`, false, 0 and empty lists. */
export function omitEmpty<T extends object>(record: T): Partial<T> {
  const entries = Object.entries(record).filter(
    ([, value]) => Boolean(value) && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(entries) as Partial<T>;
}

/** Returns a record with what feeds have to know of the state that readers saw before. */
function asSeenByReaders(record: CalendarRecord, context: ReplicaContext): CalendarRecord {
  switch (record.kind) {
    case 'event':
      return renamedInTrash(record, context);
    case 'venue':
    case 'organizer':
      return hiddenSince(record, context);
    case 'category':
    case 'tag':
    case 'image':
      return shownSince(record, context);
    default:
      return record;
  }
}

/** Notes that the title of an event in the trash is not the one that readers saw. */
function renamedInTrash(record: EventRecord, { replica }: ReplicaContext): EventRecord {
  const { renamed_in_trash: _before, ...event } = record;
  const before = replica.posts.event.get(record.id)?.record;
  if (record.status !== 'trash' || before === undefined) return event;
  const isRenamed = before.renamed_in_trash === true || titlesOf(before) !== titlesOf(record);
  return isRenamed ? { ...event, renamed_in_trash: true } : event;
}

function titlesOf({ title, translations = {} }: EventRecord): string {
  return JSON.stringify([title, ...languages.map((language) => translations[language]?.['title'])]);
}

/** Notes when a venue or organizer is taken from readers, so that the events that named it have a later state from then on. */
function hiddenSince(
  record: VenueRecord | OrganizerRecord,
  { replica, now }: ReplicaContext,
): VenueRecord | OrganizerRecord {
  const { hidden_since: _before, ...contact } = record;
  if (entryOf(record, 0, now).status === 'publish') return contact;
  const before: VenueEntry | OrganizerEntry | undefined = replica.posts[record.kind].get(record.id);
  const hidden_since =
    before?.status === 'publish'
      ? { version: replica.version + 1, utc: record.modified_utc }
      : before?.record.hidden_since;
  return hidden_since === undefined ? contact : { ...contact, hidden_since };
}

/** Notes when a term has another name, or a picture another address, so that the events that show it have a later state from then on. */
function shownSince<R extends TermRecord | ImageRecord>(record: R, { replica, now }: ReplicaContext): R {
  const before =
    record.kind === 'image' ? replica.image(record.id) : replica.terms.get(record.id, record.kind);
  if (before === undefined) return record;
  const isSame = shownOf(before) === shownOf(record);
  const shown_since = isSame ? before.shown_since : { version: replica.version + 1, utc: formatWall(now) };
  return shown_since === undefined ? record : { ...record, shown_since };
}

/** Returns what events show of a term or a picture, as one text. */
function shownOf(record: TermRecord | ImageRecord): string {
  if (record.kind === 'image') return record.url;
  const { name, deleted = false, translations = {} } = record;
  return JSON.stringify([deleted, name, ...languages.map((language) => translations[language]?.['name'])]);
}

type Records = ReadonlyMap<string, CalendarRecord>;

/**
 * Returns the stored images that a write shows to readers, or hides from them: readers see an image while a published record shows it.
 * They are written again, so that the change feed names them.
 */
function imagesOfNewReaders(written: Records, replica: CalendarReplica): ImageRecord[] {
  const ids = new Set<number>();
  for (const record of written.values()) {
    if (!isPost(record)) continue;
    const before = imageOf(replica.post(record.id)?.record);
    const after = imageOf(record);
    if (before === after) continue;
    for (const id of [before, after]) if (id !== undefined) ids.add(id);
  }
  return [...ids].flatMap((id) => {
    const image = replica.image(id);
    if (image === undefined || written.has(keyOf(image))) return [];
    return isShownElsewhere(id, written, replica) ? [] : image;
  });
}

/**
 * Returns a record that keeps the path of its page where its slug is another one now, so that links to it go on to work, or tell that it is
 * in the trash.
 */
function withPathBefore(record: CalendarRecord, replica: CalendarReplica): CalendarRecord {
  if (!isPost(record)) return record;
  const before = replica.post(record.id);
  const isOther =
    before?.status === 'publish' && before.record.kind === record.kind && before.record.slug !== record.slug;
  return withEarlierPaths(record, isOther ? [pagePathOf(before.record)] : []);
}

/**
 * Returns the stored images that a write hides from everybody: records show them, and none of these is public any more. They get other
 * addresses, since the ones that they had are known.
 */
function hiddenImages(written: Records, replica: CalendarReplica): ImageRecord[] {
  const ids = new Set<number>();
  for (const record of written.values()) {
    const before = isPost(record) ? replica.post(record.id) : undefined;
    if (
      before === undefined ||
      !isPublic(before) ||
      !isPost(record) ||
      isPublic({ record, status: record.status })
    )
      continue;
    for (const id of replica.imagesOf(record)) ids.add(id);
  }
  return [...ids].flatMap((id) => {
    const image = (written.get(`image/${id}`) ?? replica.image(id)) as ImageRecord | undefined;
    return image?.stored === undefined || isShownInPublic(id, written, replica) ? [] : withNewKey(image);
  });
}

/** Checks whether a record that is public after a write shows an image, also where the clock has published it. */
function isShownInPublic(id: number, written: Records, replica: CalendarReplica): boolean {
  if (replica.showing(id).some((entry) => !written.has(keyOf(entry.record)) && isPublic(entry))) return true;
  return [...written.values()].some(
    (record) =>
      isPost(record) && isPublic({ record, status: record.status }) && replica.imagesOf(record).includes(id),
  );
}

/** Checks whether a record that is not written shows an image to readers. */
function isShownElsewhere(id: number, written: Records, replica: CalendarReplica): boolean {
  for (const set of Object.values(replica.posts))
    for (const { record } of set.values())
      if (imageOf(record) === id && !written.has(keyOf(record))) return true;
  return false;
}

/** What the log says counts: the clock publishes without a change. */
function imageOf(record: AnyPost | undefined): number | undefined {
  return record && publicImage({ record, status: record.status });
}

function isPost(record: CalendarRecord): record is AnyPost {
  return record.kind === 'event' || record.kind === 'venue' || record.kind === 'organizer';
}
