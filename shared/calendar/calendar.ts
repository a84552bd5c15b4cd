/** A calendar: its log, the replica that the log feeds, and what is kept to answer fast. */

import { CodedError } from '../errors.ts';
import type { Freshness, Log } from './log/log.ts';
import type { Language, PasswordHash } from './model/records.ts';
import type { Caller } from './model/rights.ts';
import type { Site } from './model/site.ts';
import { loadSanitizer } from './model/text/sanitize.ts';
import type { Sent, Surroundings } from './parameters/parameter.ts';
import { EventPasswords } from './passwords.ts';
import { EventTexts } from './queries/event-texts.ts';
import { ResultCache } from './queries/result-cache.ts';
import { RecentMap } from './recent-map.ts';
import type { EventEntry } from './replica/entries.ts';
import { CalendarReplica, type Clock, systemClock } from './replica/replica.ts';
import { Renderer } from './views/renderer.ts';
import { Write } from './writes/write.ts';

/** Renderers kept: one for each address of the API and language. */
const keptRenderers = 12;

/** Events from which on a first load is followed by giving memory back. */
const largeCalendar = 20_000;

/** What a caller asks of the calendar. */
export interface CalendarRequest {
  readonly caller: Caller;
  /** Everything that was sent, by name. */
  readonly sent: Sent;
  /** Address of the API's root, for links. */
  readonly root: string;
  readonly language: Language | undefined;
  /** Entity tags of which one must name the record's present version, or `*`. */
  readonly ifMatch?: readonly string[] | '*' | undefined;
}

/** What an answer can be made from. */
export interface Desk {
  readonly surroundings: Surroundings;
  readonly renderer: Renderer;
  readonly texts: EventTexts;
  /** Records of lists, and pages of lists as text. */
  readonly results: ResultCache;
  readonly pages: ResultCache;
  /** Tells whether the password that was sent opens an event. */
  readonly isOpen: (entry: EventEntry) => boolean;
}

/** An answer, and the state of the replica that it was read from. */
export interface Answered<T> {
  readonly answer: T;
  readonly reading: Freshness;
}

interface CalendarOptions {
  readonly site: Site;
  /** Opens the log that feeds the replica; called on first use. */
  readonly openLog: (replica: CalendarReplica) => Log;
  readonly clock?: Clock;
}

export class Calendar {
  readonly #site: Site;
  readonly #clock: Clock;
  readonly #replica: CalendarReplica;
  readonly #openLog: (replica: CalendarReplica) => Log;
  readonly #renderers = new RecentMap<string, Renderer>(keptRenderers);
  readonly #texts = new EventTexts();
  readonly #results = new ResultCache();
  readonly #pages = new ResultCache();
  readonly #passwords = new EventPasswords();
  #log: Log | undefined;
  #isLoaded = false;

  constructor({ site, openLog, clock = systemClock }: CalendarOptions) {
    this.#site = site;
    this.#clock = clock;
    this.#openLog = openLog;
    this.#replica = new CalendarReplica(clock);
  }

  /** Answers from an up-to-date replica. `ask` is synchronous, and may be called more than once. */
  async read<T>(request: CalendarRequest, ask: (desk: Desk) => T): Promise<Answered<T>> {
    const password = request.sent['password'];
    for (;;) {
      const reading = await this.#upToDate();
      const unknown = new Set<EventEntry>();
      const isOpen = (entry: EventEntry) => this.#isOpen(entry, password, unknown);
      try {
        const answer = ask({ ...this.#desk(request), isOpen });
        if (unknown.size === 0) return { answer, reading };
      } catch (error) {
        if (unknown.size === 0) throw error;
      }
      await this.#derivePassword(unknown, String(password));
    }
  }

  /** Decides a write against an up-to-date replica, commits it, and answers from the replica that holds it. */
  async write<T, U>(
    request: CalendarRequest,
    decide: (write: Write) => T,
    answer: (result: T, desk: Desk) => U,
  ): Promise<U> {
    await loadSanitizer();
    const result = await this.#opened().write((takeId) => {
      const write = new Write(this.#surroundings(request), takeId, request.language);
      return write.decision(decide(write));
    });
    return answer(result, { ...this.#desk(request), isOpen: () => true });
  }

  /** Gives the hash of a password for an event, with the shared salt of those that the calendar has. */
  async hashPassword(password: string): Promise<PasswordHash> {
    await this.#upToDate();
    const other = this.#replica.events.all().find(({ record }) => record.access_password !== undefined);
    return this.#passwords.hash(password, other?.record.access_password?.shared_salt);
  }

  /** Reads once; throws when the tables cannot be reached. */
  async check(): Promise<void> {
    const { stale } = await this.#opened().read();
    if (stale) throw new CodedError('tables-unreachable', 'Cannot reach the tables of the calendar.');
  }

  /** Ends what waits for the store. */
  close(): void {
    this.#log?.close();
  }

  /** Brings the replica up to date. The first load of a large calendar leaves much garbage. */
  async #upToDate(): Promise<Freshness> {
    const reading = await this.#opened().read();
    if (!this.#isLoaded) {
      this.#isLoaded = true;
      if (this.#replica.posts.event.size > largeCalendar) {
        const { giveBackMemory } = await import('./replica/give-back-memory.ts');
        giveBackMemory();
        return this.#opened().read();
      }
    }
    return reading;
  }

  #opened(): Log {
    this.#log ??= this.#openLog(this.#replica);
    return this.#log;
  }

  #surroundings({ caller }: CalendarRequest): Surroundings {
    this.#replica.publishDue();
    const author = caller.subject === undefined ? undefined : this.#replica.authorOf(caller.subject);
    return {
      replica: this.#replica,
      site: this.#site,
      caller: { ...caller, ...(author === undefined ? {} : { author }) },
      now: this.#clock(),
    };
  }

  #desk(request: CalendarRequest): Omit<Desk, 'isOpen'> {
    return {
      surroundings: this.#surroundings(request),
      renderer: this.#renderer(request),
      texts: this.#texts,
      results: this.#results,
      pages: this.#pages,
    };
  }

  #renderer({ root, language }: CalendarRequest): Renderer {
    const key = `${language ?? ''} ${root}`;
    let renderer = this.#renderers.get(key);
    if (renderer === undefined) {
      renderer = new Renderer(this.#site, root, this.#replica, language);
      this.#renderers.set(key, renderer);
    }
    return renderer;
  }

  #isOpen(entry: EventEntry, password: unknown, unknown: Set<EventEntry>): boolean {
    const hash = entry.record.access_password;
    if (hash === undefined) return true;
    if (typeof password !== 'string' || password === '') return false;
    const known = this.#passwords.opens(password, hash);
    if (known === undefined) unknown.add(entry);
    return known ?? false;
  }

  async #derivePassword(entries: ReadonlySet<EventEntry>, password: string): Promise<void> {
    const salts = new Set([...entries].map(({ record }) => record.access_password?.shared_salt));
    for (const salt of salts) if (salt !== undefined) await this.#passwords.derive(password, salt);
  }
}
