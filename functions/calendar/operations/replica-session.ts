/** The replica of a calendar with the log and the clock that keep it up to date: how every operation reads and writes. */

import { CodedError } from '../../../shared/errors.ts';
import { FairQueue } from '../../../shared/limits/fair-queue.ts';
import { compute } from '../../../shared/telemetry/trace.ts';
import type { Decision, DraftRows, Freshness, Log, Progress, RecordHistory, TakeId } from '../log/log.ts';
import type { CalendarRequest } from '../model/calendar-context.ts';
import type { Site } from '../model/site.ts';
import { loadSanitizer } from '../model/text/html.ts';
import type { PasswordHash } from '../model/values.ts';
import { PageCache } from '../read/page-cache.ts';
import { EventPasswords, type PasswordAttempt } from '../read/passwords.ts';
import type { ReadContext, ReadResult } from '../read/read-context.ts';
import { RenderedInTurns, TurnIsOver } from '../read/rendered-in-turns.ts';
import { createRenderers } from '../read/views/renderer.ts';
import type { ReplicaContext } from '../replica/find.ts';
import { CalendarReplica, type Clock, systemClock } from '../replica/replica.ts';
import { EventSearch } from '../search/event-search.ts';
import { CreationsUnderWay } from '../write/idempotency.ts';
import { Write } from '../write/write.ts';

/** Reads that wait, at most, and milliseconds for which one waits. */
const maxQueuedReads = 500;
const readTimeoutMs = 5_000;

/**
 * Milliseconds after which a read in several turns is given up: whoever asked may have hung up, and the host replaces a worker whose
 * function does not end. What it has rendered is cached, so that the next one goes on.
 */
const defaultReadWorkMs = 20_000;

export interface SessionOptions {
  readonly site: Site;
  /** Opens the log that feeds the replica; called on first use. */
  readonly openLog: (replica: CalendarReplica) => Log;
  /** Milliseconds for which reads of callers who may not write share what one of them has found. Default 0. */
  readonly readStalenessMs?: number;
  /** Days after their last change for which names of authors are kept. Default 0: none are. */
  readonly authorNameDays?: number;
  readonly clock?: Clock;
  /** Milliseconds that a read may take in all its turns. Default 20,000. */
  readonly readWorkMs?: number;
}

/** What a committed write has answered, and what it did otherwise than it was asked. */
export interface Committed<T> extends Pick<Write, 'adjusted' | 'isReplayed'> {
  readonly result: T;
}

export class ReplicaSession {
  readonly replica: CalendarReplica;
  readonly creations = new CreationsUnderWay();
  readonly #options: SessionOptions;
  readonly #clock: Clock;
  readonly #rendererFor: ReturnType<typeof createRenderers>;
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
  #log: Log | undefined;
  #isIndexed = false;
  #afterReads = () => {};
  #reachedAt = 0;

  constructor(options: SessionOptions) {
    const { clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.replica = new CalendarReplica(clock);
    this.#caches = { search: new EventSearch(this.replica.events), pages: new PageCache() };
    this.#rendererFor = createRenderers(this.replica);
  }

  /** Brings the replica up to date, and returns how fresh it is. Throws when the tables cannot be reached and nothing may be answered from memory. */
  async freshness(maxAgeMs?: number): Promise<Freshness> {
    const freshness = await this.#opened().read(maxAgeMs);
    if (!freshness.stale) this.#reachedAt = Date.now();
    return freshness;
  }

  /** When the tables were last reached, in milliseconds since 1970; 0 for never. */
  get reachedAt(): number {
    return this.#reachedAt;
  }

  /** Has something looked at whenever the replica is up to date for a read: it returns at once. */
  afterReads(look: () => void): void {
    this.#afterReads = look;
  }

  /** Returns the present instant, in seconds. */
  now(): number {
    return this.#clock();
  }

  /** Returns how far the replica is, without asking the tables. */
  progress(): Progress {
    return this.#opened().progress();
  }

  /** Returns how many milliseconds old the state may be that a caller reads: 0 for those who may write, since they look for what they wrote through any process. */
  stalenessFor({ caller }: Pick<CalendarRequest, 'caller'>): number {
    return caller.role === 'reader' ? (this.#options.readStalenessMs ?? 0) : 0;
  }

  /** Returns the context of a request on the replica as it is now. */
  context(request: CalendarRequest): ReplicaContext {
    this.replica.publishDue();
    const { caller, siteUrl = '' } = request;
    const { site } = this.#options;
    const author = caller.subject === undefined ? undefined : this.replica.authorOf(caller.subject);
    return {
      ...request,
      caller: { ...caller, ...(author === undefined ? {} : { author }) },
      replica: this.replica,
      site: site.url === '' ? { ...site, url: siteUrl } : site,
      now: this.#clock(),
      authorNameDays: this.#options.authorNameDays ?? 0,
    };
  }

  /** The drafts of next versions; undefined where none are kept. */
  get drafts(): DraftRows | undefined {
    return this.#opened().drafts;
  }

  /** The earlier versions of records; undefined where none are kept. */
  get history(): RecordHistory | undefined {
    return this.#opened().history;
  }

  /**
   * Queries a replica that is up to date, or at most `maxAgeMs` milliseconds old; unless told, as old as the caller may see. `query` is
   * synchronous, and runs again once the key of a password is derived, and in as many turns of the event loop as its texts need.
   */
  async read<T>(
    request: CalendarRequest,
    query: (context: ReadContext) => T,
    maxAgeMs = this.stalenessFor(request),
  ): Promise<ReadResult<T>> {
    const turns = new RenderedInTurns();
    const endsAt = performance.now() + (this.#options.readWorkMs ?? defaultReadWorkMs);
    let freshness: Freshness | undefined;
    for (;;) {
      freshness ??= await this.freshness(maxAgeMs);
      this.#indexOnce();
      if (!freshness.stale) this.#afterReads();
      const attempt = this.#passwords.attempt(request.parameters['password'], callerKeyOf(request));
      try {
        const answer = await this.#query(request, attempt, turns, query);
        if (answer !== undefined && attempt.isCertain()) return { value: answer.value, freshness };
      } catch (error) {
        if (error instanceof TurnIsOver) {
          if (performance.now() < endsAt) continue;
          throw new CodedError('overloaded', 'Cannot read the calendar: it takes too long at the moment.', {
            retryAfter: 5,
          });
        }
        if (attempt.isCertain()) throw error;
      }
      freshness = undefined;
      await attempt.prepare();
    }
  }

  /**
   * Decides a write on an up-to-date replica, again where another process was faster, and commits it; the replica has it then. Where the
   * role of the caller does not allow it, the decision refuses before the queue of writes.
   */
  async commit<T>(
    request: CalendarRequest,
    mayWrite: boolean,
    decide: (write: Write) => T,
  ): Promise<Committed<T>> {
    await loadSanitizer();
    if (!mayWrite) {
      await this.freshness();
      decide(new Write(this.context(request), () => 0));
    }
    const decision = (takeId: TakeId): Decision<Committed<T>> => {
      const write = new Write(this.context(request), takeId);
      const result = decide(write);
      if (write.changesPosts)
        write.noteChange(write.context.caller.subject === undefined ? undefined : write.author());
      return write.decision({ result, adjusted: write.adjusted, isReplayed: write.isReplayed });
    };
    return this.#opened().write(decision, callerKeyOf(request));
  }

  /** Commits a write that creates a record. Throws `idempotency-key-in-use` while an earlier one with the same key is under way. */
  create<T>(
    kind: string,
    request: CalendarRequest,
    mayWrite: boolean,
    decide: (write: Write) => T,
  ): Promise<Committed<T>> {
    return this.creations.run(kind, request, () => this.commit(request, mayWrite, decide));
  }

  /** Returns the replica as it is now for what answers a write. Passwords unlock nothing there. */
  presentState(request: CalendarRequest): ReadContext {
    return this.#readContext(request, ({ record }) => !('access_password' in record), new RenderedInTurns());
  }

  /** Returns the hash of a password for an event, with the salt that the calendar's passwords share. */
  async hashPassword(password: string, request: Pick<CalendarRequest, 'callerKey'>): Promise<PasswordHash> {
    await this.freshness();
    const hashes = Array.from(this.replica.posts.event.values(), ({ record }) => record.access_password);
    const shared = hashes.find((hash) => hash !== undefined)?.shared_salt;
    return this.#passwords.hash(password, shared, callerKeyOf(request));
  }

  /** Ends what waits for the store. */
  close(): void {
    this.#log?.close();
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
    turns: RenderedInTurns,
    query: (context: ReadContext) => T,
  ): Promise<{ readonly value: T } | undefined> {
    return this.#reads.run([callerKeyOf(request)], async () => {
      if (!this.progress().isWhole) return undefined;
      turns.begin();
      return { value: compute('render', 'read', () => query(this.#readContext(request, isUnlocked, turns))) };
    });
  }

  #readContext(
    request: CalendarRequest,
    isUnlocked: ReadContext['isUnlocked'],
    turns: RenderedInTurns,
  ): ReadContext {
    const context = this.context(request);
    const changedAt = this.#log?.changedAt?.();
    return {
      ...context,
      ...this.#caches,
      renderer: this.#rendererFor(context),
      isUnlocked,
      changedAt,
      turns,
    };
  }

  #opened(): Log {
    this.#log ??= this.#options.openLog(this.replica);
    return this.#log;
  }
}

function callerKeyOf({ callerKey = '' }: Pick<CalendarRequest, 'callerKey'>): string {
  return callerKey;
}
