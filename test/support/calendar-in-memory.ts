/** A calendar with a clock that the tests move, on a log in memory: for what happens while time passes and nothing is written. */

import { unavailable } from '../../functions/calendar/log/failure.ts';
import type { Change, IdSpace, Log, Replica } from '../../functions/calendar/log/log.ts';
import type { CalendarRequest } from '../../functions/calendar/model/calendar-context.ts';
import { readWall } from '../../functions/calendar/model/dates/wall.ts';
import type { Caller } from '../../functions/calendar/model/rights.ts';
import { siteOf } from '../../functions/calendar/model/site.ts';
import { languages } from '../../functions/calendar/model/values.ts';
import { Calendar } from '../../functions/calendar/operations/calendar.ts';
import type { Feed } from '../../functions/calendar/read/read-context.ts';
import { isCodedError } from '../../shared/errors.ts';

type Json = ReturnType<typeof JSON.parse>;
type Fields = Readonly<Record<string, unknown>>;

export const editor: Caller = { role: 'editor', subject: 'ann' };
const nobody: Caller = { role: 'reader' };

/** The kind of the records of each collection. */
export const kinds = {
  events: 'event',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'category',
  tags: 'tag',
} as const;
type Collection = keyof typeof kinds;

/** Writes are an editor's, reads anonymous by default. */
export interface MemoryCalendar {
  /** The present instant in UTC, `YYYY-MM-DD HH:MM:SS`. Set it to let time pass. */
  now: string;
  /** Whether the tables do not answer: reads are stale, and writes are refused. */
  isDown: boolean;
  create(collection: Collection, fields: Fields, idempotencyKey?: string): Promise<Json>;
  update(collection: Collection, id: number, fields: Fields): Promise<Json>;
  remove(collection: Collection, id: number): Promise<void>;
  /** Reads a record; the code of the error where it is rejected. */
  read(collection: Collection, id: number, caller?: Caller): Promise<Json>;
  list(collection: Collection, query?: Fields, caller?: Caller): Promise<Json>;
  /** Returns the text of a list; the code of the refusal where it is refused. */
  text(collection: Collection, query: Fields, caller: Caller): Promise<string>;
  feed(query?: Fields): Promise<string>;
  /** Returns the feed of a list for a client with entity tags. */
  feedFor(tags: readonly string[] | '*', query?: Fields, caller?: Caller): Promise<Feed>;
  /** Lists changes, waiting for the first one up to some milliseconds; the code of the error where it is rejected. */
  changes(query?: Fields, caller?: Caller, waitMs?: number): Promise<Json>;
  /** The series of the calendar; the code of the error where a call is rejected. */
  readonly series: {
    plan(fields: Fields, id?: number): Promise<Json>;
    create(fields: Fields, idempotencyKey?: string, caller?: Caller): Promise<Json>;
    update(id: number, fields: Fields, caller?: Caller): Promise<Json>;
    remove(id: number, fields: Fields, caller?: Caller): Promise<Json>;
    read(id: number, caller?: Caller): Promise<Json>;
  };
  /** Writes that the tables take until they do not answer any more, in the midst of what a process does; undefined for any number. */
  writesLeft: number | undefined;
  /** Writes records as they are, without the rules of writes; `null` deletes the record of a key. */
  put(changes: readonly Pick<Change, 'key' | 'json'>[]): Promise<void>;
  /** Puts an empty table in the place of the present one. */
  replaceTable(): void;
}

/** Opens an empty calendar at an instant, whose site is in a time zone. */
export function calendarInMemory(now: string, zone = 'UTC'): MemoryCalendar {
  const logs: MemoryLog[] = [];
  const calendar = new Calendar({
    site: siteOf('https://calendar.example.org', zone),
    openLog(replica) {
      const log = memoryLog(replica, (isWrite) => {
        if (isWrite && memory.writesLeft !== undefined) {
          memory.isDown ||= memory.writesLeft === 0;
          memory.writesLeft -= 1;
        }
        return memory.isDown;
      });
      logs.push(log);
      return log;
    },
    clock: () => readWall(memory.now),
  });

  const memory: MemoryCalendar = {
    now,
    isDown: false,
    writesLeft: undefined,
    create: async (collection, fields, idempotencyKey) => {
      const request = { ...requestOf(fields, editor), idempotencyKey };
      return JSON.parse((await calendar.create(kinds[collection], request)).text);
    },
    update: async (collection, id, fields) =>
      JSON.parse((await calendar.update(kinds[collection], { id }, requestOf(fields, editor))).text),
    remove: async (collection, id) => {
      await calendar.delete(kinds[collection], { id }, requestOf({}, editor));
    },
    read: (collection, id, caller = nobody) =>
      orCode(async () => {
        const { value } = await calendar.read(kinds[collection], { id }, requestOf({}, caller));
        return JSON.parse(value.text);
      }),
    list: async (collection, query = {}, caller = nobody) => {
      const { value } = await calendar.list(kinds[collection], requestOf(query, caller));
      return JSON.parse(value.bytes.toString());
    },
    text: (collection, query, caller) =>
      orCode(async () => {
        const { value } = await calendar.list(kinds[collection], requestOf(query, caller));
        return value.bytes.toString();
      }),
    series: {
      plan: (fields, id) => orCode(() => calendar.series.plan(requestOf(fields, editor), id)),
      create: (fields, idempotencyKey, caller = editor) =>
        orCode(
          async () => (await calendar.series.create({ ...requestOf(fields, caller), idempotencyKey })).view,
        ),
      update: (id, fields, caller = editor) =>
        orCode(async () => (await calendar.series.update(id, requestOf(fields, caller))).view),
      remove: (id, fields, caller = editor) =>
        orCode(async () => (await calendar.series.delete(id, requestOf(fields, caller)))?.view),
      read: (id, caller = editor) =>
        orCode(async () => (await calendar.series.read(id, requestOf({}, caller))).value.view),
    },
    put: async (changes) => {
      await calendar.freshness();
      logs[0]?.put(changes);
    },
    changes: (query = {}, caller = nobody, waitMs = 0) =>
      orCode(async () => {
        const { value } = await calendar.changes.list(requestOf(query, caller), waitMs);
        return { ...value.value, history: value.freshness.history };
      }),
    feed: async (query = {}) => {
      const { value } = await calendar.feed(requestOf(query, nobody));
      return Buffer.from(value.page?.bytes ?? []).toString();
    },
    feedFor: async (ifNoneMatch, query = {}, caller = nobody) =>
      (await calendar.feed({ ...requestOf(query, caller), ifNoneMatch })).value,
    replaceTable() {
      for (const log of logs) log.replace();
    },
  };
  return memory;
}

/** Resolves with the code of an error that a client sees. */
async function orCode(work: () => Promise<Json>): Promise<Json> {
  try {
    return await work();
  } catch (error) {
    if (isCodedError(error)) return error.code;
    throw error;
  }
}

/** Returns what writes published records of a kind and of these titles, all at one time, with ids from 1 on. */
export function changesOf(kind: 'event' | 'venue' | 'organizer', titles: readonly string[]) {
  const at = '2030-01-01 00:00:00';
  const start = '2030-06-01 10:00:00';
  const end = '2030-06-01 12:00:00';
  const times = {
    timezone: 'UTC',
    start_date: start,
    end_date: end,
    utc_start_date: start,
    utc_end_date: end,
  };
  return titles.map((title, index) => ({
    key: `${kind}/${index + 1}`,
    json: JSON.stringify({
      kind,
      id: index + 1,
      author: 1,
      status: 'publish',
      title,
      slug: `r-${index}`,
      date: at,
      date_utc: at,
      modified: at,
      modified_utc: at,
      ...(kind === 'event' ? times : {}),
    }),
  }));
}

/** Opens a calendar with such records. */
export async function calendarOf(
  kind: 'event' | 'venue' | 'organizer',
  titles: readonly string[],
): Promise<MemoryCalendar> {
  const calendar = calendarInMemory('2030-05-01 00:00:00');
  await calendar.put(changesOf(kind, titles));
  return calendar;
}

function requestOf(parameters: Fields, caller: Caller): CalendarRequest {
  const language = languages.find((language) => language === parameters['translation_language']);
  return { caller, parameters, root: 'https://api.example.org', language };
}

interface MemoryLog extends Log {
  put(changes: readonly Pick<Change, 'key' | 'json'>[]): void;
  replace(): void;
}

/** Rows that one write touches in the tables, at most: one for the head, one for each record, and one more for each that was there. */
const maxRows = 100;

/** A log that one process writes to, and no store is behind. */
function memoryLog(replica: Replica, isDown: (isWrite: boolean) => boolean): MemoryLog {
  const ids = new Map<IdSpace, number>();
  const liveKeys = new Set<string>();
  let version = 0;
  let tables = 1;
  function takeId(space: IdSpace): number {
    const id = (ids.get(space) ?? 0) + 1;
    ids.set(space, id);
    return id;
  }
  function put(changes: readonly Pick<Change, 'key' | 'json'>[]): void {
    replica.apply(changes.map((change) => ({ ...change, version: ++version })));
    for (const { key, json } of changes)
      if (json === null) liveKeys.delete(key);
      else liveKeys.add(key);
  }
  return {
    read: async () => ({ version, history: `table ${tables}`, stale: isDown(false), age: 0 }),
    async write(decide) {
      if (isDown(true)) throw unavailable('write', 'the tables do not answer');
      const { puts, deletes, result } = decide(takeId);
      const contents = [...puts, ...deletes.map((key) => ({ key, json: null }))];
      const rows = contents.reduce((sum, { key }) => sum + (liveKeys.has(key) ? 2 : 1), 1);
      if (rows > maxRows) throw new TypeError(`A write touches ${rows} rows.`);
      put(contents);
      return result;
    },
    put,
    progress: () => ({ version, wanted: version, records: liveKeys.size, isWhole: true }),
    close() {},
    replace() {
      ids.clear();
      liveKeys.clear();
      version = 0;
      tables += 1;
      replica.clear();
    },
  };
}
