/** The calendar in memory: indexes over its live records, fed by the log (docs/decisions/calendar-reads.md). */

import { hash } from 'node:crypto';
import { logInvalidRecord } from '../../../shared/telemetry/log.ts';
import type { Change, Replica } from '../log/log.ts';
import type { Lookup } from '../model/calendar-context.ts';
import type {
  AnyPost,
  AuthorRecord,
  CalendarRecord,
  EventRecord,
  ImageRecord,
  OrganizerRecord,
  SeriesRecord,
  VenueRecord,
} from '../model/records.ts';
import { picturesIn } from '../model/text/own-addresses.ts';
import { type Kind, type Link, type LinkedKind, linkedId, type PostKind } from '../model/values.ts';
import { ChangeIndex } from './change-index.ts';
import {
  type EntryOf,
  type EventEntry,
  entryOf,
  isPublic,
  type PostEntry,
  publicImage,
  readKey,
  readRecord,
} from './entries.ts';
import { EventIndex } from './event-index.ts';
import { PostSet, TermSet, upsertUnique } from './record-sets.ts';
import { SeriesSet } from './series-set.ts';
import { TextPictures } from './text-pictures.ts';

/** Returns the present instant, in seconds. */
export type Clock = () => number;

export const systemClock: Clock = () => Math.floor(Date.now() / 1000);

interface PostSets {
  readonly event: PostSet<EventRecord>;
  readonly venue: PostSet<VenueRecord>;
  readonly organizer: PostSet<OrganizerRecord>;
}

/** The images that records show, in their texts too, at a revision. */
interface ShownImages {
  readonly revision: number;
  readonly byAny: ReadonlySet<number>;
  /** Published records without a password. */
  readonly byPublic: ReadonlySet<number>;
}

export class CalendarReplica implements Replica, Lookup {
  readonly posts: PostSets = { event: new PostSet(), venue: new PostSet(), organizer: new PostSet() };
  readonly terms = new TermSet();
  /** The series of events. */
  readonly series = new SeriesSet();
  /** The index by which lists find events. */
  readonly events = new EventIndex();
  /** The records by their last change. */
  readonly changes = new ChangeIndex();
  readonly #images = new Map<number, ImageRecord>();
  readonly #imageIds = new Map<string, number>();
  /** The images of published records without a password, but for those in texts, at a revision. */
  #publicImages: { readonly revision: number; readonly ids: ReadonlySet<number> } | undefined;
  #shown: ShownImages | undefined;
  readonly #textPictures = new TextPictures();
  readonly #authors = new Map<number, AuthorRecord>();
  readonly #unreadable = new Map<string, string>();
  readonly #authorIds = new Map<string, number>();
  /** Records to be published at a later instant. */
  readonly #scheduled = new Set<PostEntry>();
  /** Records that the clock has published, and whose stored status is still `future`. */
  readonly #publishedByClock = new Set<PostEntry>();
  readonly #now: Clock;
  readonly #onInvalid: (key: string, field: string) => void;
  /** No scheduled record is due before this instant. */
  #nextDue = Number.POSITIVE_INFINITY;
  #revision = 0;
  /** The hash of the last change. */
  #lastChange = '';
  #version = 0;

  /** `onInvalid` is called with the key of a stored record that cannot be shown, and its invalid field. */
  constructor(now: Clock = systemClock, onInvalid: (key: string, field: string) => void = logInvalidRecord) {
    this.#now = now;
    this.#onInvalid = onInvalid;
  }

  /** Grows with every change of what readers see. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Names the state of the calendar by its last change and what the clock has published since. All processes use the same name, whenever
   * they have begun: it follows from the records alone.
   */
  get state(): string {
    return `${this.#lastChange} ${this.#publishedByClock.size} ${this.publishedAt}`;
  }

  /** Version of the newest change. */
  get version(): number {
    return this.#version;
  }

  /** The latest instant at which the clock has published what is stored as scheduled, in seconds; 0 for none. */
  get publishedAt(): number {
    return Math.max(0, ...[...this.#publishedByClock].map(({ published }) => published));
  }

  apply(changes: readonly Change[]): void {
    this.#revision += 1;
    for (const { key, json, version } of changes) {
      const { kind, id } = readKey(key);
      this.#unreadable.delete(key);
      this.#put(kind, id, json === null ? undefined : this.#read(key, json), version);
      this.changes.add(key, version);
    }
    const last = changes.at(-1);
    if (last === undefined) return;
    this.#version = last.version;
    this.#lastChange = hash('sha1', `${last.version} ${last.key} ${last.json}`);
  }

  /** Reads a record. One that cannot be shown is omitted, with a line in the log, so that it fails no list. */
  #read(key: string, json: string): CalendarRecord | undefined {
    const { kind, id } = readKey(key);
    const result = readRecord(json, kind, id);
    if ('record' in result) return result.record;
    this.#unreadable.set(key, json);
    this.#onInvalid(key, result.invalid);
    return undefined;
  }

  /** The JSON texts of stored records that this version cannot read: what they name is in use all the same. */
  unreadable(): IterableIterator<string> {
    return this.#unreadable.values();
  }

  clear(): void {
    this.#revision += 1;
    for (const set of Object.values(this.posts)) set.clear();
    this.terms.clear();
    this.series.clear();
    this.#textPictures.clear();
    for (const map of [this.#images, this.#imageIds, this.#authors, this.#authorIds]) map.clear();
    for (const set of [this.#scheduled, this.#publishedByClock]) set.clear();
    this.changes.clear();
    this.events.clear();
    this.#unreadable.clear();
    this.#lastChange = '';
    this.#version = 0;
  }

  /** Publishes the scheduled records that are due. Call it before each read. */
  publishDue(): void {
    const now = this.#now();
    if (now < this.#nextDue) return;
    this.#nextDue = Number.POSITIVE_INFINITY;
    for (const entry of [...this.#scheduled]) {
      if (entry.published > now) {
        this.#nextDue = Math.min(this.#nextDue, entry.published);
        continue;
      }
      this.#revision += 1;
      this.#putPost(entry.record.kind, entry.record.id, entry.record, entry.version);
    }
  }

  /** The records that the clock has published, and whose stored status is still `future`. */
  publishedByClock(): PostEntry[] {
    return [...this.#publishedByClock];
  }

  /** The event, venue or organizer of an id. */
  post(id: number): PostEntry | undefined {
    return this.posts.event.get(id) ?? this.posts.venue.get(id) ?? this.posts.organizer.get(id);
  }

  /** All live records. A record stands behind those that it links to. */
  records(): CalendarRecord[] {
    const { venue, organizer, event } = this.posts;
    const posts = [venue, organizer, event].flatMap((set) => [...set.values()].map(({ record }) => record));
    const series = [...this.series.values()].map(({ record }) => record);
    return [...this.#authors.values(), ...this.#images.values(), ...this.terms.all(), ...posts, ...series];
  }

  image(id: number): ImageRecord | undefined {
    return this.#images.get(id);
  }

  /** All images. */
  images(): IterableIterator<ImageRecord> {
    return this.#images.values();
  }

  /** Checks whether a published record without a password shows an image. */
  isPublicImage(id: number): boolean {
    if (this.#publicImages?.revision !== this.#revision) {
      const ids = this.#entries()
        .map(publicImage)
        .filter((image) => image !== undefined);
      this.#publicImages = { revision: this.#revision, ids: new Set(ids) };
    }
    return this.#publicImages.ids.has(id);
  }

  /** Checks whether records show an image, in their texts too, and none of them is published without a password. It reads all texts, once for each revision. */
  isHiddenImage(id: number): boolean {
    const { byAny, byPublic } = this.#shownImages();
    return byAny.has(id) && !byPublic.has(id);
  }

  /** Ids of the images of a record: its own one, and those in its texts. */
  imagesOf({ image, description = '', excerpt = '', translations = {} }: AnyPost): number[] {
    const texts = [description, excerpt, ...Object.values(translations).flatMap(Object.values<string>)];
    const inTexts = texts.flatMap((text) => picturesIn(text, (id) => this.#images.get(id)));
    return image === undefined ? inTexts : [image, ...inTexts];
  }

  /** The records that show an image, in their texts too. */
  showing(id: number): PostEntry[] {
    const inTexts = this.#textPictures.of(id).map(({ id: post }) => this.post(post));
    const entries = new Set([...this.#entries().filter(({ record }) => record.image === id), ...inTexts]);
    return [...entries].filter(
      (entry) => entry !== undefined && this.imagesOf(entry.record).includes(id),
    ) as PostEntry[];
  }

  #shownImages(): ShownImages {
    if (this.#shown?.revision !== this.#revision) {
      const byAny = new Set<number>();
      const byPublic = new Set<number>();
      for (const entry of this.#entries())
        for (const id of this.imagesOf(entry.record)) {
          byAny.add(id);
          if (isPublic(entry)) byPublic.add(id);
        }
      this.#shown = { revision: this.#revision, byAny, byPublic };
    }
    return this.#shown;
  }

  #entries(): PostEntry[] {
    return Object.values(this.posts).flatMap((set): PostEntry[] => [...set.values()]);
  }

  imageWithUrl(url: string): ImageRecord | undefined {
    const id = this.#imageIds.get(url);
    return id === undefined ? undefined : this.#images.get(id);
  }

  author(id: number): AuthorRecord | undefined {
    return this.#authors.get(id);
  }

  authors(): AuthorRecord[] {
    return [...this.#authors.values()];
  }

  /** Id of a user as an author; undefined before the user's first write. */
  authorOf(subject: string): number | undefined {
    return this.#authorIds.get(subject);
  }

  /** The live venues or organizers that links lead to, in their order. */
  linked<K extends LinkedKind>(
    kind: K,
    links: readonly Link[] | undefined,
  ): EntryOf<Extract<AnyPost, { kind: K }>>[] {
    if (links === undefined) return [];
    const set = this.posts[kind] as unknown as PostSet<Extract<AnyPost, { kind: K }>>;
    return links.map((link) => entryAt(set, link)).filter((entry) => entry !== undefined);
  }

  #put(kind: Kind, id: number, record: CalendarRecord | undefined, version: number): void {
    if (kind === 'image') this.#putImage(id, record as ImageRecord | undefined);
    else if (kind === 'author')
      upsertUnique(this.#authors, this.#authorIds, id, record as AuthorRecord | undefined, 'subject');
    else if (kind === 'category' || kind === 'tag')
      this.terms.put(id, record?.kind === kind ? record : undefined, version);
    else if (kind === 'series') this.series.put(id, record as SeriesRecord | undefined, version);
    // A later version may have kinds that this one does not know.
    else if (kind in this.posts) this.#putPost(kind, id, record as AnyPost | undefined, version);
  }

  /** Puts an image. The posts that show it, or name it in their texts, become new entries, since their texts are cached by entry. */
  #putImage(id: number, record: ImageRecord | undefined): void {
    const isChanged = this.#images.has(id);
    upsertUnique(this.#images, this.#imageIds, id, record, 'url');
    // Texts may name an image before it is there.
    for (const { kind, id: post } of this.#textPictures.of(id)) {
      const entry = this.posts[kind].get(post);
      if (entry !== undefined) this.#putPost(kind, post, entry.record, entry.version);
    }
    if (!isChanged) return;
    for (const set of Object.values(this.posts)) {
      const entries = [...set.values()].filter((entry) => entry.record.image === id);
      for (const entry of entries)
        this.#putPost(entry.record.kind, entry.record.id, entry.record, entry.version);
    }
  }

  #putPost(kind: PostKind, id: number, record: AnyPost | undefined, version: number): void {
    const set = this.posts[kind] as PostSet<AnyPost>;
    const entry = record && entryOf(record, version, this.#now());
    const previous = set.put(id, entry);
    this.#textPictures.replace(previous?.record, entry?.record);
    if (previous !== undefined) {
      this.#scheduled.delete(previous);
      this.#publishedByClock.delete(previous);
    }
    if (entry !== undefined && entry.status !== record?.status) this.#publishedByClock.add(entry);
    if (entry?.status === 'future') {
      this.#scheduled.add(entry);
      this.#nextDue = Math.min(this.#nextDue, entry.published);
    }
    if (kind === 'event')
      this.#replaceEvent(previous as EventEntry | undefined, entry as EventEntry | undefined);
  }

  #replaceEvent(before: EventEntry | undefined, after: EventEntry | undefined): void {
    this.events.replace(before, after);
    if (before !== undefined) this.#count(before, -1);
    if (after !== undefined) this.#count(after, 1);
  }

  #count({ status, record }: EventEntry, difference: 1 | -1): void {
    if (status !== 'publish') return;
    this.terms.count(record.categories, difference);
    this.terms.count(record.tags, difference);
  }
}

function entryAt<R extends VenueRecord | OrganizerRecord>(
  set: PostSet<R>,
  link: Link,
): EntryOf<R> | undefined {
  const entry = set.get(linkedId(link));
  const generation = typeof link === 'number' ? 0 : link[1];
  if (entry === undefined || entry.status === 'trash') return undefined;
  return (entry.record.generation ?? 0) === generation ? entry : undefined;
}
