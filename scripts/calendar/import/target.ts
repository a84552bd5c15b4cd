/** The calendar that records are imported into: its log and a separate replica. */

import type { Decision, LogSettings, TakeId } from '../../../functions/calendar/log/log.ts';
import { openLog } from '../../../functions/calendar/log/open-log.ts';
import type { CalendarContext } from '../../../functions/calendar/model/calendar-context.ts';
import type { CalendarRecord } from '../../../functions/calendar/model/records.ts';
import { type Caller, editable } from '../../../functions/calendar/model/rights.ts';
import { type Site, siteOf } from '../../../functions/calendar/model/site.ts';
import { loadSanitizer } from '../../../functions/calendar/model/text/html.ts';
import type { ListedKind, PasswordHash } from '../../../functions/calendar/model/values.ts';
import { openPictureStore, type PictureStore } from '../../../functions/calendar/pictures/picture-store.ts';
import { EventPasswords } from '../../../functions/calendar/read/passwords.ts';
import { Renderer } from '../../../functions/calendar/read/views/renderer.ts';
import { keyOf, type PostEntry } from '../../../functions/calendar/replica/entries.ts';
import { CalendarReplica, systemClock } from '../../../functions/calendar/replica/replica.ts';
import type { Config } from '../../../shared/config.ts';
import { callTimeout } from '../call-timeout.ts';
import { Draft } from './draft.ts';
import { importSubject, lastOfSources, reservedAuthor } from './in-the-way.ts';
import type { View } from './records-of-view.ts';

/** Views that one renderer caches. */
const viewsPerRenderer = 500;

const editor: Caller = { role: 'editor', subject: importSubject };

export interface Target {
  readonly replica: CalendarReplica;
  /** The context for the parsers of fields. */
  readonly context: CalendarContext;
  /**
   * Stores what a decision puts into its draft, and resolves with what it returns. It is the only way to write: the decision is made on the
   * newest state of the calendar, in one transaction, and again when another writer was faster. It is synchronous, and changes nothing itself.
   */
  decide<T>(decision: (draft: Draft) => T): Promise<T>;
  /** Returns what a decision would return now, and stores nothing. */
  preview<T>(decision: (draft: Draft) => T): T;
  /** Returns the hash of the password of an event: the present one, where it is of this password. */
  passwordHash(id: number, password: string): Promise<PasswordHash>;
  /** Where the bytes of pictures lie. */
  readonly pictures: PictureStore;
  /** Returns all live records, linked records first. */
  records(): Promise<readonly CalendarRecord[]>;
  /** Returns the view of a record for an editor. */
  view(kind: ListedKind, id: number): View | undefined;
  /** Returns a copy of the calendar in memory, in which an import can be rehearsed: nothing is written. */
  rehearsal(): Promise<Target>;
  close(): void;
}

/** The writes and reads of a log that a target needs. */
interface Writes {
  read(): Promise<unknown>;
  write<T>(decide: (takeId: TakeId) => Decision<T>): Promise<T>;
  close(): void;
}

/** Opens the calendar of the settings; the values of `place` replace those of the settings. */
export async function openTarget(config: Config, place: Partial<LogSettings> = {}): Promise<Target> {
  const settings: LogSettings = {
    connectionString: config.CALENDAR_TABLE_CONNECTION_STRING,
    endpoint: config.CALENDAR_TABLE_ENDPOINT,
    tableName: config.CALENDAR_TABLE_NAME,
    calendar: config.CALENDAR_NAME,
    staleIfError: 0,
    ...place,
  };
  const site = siteOf(
    config.CALENDAR_SITE_URL || 'http://localhost',
    config.CALENDAR_TIME_ZONE,
    undefined,
    undefined,
    config.CALENDAR_LANGUAGE,
  );
  const replica = new CalendarReplica();
  // Loaded late, since the library is large, and a connection string needs no sign-in.
  const identity = settings.connectionString === '' ? await import('@azure/identity') : undefined;
  const log = openLog(settings, {
    replica,
    ...(identity && { credential: () => new identity.DefaultAzureCredential() }),
    budget: 60_000,
    callTimeout,
    historyDays: config.CALENDAR_HISTORY_DAYS,
  });
  await loadSanitizer();
  const pictures = openPictureStore(
    {
      connectionString: config.CALENDAR_BLOB_CONNECTION_STRING,
      endpoint: config.CALENDAR_BLOB_ENDPOINT,
      container: config.CALENDAR_BLOB_CONTAINER,
      calendar: settings.calendar,
      timeout: callTimeout,
    },
    async () => new (await import('@azure/identity')).DefaultAzureCredential(),
  );
  return targetOf(site, replica, log, pictures);
}

function targetOf(site: Site, replica: CalendarReplica, log: Writes, pictures: PictureStore): Target {
  const root = `${site.url}/wp-json/tribe/events/v1`;
  const createRenderer = () => new Renderer({ site, root, replica, language: undefined });
  let renderer = createRenderer();
  let rendered = 0;
  const passwords = new EventPasswords();

  function draftOf(takeId: TakeId): Draft {
    const author = replica.authorOf(importSubject);
    const caller = { ...editor, ...(author === undefined ? {} : { author }) };
    const now = systemClock();
    const take: TakeId = (space) => (space === 'user' ? reservedAuthor(replica) : takeId(space));
    return new Draft({ site, replica, caller, parameters: {}, root, language: undefined, now }, take);
  }

  const records = async () => {
    await log.read();
    return replica.records();
  };

  return {
    replica,
    context: { site, replica, caller: editor, parameters: {}, root, language: undefined, now: systemClock() },
    decide: (decision) =>
      log.write((takeId) => {
        const draft = draftOf(takeId);
        return draft.decision(decision(draft));
      }),
    preview: (decision) => decision(draftOf(() => lastOfSources)),
    async passwordHash(id, password) {
      const hashes = Array.from(replica.posts.event.values(), ({ record }) => record.access_password);
      const sharedSalt = hashes.find((hash) => hash !== undefined)?.shared_salt;
      const current = replica.posts.event.get(id)?.record.access_password;
      if (current !== undefined) {
        await passwords.derive(password, current.shared_salt);
        if (passwords.verify(password, current) === true) return current;
      }
      return await passwords.hash(password, sharedSalt);
    },
    pictures,
    records,
    view(kind, id) {
      // A renderer caches texts, which an import reads once.
      rendered += 1;
      if (rendered % viewsPerRenderer === 0) renderer = createRenderer();
      if (kind === 'category' || kind === 'tag') {
        const term = replica.terms.get(id, kind);
        return term && (JSON.parse(renderer.termItem(term).text) as View);
      }
      const entry: PostEntry | undefined = replica.posts[kind].get(id);
      const shown = entry && editable(editor, entry);
      return shown && (JSON.parse(renderer.item(shown).text) as View);
    },
    async rehearsal() {
      const copy = new CalendarReplica();
      return targetOf(site, copy, new Rehearsal(await records(), copy), pictures);
    },
    close: () => log.close(),
  };
}

/** Decides writes on a copy of a calendar in memory. Its ids are numbers that no record has. */
class Rehearsal implements Writes {
  readonly #replica: CalendarReplica;
  #version = 0;
  #lastId = lastOfSources + 100_000_000;

  constructor(records: readonly CalendarRecord[], replica: CalendarReplica) {
    this.#replica = replica;
    this.#apply(records.map((record) => ({ key: keyOf(record), json: JSON.stringify(record) })));
  }

  async read(): Promise<void> {}

  async write<T>(decide: (takeId: TakeId) => Decision<T>): Promise<T> {
    const { puts, deletes, result } = decide(() => this.#nextId());
    this.#apply([...puts, ...deletes.map((key) => ({ key, json: null }))]);
    return result;
  }

  close(): void {}

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #apply(changes: readonly { readonly key: string; readonly json: string | null }[]): void {
    this.#replica.apply(
      changes.map((change) => {
        this.#version += 1;
        return { ...change, version: this.#version };
      }),
    );
  }
}
