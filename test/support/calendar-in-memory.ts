/** A calendar with a clock that the tests move, on a log in memory: for what happens while time passes and nothing is written. */

import { Calendar } from '../../shared/calendar/calendar.ts';
import type { Change, IdSpace, Log, Replica } from '../../shared/calendar/log/log.ts';
import type { CalendarRequest } from '../../shared/calendar/model/context.ts';
import { readWall } from '../../shared/calendar/model/dates/wall.ts';
import type { Caller } from '../../shared/calendar/model/rights.ts';
import { siteOf } from '../../shared/calendar/model/site.ts';
import { isCodedError } from '../../shared/errors.ts';

type Json = ReturnType<typeof JSON.parse>;
type Fields = Readonly<Record<string, unknown>>;

export const editor: Caller = { role: 'editor', subject: 'ann' };
const nobody: Caller = { role: 'reader' };

const kinds = {
  events: 'event',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'category',
  tags: 'tag',
} as const;
type Collection = keyof typeof kinds;

export interface MemoryCalendar {
  /** The present instant in UTC, `YYYY-MM-DD HH:MM:SS`. Set it to let time pass. */
  now: string;
  /** Creates a record as an editor. */
  create(collection: Collection, fields: Fields): Promise<Json>;
  /** Updates a record as an editor. */
  update(collection: Collection, id: number, fields: Fields): Promise<Json>;
  /** Reads a record, as nobody unless told; the code of the refusal where it is refused. */
  read(collection: Collection, id: number, caller?: Caller): Promise<Json>;
  /** Lists, as nobody unless told. */
  list(collection: Collection, query?: Fields, caller?: Caller): Promise<Json>;
  /** Returns the feed of a list, as nobody. */
  feed(query?: Fields): Promise<string>;
  /** Puts an empty table in the place of the present one. */
  replaceTable(): void;
}

/** Opens an empty calendar at an instant. */
export function calendarInMemory(now: string): MemoryCalendar {
  const logs: MemoryLog[] = [];
  const calendar = new Calendar({
    site: siteOf('https://calendar.example.org', 'UTC'),
    openLog(replica) {
      const log = memoryLog(replica);
      logs.push(log);
      return log;
    },
    clock: () => readWall(memory.now),
  });

  const memory: MemoryCalendar = {
    now,
    create: async (collection, fields) =>
      JSON.parse((await calendar.create(kinds[collection], requestOf(fields, editor))).text),
    update: async (collection, id, fields) =>
      JSON.parse((await calendar.update(kinds[collection], { id }, requestOf(fields, editor))).text),
    read: async (collection, id, caller = nobody) => {
      try {
        const { value } = await calendar.read(kinds[collection], { id }, requestOf({}, caller));
        return JSON.parse(value.text);
      } catch (error) {
        if (isCodedError(error)) return error.code;
        throw error;
      }
    },
    list: async (collection, query = {}, caller = nobody) => {
      const { value } = await calendar.list(kinds[collection], requestOf(query, caller));
      return JSON.parse(value.text);
    },
    feed: async (query = {}) => (await calendar.feed(requestOf(query, nobody))).value.text,
    replaceTable() {
      for (const log of logs) log.replace();
    },
  };
  return memory;
}

function requestOf(parameters: Fields, caller: Caller): CalendarRequest {
  return { caller, parameters, root: 'https://api.example.org', language: undefined };
}

interface MemoryLog extends Log {
  replace(): void;
}

/** A log that one process writes to, and no store is behind. */
function memoryLog(replica: Replica): MemoryLog {
  const ids = new Map<IdSpace, number>();
  let version = 0;
  function takeId(space: IdSpace): number {
    const id = (ids.get(space) ?? 0) + 1;
    ids.set(space, id);
    return id;
  }
  return {
    read: async () => ({ version, stale: false, age: 0 }),
    async write(decide) {
      const { puts, deletes, result } = decide(takeId);
      const contents = [...puts, ...deletes.map((key) => ({ key, json: null }))];
      const changes: Change[] = contents.map((content) => ({ ...content, version: ++version }));
      replica.apply(changes);
      return result;
    },
    close() {},
    replace() {
      ids.clear();
      version = 0;
      replica.clear();
    },
  };
}
