/** A calendar: one method for each operation, on a replica that its log keeps up to date. */

import type { Freshness, Progress } from '../log/log.ts';
import type { CalendarRequest } from '../model/calendar-context.ts';
import type { Views } from '../model/fields/views.ts';
import type { AnyPost, TermRecord } from '../model/records.ts';
import { mayWrite } from '../model/rights.ts';
import { isTermKind, type ListedKind, type PasswordHash, type PostKind } from '../model/values.ts';
import { noPictures, type PictureStore } from '../pictures/picture-store.ts';
import { type Choices, choices } from '../read/choices.ts';
import { authorName, type HistoryAuthor } from '../read/history.ts';
import { readPost, readTerm, replayedItem, viewPost, writtenItem } from '../read/items.ts';
import type { Listing } from '../read/listing.ts';
import { listRecords, listViews } from '../read/lists.ts';
import type { Page } from '../read/page.ts';
import { type PageAsked, pagePlace } from '../read/page-places.ts';
import type { EventFile, Feed, Item, ReadResult } from '../read/read-context.ts';
import type { RecordRef } from '../replica/find.ts';
import { createPost, restorePost, trashPost, untrashPost, updatePost } from '../write/posts.ts';
import { createTerm, deleteTerm, updateTerm } from '../write/terms.ts';
import { ChangeFeed } from './change-feed.ts';
import { NextVersions } from './next-versions.ts';
import { PictureLibrary } from './picture-library.ts';
import { RecordHistories } from './record-history.ts';
import { type Committed, ReplicaSession, type SessionOptions } from './replica-session.ts';
import { SeriesCollection } from './series-collection.ts';

/** A record that was written. */
export type WrittenItem = Item & Omit<Committed<unknown>, 'result'>;

interface CalendarOptions extends SessionOptions {
  /** Where the bytes of pictures lie. Default: pictures cannot be stored. */
  readonly pictures?: PictureStore;
  /** Callers that wait for changes, at most. Default 50. */
  readonly maxWaiting?: number;
}

export class Calendar {
  readonly #session: ReplicaSession;
  /** The uploaded pictures. */
  readonly pictures: PictureLibrary;
  /** The change feed. */
  readonly changes: ChangeFeed;
  /** The series of events. */
  readonly series: SeriesCollection;
  /** The earlier versions of events, venues and organizers. */
  readonly histories: RecordHistories;
  /** Drafts of the next versions of events, venues and organizers. */
  readonly nextVersions: NextVersions;

  constructor({ pictures = noPictures, maxWaiting = 50, ...options }: CalendarOptions) {
    this.#session = new ReplicaSession(options);
    this.pictures = new PictureLibrary(pictures, this.#session);
    this.changes = new ChangeFeed(this.#session, maxWaiting);
    this.series = new SeriesCollection(this.#session, (request) => this.#passwordHash('event', request));
    this.histories = new RecordHistories(this.#session);
    this.nextVersions = new NextVersions(this.#session, this.series);
  }

  list(kind: ListedKind, request: CalendarRequest): Promise<ReadResult<Listing>> {
    return this.#session.read(request, (context) => listRecords(kind, context));
  }

  /** Returns a page of a list as values, for who shows it otherwise than as a reply. */
  listViews<K extends ListedKind>(kind: K, request: CalendarRequest): Promise<ReadResult<Page<Views[K]>>> {
    return this.#session.read(request, (context) => listViews(kind, context));
  }

  /** Returns the path of the page that an address names; undefined where there is none that everybody may open. */
  pagePlace(asked: PageAsked, request: CalendarRequest): Promise<ReadResult<string | undefined>> {
    return this.#session.read(request, (context) => pagePlace(asked, context));
  }

  /** Returns what events can be filtered by: the names of venues, organizers and tags. */
  choices(request: CalendarRequest): Promise<ReadResult<Choices>> {
    return this.#session.read(request, choices);
  }

  /** Lists events as an iCalendar feed. */
  async feed(request: CalendarRequest): Promise<ReadResult<Feed>> {
    return this.#session.read(request, (await import('../read/views/icalendar.ts')).eventFeed);
  }

  /** Reads one event as iCalendar. */
  async file(ref: RecordRef, request: CalendarRequest): Promise<ReadResult<EventFile>> {
    const { eventFile } = await import('../read/views/icalendar.ts');
    return this.#session.read(request, (context) => eventFile(ref, context));
  }

  read(kind: ListedKind, ref: RecordRef, request: CalendarRequest): Promise<ReadResult<Item>> {
    return this.#session.read(request, (context) =>
      isTermKind(kind) ? readTerm(kind, ref, context) : readPost(kind, ref, context),
    );
  }

  /** Reads an event, venue or organizer as a value. */
  view<K extends PostKind>(kind: K, ref: RecordRef, request: CalendarRequest): Promise<ReadResult<Views[K]>> {
    return this.#session.read(request, (context) => viewPost(kind, ref, context));
  }

  async create(kind: ListedKind, request: CalendarRequest): Promise<WrittenItem> {
    const isAllowed = mayWrite(request.caller, kind);
    const passwordHash = await this.#passwordHash(kind, request);
    const committed = await this.#session.create(kind, request, isAllowed, (write) =>
      isTermKind(kind) ? createTerm(write, kind) : createPost(write, kind, passwordHash),
    );
    return this.#answer(request, committed);
  }

  async update(kind: ListedKind, ref: RecordRef, request: CalendarRequest): Promise<WrittenItem> {
    const passwordHash = await this.#passwordHash(kind, request);
    const committed = await this.#session.commit(request, mayWrite(request.caller, kind), (write) =>
      isTermKind(kind) ? updateTerm(write, kind, ref) : updatePost(write, kind, ref, passwordHash),
    );
    this.histories.sweepDaily();
    return this.#answer(request, committed);
  }

  /**
   * Moves an event, venue or organizer to the trash, or deletes a category or tag permanently. Resolves with the record; for a term, with
   * its last state.
   */
  async delete(kind: ListedKind, ref: RecordRef, request: CalendarRequest): Promise<WrittenItem> {
    const committed = await this.#session.commit(request, mayWrite(request.caller, kind), (write) =>
      isTermKind(kind) ? deleteTerm(write, kind, ref) : trashPost(write, kind, ref),
    );
    return this.#answer(request, committed);
  }

  /** Puts an event, venue or organizer back from the trash. */
  async untrash(kind: PostKind, ref: RecordRef, request: CalendarRequest): Promise<WrittenItem> {
    const committed = await this.#session.commit(request, mayWrite(request.caller, kind), (write) =>
      untrashPost(write, kind, ref),
    );
    return this.#answer(request, committed);
  }

  /** Gives an event, venue or organizer the content of an earlier version. */
  async restore(
    kind: PostKind,
    ref: RecordRef,
    version: number,
    request: CalendarRequest,
  ): Promise<WrittenItem> {
    const past = await this.histories.version(kind, ref, version, request);
    const committed = await this.#session.commit(request, mayWrite(request.caller, kind), (write) =>
      restorePost(write, kind, ref, past),
    );
    return this.#answer(request, committed);
  }

  /** Publishes the draft of the next version of an event, venue or organizer. */
  async publishDraft(
    kind: PostKind,
    ref: RecordRef,
    resolve: 'mine' | 'theirs' | undefined,
    request: CalendarRequest,
  ): Promise<WrittenItem> {
    return this.#answer(request, await this.nextVersions.publish(kind, ref, resolve, request));
  }

  /** Returns the number under which records name the caller, also before their first write; undefined for a caller without the right to write. */
  async authorOf(request: CalendarRequest): Promise<number | undefined> {
    await this.freshness();
    const { author } = this.#session.context(request).caller;
    if (author !== undefined || !mayWrite(request.caller, 'event')) return author;
    return (await this.#session.commit(request, true, (write) => write.author())).result;
  }

  /** Returns who has written to the calendar, with the names that are told still. */
  async authors(request: CalendarRequest): Promise<readonly HistoryAuthor[]> {
    await this.freshness();
    const context = this.#session.context(request);
    return context.replica.authors().map(({ id }) => {
      const name = authorName(id, context);
      return { id, ...(name === undefined ? {} : { name }) };
    });
  }

  /** Checks whether a number is one under which records name a user. */
  async hasAuthor(id: number): Promise<boolean> {
    await this.freshness();
    return this.#session.replica.author(id) !== undefined;
  }

  /**
   * Brings the replica up to date, for a caller as far as they may ask for, and returns how fresh it is. Throws when the tables cannot be
   * reached and nothing may be answered from memory.
   */
  freshness(request?: Pick<CalendarRequest, 'caller'>): Promise<Freshness> {
    return this.#session.freshness(request && this.#session.stalenessFor(request));
  }

  /** Returns when the tables were last reached, in milliseconds since 1970; 0 for never. */
  reachedAt(): number {
    return this.#session.reachedAt;
  }

  /** Returns how far the replica is, without asking the tables. */
  progress(): Progress {
    return this.#session.progress();
  }

  /** Ends what waits for the store. */
  close(): void {
    this.#session.close();
  }

  /** Shows a record that was written, or that an earlier request has created, from the replica that has it. */
  #answer(
    request: CalendarRequest,
    { result: record, adjusted, isReplayed }: Committed<AnyPost | TermRecord>,
  ): WrittenItem {
    const context = this.#session.presentState(request);
    const item = isReplayed ? replayedItem(record, context) : writtenItem(record, context);
    return { ...item, adjusted, isReplayed };
  }

  /** Hashes the event password that was sent, where the caller may set one. */
  async #passwordHash(kind: ListedKind, request: CalendarRequest): Promise<PasswordHash | undefined> {
    const { access_password: password } = request.parameters;
    if (kind !== 'event' || !mayWrite(request.caller, kind)) return undefined;
    return typeof password === 'string' && password !== ''
      ? this.#session.hashPassword(password, request)
      : undefined;
  }
}
