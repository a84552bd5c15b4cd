/** A calendar: one method for each operation, on a replica that its log keeps up to date. */

import { onThread } from '../rests.ts';
import { compute } from '../telemetry/trace.ts';
import type { Freshness, Log, TakeId } from './log/log.ts';
import type { CalendarRequest } from './model/context.ts';
import type { AnyPost, TermRecord } from './model/records.ts';
import { mayWrite } from './model/rights.ts';
import type { Site } from './model/site.ts';
import { loadSanitizer } from './model/text/html.ts';
import type { ListedKind, PasswordHash } from './model/values.ts';
import { EventPasswords } from './passwords.ts';
import { PageCache } from './read/caches.ts';
import type { Feed, Item, ReadContext, ReadResult } from './read/context.ts';
import { EventTexts } from './read/event-texts.ts';
import { readPost, readTerm } from './read/items.ts';
import { listRecords } from './read/lists.ts';
import type { Listing } from './read/page.ts';
import { createRenderers } from './read/views/renderer.ts';
import type { RecordRef, ReplicaContext } from './replica/find.ts';
import { Interrupted, Pace, ReadTurns } from './replica/pace.ts';
import { CalendarReplica, type Clock, systemClock } from './replica/replica.ts';
import { createPost, trashPost, updatePost } from './write/posts.ts';
import { createTerm, deleteTerm, updateTerm } from './write/terms.ts';
import { rehearse, Write } from './write/write.ts';
import { createWriteTurns, maxWait } from './write/write-turns.ts';

type Decide = (write: Write) => AnyPost | TermRecord;

/** What is done with one record, by its kind. */
interface Operations {
  read(kind: ListedKind, ref: RecordRef, context: ReadContext): Item;
  create(write: Write, kind: ListedKind, hash?: PasswordHash): AnyPost | TermRecord;
  update(write: Write, kind: ListedKind, ref: RecordRef, hash?: PasswordHash): AnyPost | TermRecord;
  delete(write: Write, kind: ListedKind, ref: RecordRef): AnyPost | TermRecord;
}

const posts: Operations = { read: readPost, create: createPost, update: updatePost, delete: trashPost };
const terms: Operations = { read: readTerm, create: createTerm, update: updateTerm, delete: deleteTerm };
const operations = { event: posts, venue: posts, organizer: posts, category: terms, tag: terms };

interface CalendarOptions {
  readonly site: Site;
  /** Opens the log that feeds the replica; called on first use. */
  readonly openLog: (replica: CalendarReplica) => Log;
  readonly clock?: Clock;
  /** Milliseconds for which a read works without a pause. */
  readonly slice?: number;
}

export class Calendar {
  readonly #options: CalendarOptions;
  readonly #clock: Clock;
  readonly #replica: CalendarReplica;
  readonly #renderer: ReturnType<typeof createRenderers>;
  readonly #caches: Pick<ReadContext, 'texts' | 'pages'>;
  readonly #passwords = new EventPasswords();
  readonly #turns = createWriteTurns();
  readonly #readTurns = new ReadTurns();
  #log: Log | undefined;

  constructor(options: CalendarOptions) {
    const { clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.#replica = new CalendarReplica(clock);
    this.#caches = { texts: new EventTexts(this.#replica.events), pages: new PageCache() };
    this.#renderer = createRenderers(this.#replica);
  }

  list(kind: ListedKind, request: CalendarRequest): Promise<ReadResult<Listing>> {
    return this.#read(request, (context) => listRecords(kind, context));
  }

  /** Lists events as an iCalendar feed. */
  async feed(request: CalendarRequest): Promise<ReadResult<Feed>> {
    return this.#read(request, (await import('./read/views/icalendar.ts')).eventFeed);
  }

  /** Reads one event as iCalendar. */
  async file(ref: RecordRef, request: CalendarRequest): Promise<ReadResult<string>> {
    const { eventFile } = await import('./read/views/icalendar.ts');
    return this.#read(request, (context) => eventFile(ref, context));
  }

  read(kind: ListedKind, ref: RecordRef, request: CalendarRequest): Promise<ReadResult<Item>> {
    return this.#read(request, (context) => operations[kind].read(kind, ref, context));
  }

  async create(kind: ListedKind, request: CalendarRequest): Promise<Item> {
    const hash = await this.#passwordHash(kind, request);
    return this.#write(kind, request, (write) => operations[kind].create(write, kind, hash));
  }

  async update(kind: ListedKind, ref: RecordRef, request: CalendarRequest): Promise<Item> {
    const hash = await this.#passwordHash(kind, request);
    return this.#write(kind, request, (write) => operations[kind].update(write, kind, ref, hash));
  }

  /** Moves an event, venue or organizer to the trash; deletes a category or tag for good. Resolves with the record, a term as it was. */
  delete(kind: ListedKind, ref: RecordRef, request: CalendarRequest): Promise<Item> {
    return this.#write(kind, request, (write) => operations[kind].delete(write, kind, ref));
  }

  /** Returns the number under which a person's records name them; undefined before their first write. */
  authorOf(subject: string): Promise<number | undefined> {
    return this.freshness().then(() => this.#replica.authorOf(subject));
  }

  /** Brings the replica up to date, and returns how fresh it is. Throws when the tables cannot be reached and nothing may be answered from memory. */
  freshness(): Promise<Freshness> {
    return this.#opened().read();
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

  /** Queries an up-to-date replica. `query` is synchronous, and may be called more than once: a password takes time to verify, and long work is done in slices. */
  async #read<T>(request: CalendarRequest, query: (context: ReadContext) => T): Promise<ReadResult<T>> {
    const pace = new Pace(this.#options.slice);
    const { offThread = onThread } = request;
    const caller = request.caller.subject ?? '';
    for (let goesOn = false; ; goesOn = true) {
      const freshness = await this.freshness();
      const attempt = this.#passwords.attempt(request.parameters['password'], caller);
      try {
        const slice = () => query(this.#readContext(request, pace.begin(), attempt.isUnlocked));
        const value = await this.#readTurns.run(caller, goesOn, () => compute('render', 'read', slice));
        if (attempt.isCertain()) return { value, freshness };
      } catch (error) {
        if (!(error instanceof Interrupted) && attempt.isCertain()) throw error;
      }
      if (!attempt.isCertain()) await offThread(attempt.prepare);
    }
  }

  /** Decides a write against an up-to-date replica, commits it, and renders the record from the replica that has it. Those without the role never wait for a turn. */
  async #write(kind: ListedKind, request: CalendarRequest, decide: Decide): Promise<Item> {
    await loadSanitizer();
    const begin = (takeId: TakeId) => new Write(this.#context(request), takeId);
    if (!mayWrite(request.caller, kind)) await this.freshness().then(() => decide(begin(() => 0)));
    rehearse(request, (takeId) => decide(begin(takeId)));
    const record = await this.#turns.run([request.caller.subject ?? ''], maxWait, () =>
      this.#opened().write((takeId) => {
        const write = begin(takeId);
        return write.decision(decide(write));
      }),
    );
    const context = this.#context(request);
    return this.#renderer(context).item(record, { caller: context.caller, isUnlocked: () => true });
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

  #readContext(request: CalendarRequest, pace: Pace, isUnlocked: ReadContext['isUnlocked']): ReadContext {
    const context = this.#context(request);
    return { ...context, ...this.#caches, renderer: this.#renderer(context), pace, isUnlocked };
  }

  /** Hashes the event password that was sent, where the caller may set one. */
  async #passwordHash(kind: ListedKind, request: CalendarRequest): Promise<PasswordHash | undefined> {
    const { access_password: password } = request.parameters;
    if (kind !== 'event' || !mayWrite(request.caller, kind)) return undefined;
    return typeof password === 'string' && password !== ''
      ? this.hashPassword(password, request.caller.subject)
      : undefined;
  }
}
