/** Decides how the records of another calendar are written under their ids. */

import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Decision, IdSpace } from '../../../functions/calendar/log/log.ts';
import type {
  AnyPost,
  CalendarRecord,
  ImageRecord,
  TermRecord,
} from '../../../functions/calendar/model/records.ts';
import type { Kind } from '../../../functions/calendar/model/values.ts';
import { keyOf } from '../../../functions/calendar/replica/entries.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';
import { type Exists, existenceIn, withLiveLinks } from './consistency.ts';
import { isInTheWay, lastOfSources } from './in-the-way.ts';
import { hostOf, isImported as isImportedSubject, isOfSource, isSameSubject } from './source-name.ts';

/** The records of an import by what it does with them. */
export interface ImportPlan {
  readonly created: readonly CalendarRecord[];
  readonly changed: readonly CalendarRecord[];
  readonly unchanged: number;
  /** Records that were changed here after their last change in the source: the import does not write them. */
  readonly changedHere: readonly CalendarRecord[];
  /** Records whose id or slug belongs to another record here. */
  readonly conflicts: readonly CalendarRecord[];
}

const spaces: Readonly<Record<Kind, IdSpace>> = {
  event: 'post',
  venue: 'post',
  organizer: 'post',
  image: 'post',
  category: 'term',
  tag: 'term',
  author: 'user',
};

/** Checks whether the record of a key gives up its slug in the same import. */
export type IsMoving = (key: string) => boolean;

/** Records of one write: a transaction has at most 100 rows, and a changed record touches two of them. */
export const maxImported = 45;

/** Compares records of a source with the records of the calendar, without any write. */
export function planImport(
  records: readonly CalendarRecord[],
  source: string,
  replica: CalendarReplica,
  exists: Exists = existenceIn(new Set(records.map(keyOf)), replica),
  isMoving: IsMoving = () => false,
): ImportPlan {
  const groups = Map.groupBy(records, (record) => classify(record, source, replica, exists, isMoving));
  const group = (name: Classification) => groups.get(name) ?? [];
  return {
    created: group('created'),
    changed: group('changed'),
    unchanged: group('unchanged').length,
    changedHere: group('changedHere'),
    conflicts: group('conflict'),
  };
}

/** Decides the write of at most `maxImported` records: of those that are new or changed. Its result is their number. */
export function importDecision(
  records: readonly CalendarRecord[],
  source: string,
  replica: CalendarReplica,
  exists?: Exists,
  isMoving?: IsMoving,
): Decision<number> {
  const { created, changed } = planImport(records, source, replica, exists, isMoving);
  const writes = [...created, ...changed];
  return {
    puts: writes.map((record) => ({ key: keyOf(record), json: JSON.stringify(record) })),
    deletes: [],
    usedIds: usedIdsOf(writes, replica),
    result: writes.length,
  };
}

/**
 * Returns the ids of each space that the counters pass with records: the largest. With a record of a source they pass all numbers that the
 * source may give later, since it goes on counting.
 */
export function usedIdsOf(
  records: readonly CalendarRecord[],
  replica: CalendarReplica,
): Readonly<Record<IdSpace, number>> {
  const first = records.some((record) => isOfAnySource(record, replica)) ? lastOfSources : 0;
  const maxId = (space: IdSpace) =>
    records.filter(({ kind }) => spaces[kind] === space).reduce((max, { id }) => Math.max(max, id), first);
  return { post: maxId('post'), term: maxId('term'), user: maxId('user') };
}

/** Checks whether a record is of a source: a user of it, or written by one, or a term of it. */
function isOfAnySource(record: CalendarRecord, replica: CalendarReplica): boolean {
  if (record.kind === 'image') return false;
  if (record.kind === 'author') return isImportedSubject(record.subject);
  if (isTerm(record)) return record.imported_from !== undefined;
  return isImportedSubject(replica.author(record.author)?.subject ?? '');
}

export type Classification = 'created' | 'changed' | 'unchanged' | 'changedHere' | 'conflict';

/** Compares a record of a source with the record of its id. */
export function classify(
  record: CalendarRecord,
  source: string,
  replica: CalendarReplica,
  exists: Exists,
  isMoving: IsMoving = () => false,
): Classification {
  const found = currentRecord(record, replica);
  const current = found !== undefined && isInTheWay(record, found, replica) ? undefined : found;
  if (isSlugTaken(record, replica, isMoving)) return 'conflict';
  if (current === undefined) return 'created';
  if (!isImported(record, current, source, replica)) return 'conflict';
  if (record.kind === 'author' || isCopied(record, current)) return 'unchanged';
  if (isEqual(record, current, exists)) return 'unchanged';
  return isNewer(current, record) ? 'changedHere' : 'changed';
}

/** Returns the record of the calendar with the id of a record, in the same space of ids. */
export function currentRecord(
  { kind, id }: CalendarRecord,
  replica: CalendarReplica,
): CalendarRecord | undefined {
  const space = spaces[kind];
  if (space === 'user') return replica.author(id);
  return space === 'term' ? replica.terms.get(id) : (replica.post(id)?.record ?? replica.image(id));
}

/**
 * Checks whether a record of the calendar was imported from the source: a post by its author or its publication, a term by its slug
 * or its name, an image by its file.
 */
function isImported(
  record: CalendarRecord,
  current: CalendarRecord,
  source: string,
  replica: CalendarReplica,
): boolean {
  if (record.kind !== current.kind) return false;
  if (record.kind === 'author') return isSameSubject(record.subject, (current as typeof record).subject);
  if (record.kind === 'image') return isSameFile(record, current as typeof record);
  if (isTerm(record)) {
    const { slug, name, imported_from = '' } = current as TermRecord;
    return slug === record.slug || name === record.name || isOfSource(imported_from, source);
  }
  const { author, date_utc } = current as AnyPost;
  const subject = replica.author(author)?.subject ?? '';
  return isOfSource(subject, source) || date_utc === record.date_utc;
}

/** Checks whether an import has copied the bytes of an image, and the source has the same still. */
export function isCopied(record: CalendarRecord, current: CalendarRecord): boolean {
  if (record.kind !== 'image' || current.kind !== 'image' || record.stored !== undefined) return false;
  const { source, source_state } = current.stored ?? {};
  if (source === undefined) return false;
  if (source_state !== undefined) return source_state === sourceState(record);
  // A copy of an earlier version.
  const isSameSize = record.filesize === undefined || record.filesize === current.filesize;
  return fileOf(source) === fileOf(record.url) && isSameSize;
}

/** Checks whether an image was imported from the site of another: the site may have changed its file, and the name of that. */
function isSameFile(record: ImageRecord, current: ImageRecord): boolean {
  const source = current.stored?.source ?? current.url;
  if (isCopied(record, current) || fileOf(record.url) === fileOf(source)) return true;
  return URL.canParse(source) && URL.canParse(record.url) && hostOf(source) === hostOf(record.url);
}

/** Names what a source says of an image: its address, bytes and sizes. */
export function sourceState({ url, filesize, sizes = {} }: ImageRecord): string {
  const ofSizes = Object.entries(sizes).map(([name, size]) => `${name} ${size.url}`);
  return hash('sha256', [url, filesize, ...ofSizes.sort()].join('\n')).slice(0, 16);
}

function isSlugTaken(record: CalendarRecord, replica: CalendarReplica, isMoving: IsMoving): boolean {
  const holder = slugHolderOf(record, replica);
  return holder !== undefined && !isMoving(keyOf(holder));
}

/** Returns another record that has the slug of a record here. */
export function slugHolderOf(
  record: CalendarRecord,
  replica: CalendarReplica,
): AnyPost | TermRecord | undefined {
  if (record.kind === 'author' || record.kind === 'image') return undefined;
  const holder = isTerm(record)
    ? replica.terms.withSlug(record.kind, record.slug)
    : replica.posts[record.kind].withSlug(record.slug)?.record;
  return holder?.id === record.id ? undefined : holder;
}

/** Checks whether an import has a record from a source. */
export function isFromSource(
  record: AnyPost | TermRecord,
  source: string,
  replica: CalendarReplica,
): boolean {
  const subject = isTerm(record) ? record.imported_from : replica.author(record.author)?.subject;
  return isOfSource(subject ?? '', source);
}

function isNewer(current: CalendarRecord, record: CalendarRecord): boolean {
  return 'modified_utc' in current && 'modified_utc' in record && current.modified_utc > record.modified_utc;
}

function isTerm(record: CalendarRecord): record is TermRecord {
  return record.kind === 'category' || record.kind === 'tag';
}

function fileOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}

/** Checks whether two records are stored alike, without links that lead nowhere. */
function isEqual(a: CalendarRecord, b: CalendarRecord, exists: Exists): boolean {
  const stored = (record: CalendarRecord) => JSON.parse(JSON.stringify(withLiveLinks(record, exists)));
  return isDeepStrictEqual(stored(a), stored(b));
}
