/** A calendar: one method for each operation, on a replica that its log keeps up to date. */

import { CodedError } from '../../../shared/errors.ts';
import { FairQueue } from '../../../shared/limits/fair-queue.ts';
import { compute } from '../../../shared/telemetry/trace.ts';
import type { Decision, Freshness, Log, Progress, TakeId } from '../log/log.ts';
import type { CalendarRequest } from '../model/calendar-context.ts';
import type { AnyPost, TermRecord } from '../model/records.ts';
import { mayWrite } from '../model/rights.ts';
import type { Site } from '../model/site.ts';
import { loadSanitizer } from '../model/text/html.ts';
import { isTermKind, type ListedKind, type PasswordHash } from '../model/values.ts';
import { noPictures, type PictureStore } from '../pictures/picture-store.ts';
import { readPost, readTerm } from '../read/items.ts';
import type { Listing } from '../read/listing.ts';
import { listRecords } from '../read/lists.ts';
import { PageCache } from '../read/page-cache.ts';
import { EventPasswords, type PasswordAttempt } from '../read/passwords.ts';
import type { Feed, Item, ReadContext, ReadResult } from '../read/read-context.ts';
import { createRenderers } from '../read/views/renderer.ts';
import type { RecordRef, ReplicaContext } from '../replica/find.ts';
import { CalendarReplica, type Clock, systemClock } from '../replica/replica.ts';
import { EventSearch } from '../search/event-search.ts';
import { createPost, trashPost, updatePost } from '../write/posts.ts';
import { createTerm, deleteTerm, updateTerm } from '../write/terms.ts';
import { Write } from '../write/write.ts';
import { ChangeFeed } from './change-feed.ts';
import { PictureLibrary } from './picture-library.ts';

/** Reads that wait, at most, and milliseconds for which one waits. */
const maxQueuedReads = 500;
const readTimeoutMs = 5_000;

/** A record that was written. */
export interface WrittenItem extends Item, Pick<Write, 'adjusted' | 'isReplayed'> {}

interface CalendarOptions {
  readonly site: Site;
  /** Opens the log that feeds the replica; called on first use. */
  readonly openLog: (replica: CalendarReplica) => Log;
  /** Where the bytes of pictures lie. Default: pictures cannot be stored. */
  readonly pictures?: PictureStore;
  /** Milliseconds for which reads of callers who may not write share what one of them has found. Default 0. */
  readonly readStalenessMs?: number;
  /** Callers that wait for changes, at most. Default 50. */
  readonly maxWaiting?: number;
  readonly clock?: Clock;
}

export class Calendar {
  readonly #options: CalendarOptions;
  readonly #clock: Clock;
  readonly #replica: CalendarReplica;
  readonly #renderer: ReturnType<typeof createRenderers>;
  readonly #caches: Pick<ReadContext, 'search' | 'pages'>;
  readonly #passwords = new EventPasswords();
  /** Reads wait for the same freshness together; each then runs in another turn of the event loop. */
  readonly #reads = new FairQueue({
    name: 'wait to read',
    perTurn: true,
    maxQueued: maxQueuedReads,
    timeoutMs: readTimeoutMs,
    rejection: () =>
      new CodedError('overloaded', 'Cannot read the calendar: too many reads are queued.', { retryAfter: 1 }),
  });
  /** The uploaded pictures. */
  readonly pictures: PictureLibrary;
  /** The change feed. */
  readonly changes: ChangeFeed;
  #log: Log | undefined;
  #isIndexed = false;

  constructor(options: CalendarOptions) {
    const { clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.#replica = new CalendarReplica(clock);
    this.#caches = { search: new EventSearch(this.#replica.events), pages: new PageCache() };
    this.#renderer = createRenderers(this.#replica);
    const parts = {
      replica: this.#replica,
      freshness: () => this.freshness(),
      contextOf: (request: CalendarRequest) => this.#context(request),
      read: <T>(request: CalendarRequest, query: (context: ReadContext) => T) => this.#read(request, query),
      readLatest: <T>(request: CalendarRequest, query: (context: ReadContext) => T) =>
        this.#read(request, query, 0),
      stalenessFor: (request: CalendarRequest) => this.#stalenessFor(request),
      commit: <T>(request: CalendarRequest, decide: (write: Write) => T) => this.#commit(request, decide),
    };
    this.pictures = new PictureLibrary(options.pictures ?? noPictures, parts);
    this.changes = new ChangeFeed(parts, options.maxWaiting ?? 50);
  }

  list(kind: ListedKind, request: CalendarRequest): Promise<ReadResult<Listing>> {
    return this.#read(request, (context) => listRecords(kind, context));
  }

  /** Lists events as an iCalendar feed. */
  async feed(request: CalendarRequest): Promise<ReadResult<Feed>> {
    return this.#read(request, (await import('../read/views/icalendar.ts')).eventFeed);
  }

  /** Reads one event as iCalendar. */
  async file(ref: RecordRef, request: CalendarRequest): Promise<ReadResult<string>> {
    const { eventFile } = await import('../read/views/icalendar.ts');
    return this.#read(request, (context) => eventFile(ref, context));
  }

  read(kind: ListedKind, ref: RecordRef, request: CalendarRequest): Promise<ReadResult<Item>> {
    return this.#read(request, (context) =>
      isTermKind(kind) ? readTerm(kind, ref, context) : readPost(kind, ref, context),
    );
  }

  async create(kind: ListedKind, request: CalendarRequest): Promise<WrittenItem> {
    const passwordHash = await this.#passwordHash(kind, request);
    return this.#write(kind, request, (write) =>
      isTermKind(kind) ? createTerm(write, kind) : createPost(write, kind, passwordHash),
    );
  }

  async update(kind: ListedKind, ref: RecordRef, request: CalendarRequest): Promise<WrittenItem> {
    const passwordHash = await this.#passwordHash(kind, request);
    return this.#write(kind, request, (write) =>
      isTermKind(kind) ? updateTerm(write, kind, ref) : updatePost(write, kind, ref, passwordHash),
    );
  }

  /**
   * Moves an event, venue or organizer to the trash, or deletes a category or tag permanently. Resolves with the record; for a term, with
   * its last state.
   */
  delete(kind: ListedKind, ref: RecordRef, request: CalendarRequest): Promise<WrittenItem> {
    return this.#write(kind, request, (write) =>
      isTermKind(kind) ? deleteTerm(write, kind, ref) : trashPost(write, kind, ref),
    );
  }

  /** Returns the number under which records name the caller, also before their first write; undefined for a caller without the right to write. */
  async authorOf(request: CalendarRequest): Promise<number | undefined> {
    await this.freshness();
    const { author } = this.#context(request).caller;
    if (author !== undefined || !mayWrite(request.caller, 'event')) return author;
    return this.#commit(request, (write) => write.author());
  }

  /** Checks whether a number is one under which records name a user. */
  async hasAuthor(id: number): Promise<boolean> {
    await this.freshness();
    return this.#replica.author(id) !== undefined;
  }

  /** Brings the replica up to date, and returns how fresh it is. Throws when the tables cannot be reached and nothing may be answered from memory. */
  freshness(): Promise<Freshness> {
    return this.#opened().read();
  }

  /** Returns how many milliseconds old the state may be that a caller reads: 0 for those who may write, since they look for what they wrote through any process. */
  #stalenessFor({ caller }: CalendarRequest): number {
    return caller.role === 'reader' ? (this.#options.readStalenessMs ?? 0) : 0;
  }

  /** Returns how far the replica is, without asking the tables. */
  progress(): Progress {
    return this.#opened().progress();
  }

  /** Returns the hash of a password for an event, with the salt that the calendar's passwords share. */
  async hashPassword(password: string, caller = ''): Promise<PasswordHash> {
    await this.freshness();
    const hashes = Array.from(this.#replica.posts.event.values(), ({ record }) => record.access_password);
    return this.#passwords.hash(password, hashes.find((hash) => hash !== undefined)?.shared_salt, caller);
  }

  /** Ends what waits for the store. */
  close(): void {
    this.#log?.close();
  }

  /** Queries an up-to-date replica. `query` is synchronous, and runs again once the key of a password is derived. */
  async #read<T>(
    request: CalendarRequest,
    query: (context: ReadContext) => T,
    maxAgeMs = this.#stalenessFor(request),
  ): Promise<ReadResult<T>> {
    for (;;) {
      const freshness = await this.#opened().read(maxAgeMs);
      this.#indexOnce();
      const attempt = this.#passwords.attempt(request.parameters['password'], callerKeyOf(request));
      try {
        const answer = await this.#query(request, attempt, query);
        if (answer === undefined) continue;
        if (attempt.isCertain()) return { value: answer.value, freshness };
      } catch (error) {
        if (attempt.isCertain()) throw error;
      }
      await attempt.prepare();
    }
  }

  /** Begins to index the texts of events once the calendar is loaded, so that no search has to. */
  #indexOnce(): void {
    if (this.#isIndexed) return;
    this.#isIndexed = true;
    this.#caches.search.indexInBackground();
  }

  /** Queries the replica in its turn of the event loop; undefined where the replica has begun to be loaded anew since it was up to date. */
  #query<T>(
    request: CalendarRequest,
    { isUnlocked }: PasswordAttempt,
    query: (context: ReadContext) => T,
  ): Promise<{ readonly value: T } | undefined> {
    return this.#reads.run([callerKeyOf(request)], async () => {
      if (!this.progress().isWhole) return undefined;
      return { value: compute('render', 'read', () => query(this.#readContext(request, isUnlocked))) };
    });
  }

  /** Decides a write against an up-to-date replica, commits it, and renders the record from the replica that has it. A caller without the role is rejected before the queue. */
  async #write(
    kind: ListedKind,
    request: CalendarRequest,
    decide: (write: Write) => AnyPost | TermRecord,
  ): Promise<WrittenItem> {
    await loadSanitizer();
    if (!mayWrite(request.caller, kind))
      await this.freshness().then(() => decide(new Write(this.#context(request), () => 0)));
    const { record, adjusted, isReplayed } = await this.#commit(request, (write) => {
      const record = decide(write);
      return { record, adjusted: write.adjusted, isReplayed: write.isReplayed };
    });
    const context = this.#context(request);
    const item = this.#renderer(context).item(record, { caller: context.caller, isUnlocked: () => true });
    return { ...item, adjusted, isReplayed };
  }

  /** Decides a write in its turn, perhaps several times, and commits it. */
  #commit<T>(request: CalendarRequest, decide: (write: Write) => T): Promise<T> {
    const decision = (takeId: TakeId): Decision<T> => {
      const write = new Write(this.#context(request), takeId);
      return write.decision(decide(write));
    };
    return this.#opened().write(decision, callerKeyOf(request));
  }

  #opened(): Log {
    this.#log ??= this.#options.openLog(this.#replica);
    return this.#log;
  }

  #context(request: CalendarRequest): ReplicaContext {
    this.#replica.publishDue();
    const { caller, siteUrl = '' } = request;
    const { site } = this.#options;
    const author = caller.subject === undefined ? undefined : this.#replica.authorOf(caller.subject);
    return {
      ...request,
      caller: { ...caller, ...(author === undefined ? {} : { author }) },
      replica: this.#replica,
      site: site.url === '' ? { ...site, url: siteUrl } : site,
      now: this.#clock(),
    };
  }

  #readContext(request: CalendarRequest, isUnlocked: ReadContext['isUnlocked']): ReadContext {
    const context = this.#context(request);
    return { ...context, ...this.#caches, renderer: this.#renderer(context), isUnlocked };
  }

  /** Hashes the event password that was sent, where the caller may set one. */
  async #passwordHash(kind: ListedKind, request: CalendarRequest): Promise<PasswordHash | undefined> {
    const { access_password: password } = request.parameters;
    if (kind !== 'event' || !mayWrite(request.caller, kind)) return undefined;
    return typeof password === 'string' && password !== ''
      ? this.hashPassword(password, callerKeyOf(request))
      : undefined;
  }
}

function callerKeyOf({ callerKey = '' }: CalendarRequest): string {
  return callerKey;
}
