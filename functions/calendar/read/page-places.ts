/** Finds the pages of records by what addresses name: an id, a slug, or a path that a page had earlier. */

import { CodedError } from '../../../shared/errors.ts';
import { formatWall } from '../model/dates/wall.ts';
import { comparablePath, isOfService, pagePathOf, wordsOfPages } from '../model/page-paths.ts';
import type { AnyPost, SeriesRecord, TermRecord } from '../model/records.ts';
import { slugOf } from '../model/text/slug.ts';
import type { PostKind } from '../model/values.ts';
import type { EventEntry, PostEntry } from '../replica/entries.ts';
import type { CalendarReplica } from '../replica/replica.ts';
import { present } from '../replica/series-set.ts';
import type { ReadContext } from './read-context.ts';

/**
 * What an address names: a record by its id, of one of some kinds; one of a kind by its slug, with the day of an occurrence (`2027-04-01`); or
 * a page by its path.
 */
export type PageAsked =
  | { readonly kinds: readonly PostKind[]; readonly id: number }
  | { readonly kind: PostKind; readonly slug: string; readonly day?: string }
  | { readonly path: string };

/**
 * Returns the path of the page that an address names; undefined where there is none, or it is not public. A page behind a password asks for
 * it. Throws `page-gone` where the page was public, and its record is in the trash.
 */
export function pagePlace(asked: PageAsked, context: PlaceContext): string | undefined {
  const { replica } = context;
  if ('path' in asked) return earlierPlace(asked.path, context);
  if ('id' in asked) {
    const entry = replica.post(asked.id);
    if (entry === undefined || !asked.kinds.includes(entry.record.kind)) return undefined;
    if (isGone(entry)) throw pageGone();
    return placeOf(entry);
  }
  const { kind, slug, day } = asked;
  const entry: PostEntry | undefined = replica.posts[kind].withSlug(slugOf(slug));
  return placeOf(entry) ?? earlierPlace([kind, slug, ...(day === undefined ? [] : [day])].join('/'), context);
}

type PlaceContext = Pick<ReadContext, 'replica' | 'now'>;

function placeOf(entry: PostEntry | undefined): string | undefined {
  return entry?.status === 'publish' ? pagePathOf(entry.record) : undefined;
}

/** Checks whether a record is in the trash, whose page was public: then it keeps the path of it. */
function isGone({ record, status }: PostEntry): boolean {
  return status === 'trash' && record.earlier_paths !== undefined;
}

function pageGone(): CodedError {
  return new CodedError('page-gone', 'Cannot show the page: what it was about is no longer in the calendar.');
}

interface EarlierPaths {
  readonly revision: number;
  readonly records: ReadonlyMap<string, AnyPost | TermRecord>;
  /** Series by the paths that their pages had as a whole. */
  readonly series: ReadonlyMap<string, SeriesRecord>;
  /** Paths of the lists of events on imported sites: as they are noted, or by the addresses of categories below them. */
  readonly lists: ReadonlySet<string>;
  readonly refused: readonly RefusedPath[];
}

/** A path that a record of a followed site has there, and may not have here. */
export interface RefusedPath {
  readonly record: AnyPost | TermRecord | SeriesRecord;
  readonly path: string;
}

/** Returns the paths that records of followed sites may not have here: nothing leads from them to these records. */
export function refusedPaths(replica: CalendarReplica): readonly RefusedPath[] {
  return earlierPaths(replica).refused;
}

/** The earlier paths of a calendar, at a revision. */
const indexes = new WeakMap<CalendarReplica, EarlierPaths>();

/** Finds a page by an earlier path. What stands behind it, such as `/feed`, stays; so does what stands behind that of the list of events. */
function earlierPlace(path: string, context: PlaceContext): string | undefined {
  const { replica } = context;
  const { records, series, lists } = earlierPaths(replica);
  const segments = comparablePath(path).split('/');
  for (let count = segments.length; count > 0; count -= 1) {
    const start = segments.slice(0, count).join('/');
    const record = records.get(start);
    const ofSeries = series.get(start);
    const next = ofSeries && dateOf(ofSeries, segments[count], context);
    const place = next ?? (record && placeNow(record, replica));
    const page = place ?? (lists.has(start) ? '/events/' : undefined);
    // What stands behind the address of a series names its dates.
    const rest = segments.slice(count).filter((segment) => next === undefined || segment === 'feed');
    const to = page && page + rest.map((segment) => `${encodeURIComponent(segment)}/`).join('');
    // The address itself, at which there is nothing, is no other place.
    if (to !== undefined && comparablePath(to) !== segments.join('/')) return to;
    const entry = record && 'status' in record ? replica.post(record.id) : undefined;
    if (entry !== undefined && isGone(entry)) throw pageGone();
    if (ofSeries !== undefined && eventsOf(ofSeries, replica).some(isGone)) throw pageGone();
  }
  return undefined;
}

/**
 * Returns the path of the page of the date of a series that is asked for by its day, else of the next one: of its last one, where all are
 * over. Throws `page-gone` where that of the day was public, and its event is in the trash.
 */
function dateOf(series: SeriesRecord, day: string | undefined, context: PlaceContext): string | undefined {
  const dates = series.dates.filter(({ recurrence }) => recurrence === day);
  const [event] = eventsOf({ dates }, context.replica);
  if (event !== undefined && isGone(event)) throw pageGone();
  return placeOf(event) ?? nextPlace(series, context);
}

function nextPlace(series: SeriesRecord, { replica, now }: PlaceContext): string | undefined {
  const dates = eventsOf({ ...series, dates: present(series, replica) }, replica)
    .filter(({ status }) => status === 'publish')
    .sort(({ record: one }, { record: other }) => (one.utc_start_date < other.utc_start_date ? -1 : 1));
  const next = dates.find(({ record }) => record.utc_end_date > formatWall(now)) ?? dates.at(-1);
  return next && pagePathOf(next.record);
}

function eventsOf({ dates }: Pick<SeriesRecord, 'dates'>, { posts }: CalendarReplica): EventEntry[] {
  return dates.flatMap(({ event, is_removed }) =>
    is_removed || event === undefined ? [] : (posts.event.get(event) ?? []),
  );
}

function placeNow(record: AnyPost | TermRecord, replica: CalendarReplica): string | undefined {
  return 'name' in record ? pagePathOf(record) : placeOf(replica.post(record.id));
}

/** Checks whether a path may be that of a list of events of an imported site. */
function mayBeList(path: string): boolean {
  return path !== '' && !wordsOfPages.has(path) && !isOfService(path);
}

/** Checks whether a path is the present one of an occurrence in its source. */
function isPlaceThere({ follows }: AnyPost | TermRecord, path: string): boolean {
  const { occurrence } = follows ?? {};
  return occurrence !== undefined && path.startsWith(`${occurrence.path}/${occurrence.day}`);
}

function earlierPaths(replica: CalendarReplica): EarlierPaths {
  const { revision } = replica;
  const cached = indexes.get(replica);
  if (cached?.revision === revision) return cached;
  const records = new Map<string, AnyPost | TermRecord>();
  const lists = new Set(
    replica.authors().flatMap(({ list_paths = [] }) => list_paths.filter((path) => mayBeList(path))),
  );
  const refused: RefusedPath[] = [];
  const posts = Object.values(replica.posts).flatMap((set): PostEntry[] => [...set.values()]);
  const withPaths = [...posts.map((entry) => entry.record), ...replica.terms.all()].filter(
    ({ earlier_paths }) => earlier_paths !== undefined,
  );
  // Those of here come first: a site that is followed has what they leave.
  const isOfHere = ({ follows }: AnyPost | TermRecord) => follows === undefined;
  for (const record of [...withPaths.filter(isOfHere), ...withPaths.filter((other) => !isOfHere(other))])
    for (const path of record.earlier_paths ?? []) {
      if (!isOfHere(record) && !mayHave(record.follows?.source, path, { replica, records })) {
        refused.push({ record, path });
        continue;
      }
      const other = records.get(path);
      // Of two that had a path the one that has it there has it now, else the one that can be read.
      if (other === undefined || placeNow(other, replica) === undefined || isPlaceThere(record, path))
        records.set(path, record);
      const [, list] = (record.kind === 'category' && /^(.+)\/category\/./.exec(path)) || [];
      if (list !== undefined && mayBeList(list)) lists.add(list);
    }
  const ofSeries = new Map<string, SeriesRecord>();
  for (const { record } of replica.series.values())
    for (const path of record.earlier_paths ?? []) {
      if (mayHave(record.imported_from, path, { replica, records })) ofSeries.set(path, record);
      else refused.push({ record, path });
    }
  const index = { revision, records, series: ofSeries, lists, refused };
  indexes.set(replica, index);
  return index;
}

/**
 * Checks whether a record of a site that is followed may have a path: not a word alone, with all that is below it, nothing of this service,
 * and nothing at or below the present or an earlier page of a record that is not of the site, also where nobody may open that one now.
 */
function mayHave(
  source: string | undefined,
  path: string,
  { replica, records }: { readonly replica: CalendarReplica } & Pick<EarlierPaths, 'records'>,
): boolean {
  const segments = path.split('/');
  if (segments.length < 2 || isOfService(path)) return false;
  const isOfSite = (other: AnyPost | TermRecord | undefined) =>
    other === undefined || other.follows?.source === source;
  const [word = '', slug = ''] = segments;
  const kind = postKinds.find((name) => name === word);
  const present = kind && replica.posts[kind].withSlug(slugOf(slug));
  return (
    isOfSite(present?.record) &&
    segments.every((_, index) => isOfSite(records.get(segments.slice(0, index + 1).join('/'))))
  );
}

const postKinds = ['event', 'venue', 'organizer'] as const;
