/** The calendar that records are imported into: its log and a separate replica. */

import { isDeepStrictEqual } from 'node:util';
import type { Log, LogSettings, TakeId } from '../../../functions/calendar/log/log.ts';
import { openLog } from '../../../functions/calendar/log/open-log.ts';
import type { CalendarContext, RawParameters } from '../../../functions/calendar/model/calendar-context.ts';
import { formatWall, toWall } from '../../../functions/calendar/model/dates/wall.ts';
import type {
  AnyPost,
  CalendarRecord,
  EventRecord,
  TermRecord,
} from '../../../functions/calendar/model/records.ts';
import { type Caller, editable } from '../../../functions/calendar/model/rights.ts';
import { type Site, siteOf } from '../../../functions/calendar/model/site.ts';
import { loadSanitizer } from '../../../functions/calendar/model/text/html.ts';
import { slugOf } from '../../../functions/calendar/model/text/slug.ts';
import type {
  ImportedFrom,
  ListedKind,
  PasswordHash,
  PostKind,
  TermKind,
} from '../../../functions/calendar/model/values.ts';
import { openPictureStore, type PictureStore } from '../../../functions/calendar/pictures/picture-store.ts';
import { EventPasswords } from '../../../functions/calendar/read/passwords.ts';
import { Renderer } from '../../../functions/calendar/read/views/renderer.ts';
import { type PostEntry, readKey } from '../../../functions/calendar/replica/entries.ts';
import { CalendarReplica, systemClock } from '../../../functions/calendar/replica/replica.ts';
import { createPost, updatePost } from '../../../functions/calendar/write/posts.ts';
import { createTerm, deleteTerm } from '../../../functions/calendar/write/terms.ts';
import { Write } from '../../../functions/calendar/write/write.ts';
import type { Config } from '../../../shared/config.ts';
import { isCodedError } from '../../../shared/errors.ts';
import { callTimeout } from '../call-timeout.ts';
import type { Exists } from './consistency.ts';
import { importSubject, reservedAuthor } from './in-the-way.ts';
import { type IsMoving, importDecision, usedIdsOf } from './plan.ts';
import type { View } from './records-of-view.ts';

/** Views that one renderer caches. */
const viewsPerRenderer = 500;

const editor: Caller = { role: 'editor', subject: importSubject };

export interface Target {
  readonly replica: CalendarReplica;
  /** The context for the parsers of fields. */
  readonly context: CalendarContext;
  /** Writes at most `maxImported` records of a source in one transaction, or in several where they are long. */
  put(records: readonly CalendarRecord[], source: string, exists: Exists, isMoving?: IsMoving): Promise<void>;
  /**
   * Creates an event, or a record of another kind, as an editor, or updates that with an id. Of an unchanged event at most `importedFrom` is
   * written.
   */
  save(
    id: number | undefined,
    fields: RawParameters,
    isDryRun: boolean,
    kind?: PostKind,
    importedFrom?: ImportedFrom,
  ): Promise<'created' | 'changed' | 'unchanged'>;
  /** Creates a category or tag that does not exist. A write takes a name that is a number for an id. */
  addTerm(kind: TermKind, name: string): Promise<void>;
  /**
   * Gives a published record another status, or moves any to the trash, since its source has withdrawn it. Its time of change stays, so that a
   * later import brings it back with the source.
   */
  withdraw(kind: PostKind, id: number, status: 'trash' | 'private'): Promise<void>;
  /** Gives the record of a key another slug, unless its slug is free already: it is in the trash, or deleted. */
  freeSlug(key: string): Promise<void>;
  /** Deletes a category or tag, unless it does not exist. */
  deleteTerm(kind: TermKind, id: number): Promise<void>;
  /** Returns the hash of the password of an event: the present one, where it is of this password. */
  passwordHash(id: number, password: string): Promise<PasswordHash>;
  /** Where the bytes of pictures lie. */
  readonly pictures: PictureStore;
  /** Writes records unchanged. `make` gets the author of the import. */
  store(make: (author: number) => readonly CalendarRecord[]): Promise<void>;
  /** Deletes a record. Nothing that links to it is written. */
  remove(record: CalendarRecord): Promise<void>;
  /** The present, in the zone of the site and in UTC. */
  now(): { readonly date: string; readonly date_utc: string };
  /** Returns all live records, linked records first. */
  records(): Promise<readonly CalendarRecord[]>;
  /** Returns the view of a record for an editor. */
  view(kind: ListedKind, id: number): View | undefined;
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
  const site = siteOf(config.CALENDAR_SITE_URL || 'http://localhost', config.CALENDAR_TIME_ZONE);
  const replica = new CalendarReplica();
  // Loaded late, since the library is large, and a connection string needs no sign-in.
  const identity = settings.connectionString === '' ? await import('@azure/identity') : undefined;
  const log = openLog(settings, {
    replica,
    ...(identity && { credential: () => new identity.DefaultAzureCredential() }),
    budget: 60_000,
    callTimeout,
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

function targetOf(site: Site, replica: CalendarReplica, log: Log, pictures: PictureStore): Target {
  const root = `${site.url}/wp-json/tribe/events/v1`;
  const createRenderer = () => new Renderer({ site, root, replica, language: undefined });
  let renderer = createRenderer();
  let rendered = 0;
  const passwords = new EventPasswords();

  async function put(
    records: readonly CalendarRecord[],
    source: string,
    exists: Exists,
    isMoving?: IsMoving,
  ): Promise<void> {
    try {
      await log.write(() => importDecision(records, source, replica, exists, isMoving));
    } catch (error) {
      // Records with long descriptions: fewer of them fit into one transaction.
      if (!isCodedError(error, 'change-too-large') || records.length === 1) throw error;
      const half = Math.ceil(records.length / 2);
      await put(records.slice(0, half), source, exists, isMoving);
      await put(records.slice(half), source, exists, isMoving);
    }
  }

  function writeOf(parameters: RawParameters, takeId: TakeId): Write {
    const author = replica.authorOf(importSubject);
    const caller = { ...editor, ...(author === undefined ? {} : { author }) };
    const now = systemClock();
    const take: TakeId = (space) => (space === 'user' ? reservedAuthor(replica) : takeId(space));
    return new Write({ site, replica, caller, parameters, root, language: undefined, now }, take);
  }

  /** Decides the write of an event, venue or organizer. */
  function decide(
    kind: PostKind,
    id: number | undefined,
    parameters: RawParameters,
    takeId: TakeId,
    importedFrom?: ImportedFrom,
  ) {
    const write = writeOf(parameters, takeId);
    const record = id === undefined ? createPost(write, kind) : updatePost(write, kind, { id });
    if (importedFrom !== undefined) write.put({ ...record, imported_from: importedFrom } as EventRecord);
    return write.decision(record);
  }

  /** Notes where an event was imported from, which is no change of it. */
  function decideIdentity(id: number, importedFrom: ImportedFrom, takeId: TakeId) {
    const write = writeOf({}, takeId);
    const current = replica.posts.event.get(id)?.record;
    if (current !== undefined) write.put({ ...current, imported_from: importedFrom });
    return write.decision(undefined);
  }

  /** Returns the live record of a key that has a slug. */
  function recordOf(key: string): AnyPost | TermRecord | undefined {
    const { kind, id } = readKey(key);
    if (kind === 'image' || kind === 'author') return undefined;
    if (kind === 'category' || kind === 'tag') return replica.terms.get(id, kind);
    const entry = replica.posts[kind].get(id);
    return entry?.status === 'trash' ? undefined : entry?.record;
  }

  return {
    replica,
    async save(id, fields, isDryRun, kind = 'event', importedFrom = undefined) {
      let dryRunId = Number.MAX_SAFE_INTEGER;
      const { result } = decide(kind, id, fields, () => dryRunId--);
      const current = id === undefined ? undefined : replica.posts[kind].get(id)?.record;
      if (id !== undefined && current !== undefined && isSame(current, result)) {
        const isNoted =
          importedFrom === undefined ||
          isDeepStrictEqual((current as EventRecord).imported_from, importedFrom);
        if (!isNoted && !isDryRun) await log.write((takeId) => decideIdentity(id, importedFrom, takeId));
        return 'unchanged';
      }
      if (!isDryRun) await log.write((takeId) => decide(kind, id, fields, takeId, importedFrom));
      return id === undefined ? 'created' : 'changed';
    },
    async withdraw(kind, id, status) {
      await log.write((takeId) => {
        const write = writeOf({ status }, takeId);
        const before = replica.posts[kind].get(id);
        const isOpen = before?.status === 'publish' || (status === 'trash' && before?.status !== 'trash');
        if (before !== undefined && isOpen) {
          const { modified, modified_utc } = before.record;
          write.put({ ...updatePost(write, kind, { id }), modified, modified_utc });
        }
        return write.decision(undefined);
      });
    },
    async freeSlug(key) {
      await log.write((takeId) => {
        const write = writeOf({}, takeId);
        const record = recordOf(key);
        if (record !== undefined) write.put({ ...record, slug: `${record.slug}-${record.id}` });
        return write.decision(undefined);
      });
    },
    async deleteTerm(kind, id) {
      await log.write((takeId) => {
        const write = writeOf({}, takeId);
        if (replica.terms.get(id, kind) !== undefined) deleteTerm(write, kind, { id });
        return write.decision(undefined);
      });
    },
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
    async store(make) {
      await log.write((takeId) => {
        const write = writeOf({}, takeId);
        const records = make(write.author());
        for (const record of records) write.put(record);
        return { ...write.decision(undefined), usedIds: usedIdsOf(records, replica) };
      });
    },
    async remove(record) {
      await log.write((takeId) => {
        const write = writeOf({}, takeId);
        write.delete(record);
        return write.decision(undefined);
      });
    },
    now() {
      const now = systemClock();
      return { date: formatWall(toWall(site.zone, now)), date_utc: formatWall(now) };
    },
    async addTerm(kind, name) {
      const isNamed = (term: TermRecord) => term.name === name || term.slug === slugOf(name);
      if (replica.terms.find(kind, isNamed) !== undefined) return;
      await log.write((takeId) => {
        const write = writeOf({ name }, takeId);
        return write.decision(createTerm(write, kind));
      });
    },
    context: { site, replica, caller: editor, parameters: {}, root, language: undefined, now: systemClock() },
    put,
    async records() {
      await log.read();
      return replica.records();
    },
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
    close: () => log.close(),
  };
}

/** Checks whether two records are equal without their times of change and the order of terms. */
function isSame(a: AnyPost, b: AnyPost): boolean {
  const comparable = ({ modified: _modified, modified_utc: _utc, ...rest }: AnyPost) =>
    JSON.parse(JSON.stringify(rest), (name, value) =>
      name === 'categories' || name === 'tags' ? [...value].sort((x, y) => x - y) : value,
    );
  return isDeepStrictEqual(comparable(a), comparable(b));
}
