/** A calendar with a clock that the tests move, on a log in memory: for what happens while time passes and nothing is written. */

import { Calendar, type CalendarRequest } from '../../shared/calendar/calendar.ts';
import type { Change, IdSpace, Log, Replica } from '../../shared/calendar/log/log.ts';
import { readWall } from '../../shared/calendar/model/dates/wall.ts';
import type { Caller } from '../../shared/calendar/model/rights.ts';
import { siteOf } from '../../shared/calendar/model/site.ts';
import { eventFeed } from '../../shared/calendar/operations/feed.ts';
import { listContacts, listEvents, listTerms } from '../../shared/calendar/operations/lists.ts';
import { addPost, changePost, readPost } from '../../shared/calendar/operations/posts.ts';
import { createTermOf, readTerm } from '../../shared/calendar/operations/terms.ts';
import { isCodedError } from '../../shared/errors.ts';

type Json = ReturnType<typeof JSON.parse>;
type Fields = Readonly<Record<string, unknown>>;

export const editor: Caller = { role: 'editor', subject: 'ann' };
const nobody: Caller = { role: 'reader' };

const posts = { events: 'event', venues: 'venue', organizers: 'organizer' } as const;
const terms = { categories: 'category', tags: 'tag' } as const;
type Posts = keyof typeof posts;
type Terms = keyof typeof terms;

export interface MemoryCalendar {
  /** The present instant in UTC, `YYYY-MM-DD HH:MM:SS`. Set it to let time pass. */
  now: string;
  /** Creates a record as an editor. */
  create(collection: Posts | Terms, fields: Fields): Promise<Json>;
  /** Updates an event, venue or organizer as an editor. */
  update(collection: Posts, id: number, fields: Fields): Promise<Json>;
  /** Reads a record, as nobody unless told; the code of the refusal where it is refused. */
  read(collection: Posts | Terms, id: number, caller?: Caller): Promise<Json>;
  /** Lists, as nobody unless told. */
  list(collection: Posts | Terms, query?: Fields, caller?: Caller): Promise<Json>;
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
    async create(collection, fields) {
      const request = requestOf(fields, editor);
      const created = isTerms(collection)
        ? await createTermOf(terms[collection], calendar, request)
        : await addPost(posts[collection], calendar, request);
      return JSON.parse(created.text);
    },
    async update(collection, id, fields) {
      const request = requestOf(fields, editor);
      return JSON.parse((await changePost(posts[collection], { id }, calendar, request)).text);
    },
    read: async (collection, id, caller = nobody) =>
      readItem(calendar, collection, id, requestOf({}, caller)).catch((error: unknown) => {
        if (isCodedError(error)) return error.code;
        throw error;
      }),
    list: (collection, query = {}, caller = nobody) =>
      readList(calendar, collection, requestOf(query, caller)),
    feed: async (query = {}) => (await eventFeed(calendar, requestOf(query, nobody))).answer,
    replaceTable() {
      for (const log of logs) log.replace();
    },
  };
  return memory;
}

function requestOf(sent: Fields, caller: Caller): CalendarRequest {
  return { caller, sent, root: 'https://api.example.org', language: undefined };
}

function isTerms(collection: Posts | Terms): collection is Terms {
  return Object.hasOwn(terms, collection);
}

async function readItem(
  calendar: Calendar,
  collection: Posts | Terms,
  id: number,
  request: CalendarRequest,
): Promise<Json> {
  const { answer } = isTerms(collection)
    ? await readTerm(terms[collection], { id }, calendar, request)
    : await readPost(posts[collection], { id }, calendar, request);
  return JSON.parse(answer.text);
}

async function readList(
  calendar: Calendar,
  collection: Posts | Terms,
  request: CalendarRequest,
): Promise<Json> {
  if (isTerms(collection))
    return JSON.parse((await listTerms(terms[collection], calendar, request)).answer.text);
  const kind = posts[collection];
  const { answer } =
    kind === 'event' ? await listEvents(calendar, request) : await listContacts(kind, calendar, request);
  return JSON.parse(answer.text);
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
