/** Reads all views of a calendar through its API. Its pages are stored, so that the views can be read repeatedly, one page at a time. */

import {
  collections,
  type ListedKind,
  type SourceOccurrence,
} from '../../../functions/calendar/model/values.ts';
import { type Limits, mustBeFew } from './limits.ts';
import type { Occurrences } from './occurrences.ts';
import type { StoredPages } from './pages.ts';
import { idIn } from './record.ts';
import { type View, viewsIn } from './records-of-view.ts';
import { messageOf } from './site.ts';
import { type Standing, standingOf, type Withdrawn } from './standing.ts';

/** The views of a source, linked records first. Each record is there once; occurrences of recurring events have the ids and slugs that they have here. */
export type SourceViews = Iterable<readonly [kind: ListedKind, view: View]>;

export interface ViewOptions {
  readonly say: (line: string) => void;
  readonly limits: Limits;
  /** When the events were changed that the site has now, by their ids: those of pages of an earlier run are compared with it. */
  readonly modified?: ReadonlyMap<number, string> | undefined;
  /** Finds what occurrences of recurring events are here. */
  readonly occurrences: Occurrences;
}

/** A record that lists may lack. */
export interface MaybeUnlisted {
  readonly kind: ListedKind;
  /** Its id in the source; undefined for an occurrence whose number is that of another one by now. */
  readonly id: number | undefined;
  /** Its id here, where it is here. */
  readonly idHere?: number;
}

/** Kinds in the order of links: a linked kind comes first. */
const kinds = ['category', 'tag', 'venue', 'organizer', 'event'] as const satisfies readonly ListedKind[];

/** The largest page of the API. */
const perPage = 50;
/** Pages between two lines of progress. */
const pagesPerLine = 20;

const queries: Readonly<Record<ListedKind, Readonly<Record<string, string>>>> = {
  event: { start_date: '1000-01-01 00:00:00', end_date: '2999-12-31 23:59:59' },
  venue: {},
  organizer: {},
  category: { hide_empty: '0' },
  tag: { hide_empty: '0' },
};

/** Records inside of an event that no list may have, such as unpublished venues. */
const embedded = [
  ['venue', 'venue'],
  ['organizer', 'organizer'],
  ['category', 'categories'],
  ['tag', 'tags'],
] as const;

type Request = readonly [kind: ListedKind, path: string, query: Readonly<Record<string, string>>];

/** What the lists of a calendar have, and what its items say beside them. */
export interface ReadViews extends SourceViews, Withdrawn {
  /** The occurrences of recurring events, by the ids that they have here. */
  readonly occurrences: ReadonlyMap<number, SourceOccurrence>;
  /** Keys of records that are read by their ids. */
  readonly unlisted: readonly string[];
  /** Passwords of events by their ids, as far as the site tells them. */
  readonly passwords: ReadonlyMap<number, string>;
  /** Ids of events with a password whose other values are read. */
  readonly opened: ReadonlySet<number>;
  /** Pages of lists that could not be read, with what was met. */
  readonly unreadPages: readonly string[];
}

/** Reads all lists of a calendar. `more` are ids of records that lists may lack; those that are shown are read one by one. */
export async function readViews(
  pages: StoredPages,
  options: ViewOptions,
  more: (ids: ReadonlySet<string>) => AsyncIterable<MaybeUnlisted>,
): Promise<ReadViews> {
  const { occurrences } = options;
  const requests: Request[] = [];
  const seen = new Set<string>();
  const locked: number[] = [];
  const unreadPages: string[] = [];
  const resumed = new Map<number, string>();
  for (const kind of kinds) {
    const before = seen.size;
    await readList(kind, pages, { requests, seen, locked, unreadPages, resumed }, options);
    options.say(`${collections[kind]}: ${seen.size - before}`);
  }
  const left = await readChanged(resumed, pages, requests, options);
  for (const key of left) seen.delete(key);
  const { opened, passwords } = await openLocked(locked, pages, requests);
  occurrences.find(eventsIn(viewsOf(requests, pages, left)));
  const keys = {
    shown: [] as string[],
    gone: [] as string[],
    hidden: [] as string[],
    locked: [] as string[],
    unread: [] as string[],
  };
  for await (const record of more(seen)) {
    const { kind, id, idHere } = record;
    const standing = await standingThere(record, pages, occurrences);
    if (standing === undefined) continue;
    const isShown = standing === 'shown' && id !== undefined;
    keys[standing].push(`${kind}/${isShown && kind === 'event' ? occurrences.idHere(id) : (idHere ?? id)}`);
    if (isShown) requests.push([kind, `/${collections[kind]}/${id}`, {}]);
  }
  const { shown: unlisted, ...withdrawn } = keys;
  requests.sort(([a], [b]) => kinds.indexOf(a) - kinds.indexOf(b));
  return {
    [Symbol.iterator]: () => asHere(viewsOf(requests, pages, left), occurrences),
    occurrences: occurrences.all,
    unlisted,
    opened: new Set(Array.from(opened, (id) => occurrences.idHere(id))),
    passwords: new Map(Array.from(passwords, ([id, password]) => [occurrences.idHere(id), password])),
    unreadPages,
    ...withdrawn,
  };
}

/** Asks the source for a record that its lists lack; undefined for an event that stands for all occurrences of a recurring one, and is not here. */
async function standingThere(
  { kind, id, idHere }: MaybeUnlisted,
  { site }: StoredPages,
  occurrences: Occurrences,
): Promise<Standing | undefined> {
  if (id === undefined) return 'gone';
  const response = await site.get(`/${collections[kind]}/${id}`, {});
  const standing = standingOf(response, id);
  if (standing !== 'shown' || kind !== 'event') return standing;
  occurrences.find([response.body]);
  if (occurrences.identityOf(response.body) !== null) return standing;
  return idHere === undefined ? undefined : 'gone';
}

/**
 * Reads the events whose values a password hides, with those values: users who may edit them get them without it (`context=edit`). They are
 * put before the lists, which hide them from every role.
 */
async function openLocked(
  ids: readonly number[],
  { site }: StoredPages,
  requests: Request[],
): Promise<Pick<ReadViews, 'opened' | 'passwords'>> {
  const opened = new Set<number>();
  const passwords = new Map<number, string>();
  const query = { context: 'edit' };
  for (const id of site.isSignedIn ? ids : []) {
    const path = `/${collections.event}/${id}`;
    const response = await site.get(path, query);
    if (standingOf(response, id) !== 'shown' || response.body['all_day'] === null) continue;
    opened.add(id);
    requests.unshift(['event', path, query]);
    const { status, body } = await site.getFromPlatform(`/tribe_events/${id}`, query);
    const { password } = body;
    if (status === 200 && typeof password === 'string' && password !== '') passwords.set(id, password);
  }
  return { opened, passwords };
}

/**
 * Reads the events of pages of an earlier run again that have changed since. They are put before the lists. Returns the keys of those that the
 * site does not show any more.
 */
async function readChanged(
  resumed: ReadonlyMap<number, string>,
  { site }: StoredPages,
  requests: Request[],
  { modified = new Map() }: ViewOptions,
): Promise<ReadonlySet<string>> {
  const left = new Set<string>();
  for (const [id, then] of resumed) {
    if (modified.get(id) === then) continue;
    const path = `/${collections.event}/${id}`;
    if (standingOf(await site.get(path, {}), id) === 'shown') requests.unshift(['event', path, {}]);
    else left.add(`event/${id}`);
  }
  return left;
}

interface Reading {
  readonly requests: Request[];
  readonly seen: Set<string>;
  /** Ids of events whose values are hidden. */
  readonly locked: number[];
  /** Pages that could not be read, with what was met. */
  readonly unreadPages: string[];
  /** Times of change of the events of pages of an earlier run, by their ids. */
  readonly resumed: Map<number, string>;
}

/** Codes of the API for a page behind the last one of a list. */
const endCode = /^\w+-archive-page-not-found$/;

/**
 * Reads the pages of a list into the store. It ends with its last page, or with the API's own code. Throws an Error for a list without end, and
 * for one that ends before all its records were there. A page that is no reply of the API is noted, and the others are read.
 */
async function readList(
  kind: ListedKind,
  { site, isResumed }: StoredPages,
  { requests, seen, locked, unreadPages, resumed }: Reading,
  { say, limits }: ViewOptions,
): Promise<void> {
  const collection = collections[kind];
  const first = seen.size;
  let pages = 0;
  let total = 0;
  let unread = 0;
  for (let page = 1; ; page += 1) {
    const query = { ...queries[kind], page: String(page), per_page: String(perPage) };
    const { status, body, met } = await site.get(`/${collection}`, query);
    if (met !== undefined && page > 1 && page <= pages) {
      unread += 1;
      unreadPages.push(`${collection}, page ${page}: the site answers ${status} with ${met}`);
      if (page === pages) break;
      continue;
    }
    if (status === 404 && endCode.test(String(body['code']))) break;
    if (status !== 200 || met !== undefined)
      throw new Error(
        `Cannot read ${collection}: the site answers ${status}${met === undefined ? `: ${messageOf(body)}` : ` with ${met}`}. Nothing was written.`,
      );
    const views = viewsIn(body[collection]);
    pages = countIn(body['total_pages']);
    total = countIn(body['total']);
    mustEnd(collection, Math.max(page, pages), limits);
    requests.push([kind, `/${collection}`, query]);
    const before = seen.size;
    for (const view of views) {
      const key = `${kind}/${Number(view['id'])}`;
      if (kind === 'event' && isHidden(view) && !seen.has(key)) locked.push(Number(view['id']));
      if (isResumed(`/${collection}`, query) && !seen.has(key))
        resumed.set(Number(view['id']), String(view['modified_utc']));
      seen.add(key);
    }
    mustBeFew(seen.size, limits);
    if (page % pagesPerLine === 0) say(`${collection}: page ${page}${pages > 0 ? ` of ${pages}` : ''}`);
    const isLast = pages > 0 ? page >= pages : body['next_rest_url'] === undefined;
    if (views.length === 0 || isLast) break;
    if (seen.size === before) {
      say(`${collection}: page ${page} repeats earlier pages, so the list ends there`);
      break;
    }
  }
  const count = seen.size - first;
  // What a resumed list lacks by now is read by its ids.
  const isComplete = count >= total || (kind === 'event' && resumed.size > 0);
  if (!isComplete && unread === 0)
    throw new Error(
      `Cannot read ${collection}: the list ends after ${count} of ${total} records. Nothing was written. Run the import again when the site is well.`,
    );
}

function countIn(value: unknown): number {
  const count = Number(value ?? 0);
  return Number.isFinite(count) ? count : 0;
}

function mustEnd(collection: string, pages: number, limits: Limits): void {
  if (pages > limits.pages)
    throw new Error(
      `Cannot read ${collection}: the list has ${pages} pages or more, and an import reads ${limits.pages}. Nothing was written.`,
    );
}

/** Yields the views of stored pages, each record once, and before an event the records that only events show; without those that are `left` out. */
function* viewsOf(
  requests: readonly Request[],
  pages: StoredPages,
  left: ReadonlySet<string>,
): Generator<readonly [kind: ListedKind, view: View]> {
  const yielded = new Set<string>();
  const isNew = (kind: ListedKind, { id }: View) => {
    const before = yielded.size;
    return yielded.add(`${kind}/${nameOf(id)}`).size > before;
  };
  for (const [kind, path, query] of requests) {
    const { body } = pages.page(path, query);
    const views = Array.isArray(body[collections[kind]]) ? viewsIn(body[collections[kind]]) : [body];
    for (const view of views) {
      if (left.has(`${kind}/${nameOf(view['id'])}`)) continue;
      if (kind === 'event')
        for (const [linkedKind, name] of embedded)
          for (const linked of viewsIn(view[name])) if (isNew(linkedKind, linked)) yield [linkedKind, linked];
      if (isNew(kind, view)) yield [kind, view];
    }
  }
}

function* eventsIn(views: Iterable<readonly [kind: ListedKind, view: View]>): Generator<View> {
  for (const [kind, view] of views) if (kind === 'event') yield view;
}

/** Yields views with the ids and slugs that occurrences have here, without events that stand for all of them. */
function* asHere(
  views: Iterable<readonly [kind: ListedKind, view: View]>,
  occurrences: Occurrences,
): Generator<readonly [kind: ListedKind, view: View]> {
  for (const [kind, view] of views) {
    const identity = kind === 'event' ? occurrences.identityOf(view) : undefined;
    if (identity === null) continue;
    yield [kind, identity === undefined ? view : { ...view, id: identity.id, slug: identity.slug }];
  }
}

/** Checks whether a password hides the values of an event: its flags are null then. */
export function isHidden(view: View): boolean {
  return view['all_day'] === null;
}

/** Returns an id, or the beginning of a text that is none, for messages. */
export function nameOf(id: unknown): string {
  return String(idIn(id) ?? id).slice(0, 40);
}
