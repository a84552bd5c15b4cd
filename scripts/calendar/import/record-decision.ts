/** Decides one record of a source that has its own ids here: what of it is stored, and what stays as people have left it. */

import { isDeepStrictEqual } from 'node:util';
import { checkEntity } from '../../../functions/calendar/log/plan.ts';
import { changeToEntity, spellJson } from '../../../functions/calendar/log/rows.ts';
import {
  findZone,
  formatWall,
  readWall,
  toInstant,
  toWall,
} from '../../../functions/calendar/model/dates/wall.ts';
import { blobsOf } from '../../../functions/calendar/model/image-url.ts';
import { linksOf, maxLinks } from '../../../functions/calendar/model/linked-records.ts';
import { type Note, ownerOf } from '../../../functions/calendar/model/owner.ts';
import { withEarlierPaths } from '../../../functions/calendar/model/page-paths.ts';
import { withEarlierKeys } from '../../../functions/calendar/model/picture-keys.ts';
import type {
  AnyPost,
  AuthorRecord,
  CalendarRecord,
  EventRecord,
  ImageRecord,
  SeriesRecord,
  TermRecord,
} from '../../../functions/calendar/model/records.ts';
import { trashedSlug } from '../../../functions/calendar/model/text/slug.ts';
import type {
  Digests,
  PasswordHash,
  PostKind,
  SourceOccurrence,
  TermKind,
} from '../../../functions/calendar/model/values.ts';
import { keyOf } from '../../../functions/calendar/replica/entries.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';
import { signpostOf } from '../../../functions/calendar/write/terms.ts';
import { isCodedError } from '../../../shared/errors.ts';
import { type Exists, withLiveLinks } from './consistency.ts';
import { type AccessThere, decideAccess, storedAccess } from './decide.ts';
import type { Draft } from './draft.ts';
import {
  digestOf,
  noDigest,
  noteIn,
  pictureTexts,
  type Values,
  valuesOf,
  withNote,
  withOwnChange,
  withValues,
} from './fields.ts';
import { isInTheWay } from './in-the-way.ts';
import { liveValues } from './live-values.ts';
import { withCopiedPictures } from './picture-addresses.ts';
import {
  type IsOwn,
  isImported as isImportedSubject,
  isOfSource,
  isSameSource,
  isSameSubject,
} from './source-name.ts';
import { isCopied, isSameFile } from './source-picture.ts';

/** A record of a source. */
export interface SourceRecord {
  /** As it is stored where it is new. */
  readonly record: CalendarRecord;
  /** The fields that the source has, with the digests of their values there. Default: it has all fields, with the values of the record. */
  readonly there?: Digests;
  /** Of an occurrence of a recurring event: how the source names it. */
  readonly occurrence?: SourceOccurrence | undefined;
}

/** What an import knows beside its records. */
export interface SourceFacts {
  /** Address that names the source. */
  readonly source: string;
  readonly exists: Exists;
  /** Keys of the records that are imported. */
  readonly keys: ReadonlySet<string>;
  /** Keys of records of the source that are not valid. */
  readonly rejected: ReadonlySet<string>;
  /** Whether the source is this calendar itself: a file that it has exported. */
  readonly isOwnExport: boolean;
  /** Returns the addresses of copied pictures, which texts have here in place of those of the source. */
  readonly addresses: (draft: Draft) => ReadonlyMap<string, string>;
  /** Whether these are all records that the source shows. */
  readonly isWhole: boolean;
  /** Whether the calendar had records of the source before. */
  readonly isFollowing: boolean;
  /** Whether an import has noted what the source said of a record that is here: then it has done so of all. */
  readonly isNoted: boolean;
  /** Whether records of here give up their slugs to those of the source. */
  readonly takesSlugs: boolean;
  /** Whether the picture of an address is copied after the records. */
  readonly isToBeCopied: IsOwn;
  /** Keys of events with a password in the source. */
  readonly locked: ReadonlySet<string>;
  /** The hashes of these passwords by the keys of their events, where they are known. */
  readonly hashes: ReadonlyMap<string, PasswordHash>;
}

/** A field that both sides have changed. */
export interface Difference {
  readonly field: string;
  readonly there: unknown;
  readonly here: unknown;
}

/**
 * What was decided of a record. `conflict`: another record has its id or slug. `inTheWay`: a record
 * of here that can be moved has its number. `leftOut`: people have deleted it here. `changedHere`: it
 * differs from the source in values of here alone.
 */
export type Outcome =
  | 'created'
  | 'changed'
  | 'unchanged'
  | 'changedHere'
  | 'leftOut'
  | 'conflict'
  | 'inTheWay'
  | 'refused';

export interface Verdict {
  readonly key: string;
  readonly outcome: Outcome;
  /** Why it is refused, or what it collides with. */
  readonly reason?: string;
  /** Fields that people have changed here, and the source has not. */
  readonly kept: readonly string[];
  readonly differences: readonly Difference[];
  /** Whether people have published it here after its source had withdrawn it. */
  readonly isPublishedHere?: boolean;
  /** Whether readers could see it before, and cannot any more. */
  readonly isWithdrawn?: boolean;
  /** Key of a record that gets another slug, since the source has given its own to this one. */
  readonly displaced?: string;
  /** The slug that it has in its source, and that a record of here keeps. */
  readonly yieldedSlug?: string;
  /** Whether it is a copied picture of which the source has another file by now. */
  readonly isToBeCopied?: boolean;
  /** Blobs that no record has any more. */
  readonly unusedBlobs?: readonly string[];
}

const nothing = { kept: [], differences: [] } as const;

/** Decides a record of a source, and puts what is to be stored of it into a draft. */
export function decideRecord(source: SourceRecord, draft: Draft, facts: SourceFacts): Verdict {
  const { record } = source;
  const key = keyOf(record);
  const holder = draft.holder(record);
  if (holder !== undefined && isInTheWay(record, holder, draft.replica))
    return { key, outcome: 'inTheWay', reason: keyOf(holder), ...nothing };
  if (holder !== undefined && !isImported(record, holder, facts, draft.replica))
    return { key, outcome: 'conflict', reason: slugOf(record), ...nothing };
  if (record.kind === 'author') return decideAuthor(record, holder, draft);
  if (record.kind === 'series') return decideSeries(record, holder as SeriesRecord | undefined, draft, facts);
  if (holder === undefined && isTermDeletedHere(record, draft, facts))
    return { key, outcome: 'leftOut', ...nothing };
  if (record.kind === 'image' && record.stored === undefined)
    return decideImage(record, holder as ImageRecord | undefined, draft, facts);
  return holder === undefined
    ? createRecord(source as SourceRecord & { record: Followed }, draft, facts)
    : changeRecord(source as SourceRecord & { record: Followed }, holder as Followed, draft, facts);
}

/** A record whose fields are decided one by one. */
type Followed = AnyPost | TermRecord | ImageRecord;

function decideAuthor(record: AuthorRecord, holder: CalendarRecord | undefined, draft: Draft): Verdict {
  if (holder === undefined) draft.put(record);
  return { key: keyOf(record), outcome: holder === undefined ? 'created' : 'unchanged', ...nothing };
}

/** A series of a file. One that is here stays as it is, unless the file has more dates of it. */
function decideSeries(
  record: SeriesRecord,
  current: SeriesRecord | undefined,
  draft: Draft,
  { exists }: SourceFacts,
): Verdict {
  const key = keyOf(record);
  const dates = record.dates.filter(({ event }) => event === undefined || exists('event', event));
  const layersOf = (layers: SeriesRecord['layers']) =>
    layers.map(({ from, values }) => {
      const { kind: _kind, ...own } = withLiveLinks(
        { kind: 'event', ...withoutNulls(values) } as unknown as EventRecord,
        exists,
      );
      const nulls = Object.entries(values).filter(([, value]) => value === null);
      return { from, values: { ...own, ...Object.fromEntries(nulls) } };
    });
  const { layers, given } = record;
  const live = { ...record, dates, layers: layersOf(layers), ...(given && { given: layersOf(given) }) };
  if (dates.length === 0)
    return { key, outcome: 'refused', reason: 'none of its events is here', ...nothing };
  if (current !== undefined) {
    const { creation: _creation, ...here } = current;
    const members = ['recurrence', 'layers', 'dates'] as const;
    const kept = members.filter((name) => !isDeepStrictEqual(plain(live[name]), plain(here[name])));
    if (kept.length === 0) return { key, outcome: 'unchanged', ...nothing };
    const isMore = dates.length > current.dates.length && current.dates.every((date) => hasDate(live, date));
    if (!isMore) return { key, outcome: 'changedHere', kept, differences: [] };
  }
  const reason = reasonNotToStore(live);
  if (reason !== undefined) return { key, outcome: 'refused', reason, ...nothing };
  draft.put({ ...live, ...(current?.creation && { creation: current.creation }) });
  return { key, outcome: current === undefined ? 'created' : 'changed', ...nothing };
}

const withoutNulls = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

const hasDate = ({ dates }: SeriesRecord, { recurrence, event }: SeriesRecord['dates'][number]) =>
  dates.some((date) => date.recurrence === recurrence && date.event === event);

/** An image of the source, whose file a later step copies. One whose record was deleted here, while posts name it still, stays deleted. */
function decideImage(
  record: ImageRecord,
  current: ImageRecord | undefined,
  draft: Draft,
  facts: SourceFacts,
): Verdict {
  const key = keyOf(record);
  if (current === undefined) {
    if (isDeletedHere(record, draft.replica)) return { key, outcome: 'leftOut', ...nothing };
    draft.put(record);
    return { key, outcome: 'created', ...nothing };
  }
  if (isCopied(record, current)) return { key, outcome: 'unchanged', ...nothing };
  if (current.stored?.source !== undefined) {
    // The copy stays until there is another one; its texts may be those of people.
    if (facts.isToBeCopied(record.url)) return { key, outcome: 'unchanged', ...nothing, isToBeCopied: true };
    const kept = writtenTexts(current, draft);
    if (kept.length > 0) return { key, outcome: 'changedHere', kept, differences: [] };
  }
  const { shown_since } = current;
  const next = { ...withEarlierKeys(record, current), ...(shown_since && { shown_since }) };
  if (isDeepStrictEqual(plain(next), plain(current))) return { key, outcome: 'unchanged', ...nothing };
  draft.put(next);
  const used = new Set(blobsOf(next).values());
  const unusedBlobs = [...blobsOf(current).values()].filter((blob) => !used.has(blob));
  return { key, outcome: 'changed', ...nothing, unusedBlobs };
}

function isDeletedHere({ id }: ImageRecord, { posts }: CalendarReplica): boolean {
  return Object.values(posts).some((set) => [...set.values()].some(({ record }) => record.image === id));
}

/** Checks whether people have deleted a category or tag here that was imported from the source. */
function isTermDeletedHere(
  { kind, id }: CalendarRecord,
  { replica: { terms } }: Draft,
  { source, isOwnExport }: SourceFacts,
): boolean {
  if ((kind !== 'category' && kind !== 'tag') || isOwnExport) return false;
  const { follows } = terms.signpost(id) ?? {};
  return follows !== undefined && isSameSource(follows.source, source);
}

function createRecord(
  { record, there, occurrence }: SourceRecord & { record: Followed },
  draft: Draft,
  facts: SourceFacts,
): Verdict {
  const key = keyOf(record);
  const live = asStored(record, draft, facts);
  const access = 'status' in live ? accessThere(live, facts) : undefined;
  const created = (access === undefined ? live : { ...live, ...storedAccess(access) }) as Followed;
  let digests: Digests = {};
  const stored = valuesOf(live);
  for (const field of there === undefined ? stored.keys() : Object.keys(there)) {
    const digest = digestOf(stored.get(field), there && field);
    digests = withNote(digests, field, { there: there?.[field] ?? digest, here: digest });
  }
  // What the source does not tell, behind a password, has a value here that nobody has written.
  for (const [field, value] of there === undefined ? [] : stored)
    if (there?.[field] === undefined && field !== 'imported_from')
      digests = withNote(digests, field, { there: noDigest, here: digestOf(value, field) });
  if (access !== undefined && 'status' in created) {
    const { notes } = decideAccess(access, created, { status: undefined, access_password: undefined }, false);
    digests = withAccessNotes(digests, notes);
  }
  const noted = withNotes(created, digests, occurrence, facts);
  const placed = withRoom(withPathsOf(noted, live), undefined, draft, facts);
  if (placed === 'conflict') return { key, outcome: 'conflict', reason: slugOf(record), ...nothing };
  const { record: next, ...room } = placed;
  const reason = reasonNotToStore(next);
  if (reason !== undefined) return { key, outcome: 'refused', reason, ...nothing };
  draft.put(next);
  return { key, outcome: 'created', ...nothing, ...room };
}

/** Returns a record as it is stored now: links to records that are here or come with it, and copies of pictures in its texts. */
function asStored(record: Followed, draft: Draft, { exists, addresses }: SourceFacts): Followed {
  return withCopiedPictures(withLiveLinks(record, exists), addresses(draft));
}

/** Returns a record that keeps the paths that its page has, or had, in the source, and its name in feeds there. */
function withPathsOf(next: Followed, record: Followed): Followed {
  if (next.kind === 'image' || record.kind === 'image') return next;
  const named =
    next.kind === 'event' && record.kind === 'event' && record.guid !== undefined
      ? { ...next, guid: next.guid ?? record.guid }
      : next;
  return withEarlierPaths(named, record.earlier_paths ?? []);
}

const slugOf = (record: CalendarRecord) => ('slug' in record ? record.slug : '');

function changeRecord(
  { record, there, occurrence }: SourceRecord & { record: Followed },
  current: Followed,
  draft: Draft,
  facts: SourceFacts,
): Verdict {
  const key = keyOf(record);
  const live = asStored(record, draft, facts);
  const before = facts.isOwnExport ? undefined : digestsFor(current, facts.source);
  const isNewerHere = isNewer(current, record);
  const access =
    'status' in live && 'status' in current
      ? decideAccess(accessThere(live, facts), current, accessNotes(before), isNewerHere)
      : undefined;
  if (
    'status' in current &&
    current.status === 'trash' &&
    access?.status === 'trash' &&
    access.owner !== 'same'
  )
    return { key, outcome: 'leftOut', ...nothing };
  const fields = decideFields(live, there, current, before, isNewerHere, draft);
  const digests = access === undefined ? fields.digests : withAccessNotes(fields.digests, access.notes);
  const taken = new Map(fields.taken);
  const kept = [...fields.kept];
  const differences = [...fields.differences];
  let next = current;
  if (access !== undefined) {
    if (access.owner === 'here') kept.push('status');
    if (access.owner === 'both')
      differences.push({
        field: 'status',
        there: (live as AnyPost).status,
        here: (current as AnyPost).status,
      });
    next = withAccess(current as AnyPost, live as AnyPost, access, taken);
  }
  next = withConsistentTimes(withValues(next, taken), live, taken);
  // What an earlier import did not know of.
  if (
    next.kind === 'event' &&
    live.kind === 'event' &&
    next.series === undefined &&
    live.series !== undefined
  )
    next = { ...next, series: live.series };
  if (there === undefined && 'generation' in live)
    next = { ...next, generation: live.generation } as Followed;
  next = withModified(next, current, live, kept.length + differences.length > 0, draft);
  const noted = withNotes(next, digests, occurrence, facts);
  const placed = withRoom(withPathsOf(noted, live), current, draft, facts);
  if (placed === 'conflict') return { key, outcome: 'conflict', reason: slugOf(next), ...nothing };
  const { record: placedNext, ...room } = placed;
  next = placedNext;
  const isChanged = !isDeepStrictEqual(withoutNotes(next), withoutNotes(current));
  if (isChanged || !isDeepStrictEqual(next.follows, current.follows)) {
    const reason = reasonNotToStore(next);
    if (reason !== undefined) return { key, outcome: 'refused', reason, ...nothing };
    draft.put(next);
  }
  const isKept = kept.length + differences.length > 0;
  return {
    key,
    outcome: isChanged ? 'changed' : isKept ? 'changedHere' : 'unchanged',
    kept,
    differences,
    ...room,
    ...(access?.owner === 'published' ? { isPublishedHere: true } : {}),
    ...(isOpen(current) && !isOpen(next) ? { isWithdrawn: true } : {}),
  };
}

interface FieldDecisions {
  /** Values of the source that are stored. */
  readonly taken: Values;
  readonly digests: Digests;
  readonly kept: readonly string[];
  readonly differences: readonly Difference[];
}

function decideFields(
  record: Followed,
  there: Digests | undefined,
  current: Followed,
  before: Digests | undefined,
  isNewerHere: boolean,
  draft: Draft,
): FieldDecisions {
  const stored = valuesOf(record);
  const here = there === undefined ? valuesOf(current) : liveValues(current, draft);
  const fields =
    there === undefined
      ? new Set([
          ...stored.keys(),
          ...here.keys(),
          ...Object.keys(before ?? {}).filter((name) => !isAccess(name)),
        ])
      : Object.keys(there);
  let digests: Digests = before ?? {};
  const taken = new Map<string, unknown>();
  const kept: string[] = [];
  const differences: Difference[] = [];
  for (const field of fields) {
    // A picture may have another address since the text was stored: the text shows it all the same.
    if (isSameText(stored.get(field), here.get(field))) stored.set(field, here.get(field));
    const digest = (value: unknown) => digestOf(value, there && field);
    const sides = {
      stored: digest(stored.get(field)),
      there: there?.[field] ?? digest(stored.get(field)),
      here: digest(here.get(field)),
    };
    const note = noteIn(before, field);
    const owner = ownerOf(sides, note, isNewerHere);
    if (owner === 'source') taken.set(field, stored.get(field));
    if (owner === 'here') kept.push(field);
    if (owner === 'both') differences.push({ field, there: stored.get(field), here: here.get(field) });
    // Without a note the value of the source is that from which people have gone on.
    if (owner === 'source' || sides.stored === sides.here || note === undefined)
      digests = withNote(digests, field, { there: sides.there, here: sides.stored });
  }
  return { taken, digests, kept, differences };
}

/** Checks whether two texts differ in nothing but the keys in the addresses of pictures. */
function isSameText(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string' || !one.includes('/pictures/')) return false;
  const withoutKeys = (text: string) => text.replace(/(\/pictures\/\d{1,15}\/)[0-9a-f]{16}(?=\/)/g, '$1');
  return withoutKeys(one) === withoutKeys(other);
}

function isAccess(field: string): boolean {
  return field === 'status' || field === 'access_password';
}

function accessThere(record: AnyPost, { locked, hashes }: SourceFacts): AccessThere {
  const key = keyOf(record);
  const known = hashes.get(key) ?? (record as EventRecord).access_password;
  return {
    status: record.status,
    isLocked: locked.has(key) || known !== undefined,
    password: known,
  };
}

const accessNotes = (digests: Digests | undefined) => ({
  status: noteIn(digests, 'status'),
  access_password: noteIn(digests, 'access_password'),
});

function withAccessNotes(
  digests: Digests,
  { status, access_password }: ReturnType<typeof decideAccess>['notes'],
): Digests {
  const withStatus = status === undefined ? digests : withNote(digests, 'status', status);
  return access_password === undefined
    ? withStatus
    : withNote(withStatus, 'access_password', access_password);
}

/** Returns a record with what is noted of it. An export of this calendar is no source that it follows. */
function withNotes(
  record: Followed,
  digests: Digests,
  occurrence: SourceOccurrence | undefined,
  { source, isOwnExport }: SourceFacts,
): Followed {
  if (isOwnExport) return record;
  return { ...record, follows: { source, digests, ...(occurrence === undefined ? {} : { occurrence }) } };
}

/** Returns the notes of the last import from the same source. */
function digestsFor({ follows }: Followed, source: string): Digests | undefined {
  return follows !== undefined && isSameSource(follows.source, source) ? follows.digests : undefined;
}

/** Returns a record with the access that was decided. */
function withAccess(
  current: AnyPost,
  record: AnyPost,
  { status, access_password, owner }: ReturnType<typeof decideAccess>,
  taken: Map<string, unknown>,
): AnyPost {
  const { access_password: _password, trashed_from, ...others } = current as EventRecord;
  const next = {
    ...others,
    status,
    ...(access_password === undefined ? {} : { access_password }),
    ...(status === 'trash'
      ? trashedFrom(owner === 'source' ? (record as EventRecord).trashed_from : trashed_from)
      : {}),
  } as AnyPost;
  if (status === 'future' && owner === 'source') taken.set('date', [record.date, record.date_utc]);
  const isBack = current.status === 'trash' && status !== 'trash';
  return isBack ? withLinksAgain(next) : next;
}

const trashedFrom = (status: EventRecord['trashed_from']) =>
  status === undefined ? {} : { trashed_from: status };

/** The import itself has moved it to the trash, so the links that were made before count again. */
function withLinksAgain(record: AnyPost): AnyPost {
  if (record.kind === 'event' || (record.generation ?? 0) === 0) return record;
  const { generation = 1, ...others } = record;
  return (generation === 1 ? others : { ...others, generation: generation - 1 }) as AnyPost;
}

/** Start, end and zone of different sides make an event whose instants are those of its wall times. */
function withConsistentTimes(next: Followed, record: Followed, taken: Values): Followed {
  if (next.kind !== 'event' || record.kind !== 'event') return next;
  const names = ['start_date', 'end_date', 'timezone'];
  const isOfOneSide = names.every((name) =>
    isDeepStrictEqual(valuesOf(next).get(name), valuesOf(record).get(name)),
  );
  if (isOfOneSide || !names.some((name) => taken.has(name))) return next;
  const zone = findZone(next.timezone);
  if (zone === undefined) return next;
  const instantOf = (wall: string) => toInstant(zone, readWall(wall));
  const start = instantOf(next.start_date);
  const end = Math.max(start, instantOf(next.end_date));
  const wallOf = (instant: number) => formatWall(toWall(zone, instant));
  return {
    ...next,
    start_date: wallOf(start),
    utc_start_date: formatWall(start),
    end_date: wallOf(end),
    utc_end_date: formatWall(end),
  };
}

/** The time of the last change is that of the source where all is as there; where both sides have a part, it is the present. */
function withModified(
  next: Followed,
  current: Followed,
  record: Followed,
  isMixed: boolean,
  { context: { site, now } }: Draft,
): Followed {
  if (!('modified' in next) || !('modified' in current) || !('modified' in record)) return next;
  const isSame = isDeepStrictEqual(withoutNotes(next), withoutNotes(current));
  if (isSame && (isMixed || record.modified_utc <= current.modified_utc)) return next;
  const times = isMixed
    ? { modified: formatWall(toWall(site.zone, now)), modified_utc: formatWall(now) }
    : { modified: record.modified, modified_utc: record.modified_utc };
  return { ...next, ...times };
}

interface Placed {
  readonly record: Followed;
  readonly displaced?: string;
  readonly yieldedSlug?: string;
}

/**
 * Returns a record with a slug that no other has. A slug that the source has given to another of its records is free there, so that one
 * gets its number as a suffix. A record of here keeps its own, since people read its page at that address: the record of the source gets
 * the suffix, unless the import takes slugs.
 */
function withRoom(
  next: Followed,
  current: Followed | undefined,
  draft: Draft,
  facts: SourceFacts,
): 'conflict' | Placed {
  if (next.kind === 'image' || (current !== undefined && slugOf(current) === next.slug))
    return { record: next };
  const holder = draft.withSlug(next.kind, next.slug, next.id);
  if (holder === undefined) return { record: next };
  const key = keyOf(holder);
  const isInImport = facts.keys.has(key);
  const isOfSource = isInImport || (facts.isWhole && isFromSource(holder, facts.source, draft.replica));
  const isGivenUp = isOfSource && !facts.rejected.has(key) && !isSlugOfHere(holder, facts);
  if (isGivenUp || facts.takesSlugs) {
    draft.put(withOwnChange(holder, { ...holder, slug: draft.slugBeside(holder) }));
    return isInImport ? { record: next } : { record: next, displaced: key };
  }
  if (!facts.isFollowing) return 'conflict';
  return { record: withOwnChange(next, { ...next, slug: draft.slugBeside(next) }), yieldedSlug: next.slug };
}

/** Checks whether people have given a record of the source its slug here. */
function isSlugOfHere(record: AnyPost | TermRecord, { source }: SourceFacts): boolean {
  const note = noteIn(digestsFor(record, source), 'slug');
  return note?.here !== undefined && note.here !== digestOf(record.slug, 'slug');
}

/** Checks whether an import has a record from a source. */
function isFromSource(record: AnyPost | TermRecord, source: string, replica: CalendarReplica): boolean {
  return isOfSource(subjectOf(record, replica), source);
}

function subjectOf(record: AnyPost | TermRecord, replica: CalendarReplica): string {
  return ('name' in record ? record.imported_from : replica.author(record.author)?.subject) ?? '';
}

/**
 * Checks whether a record of the calendar was imported from the source. One without a source, of an earlier version, is known by its
 * publication, or by the slug or name of a term; an image by its file. Once imports note what the source has said, records without that
 * are those of people here: the site knows their ids, dates and names too.
 */
function isImported(
  record: CalendarRecord,
  current: CalendarRecord,
  { source, isNoted }: Pick<SourceFacts, 'source' | 'isNoted'>,
  replica: CalendarReplica,
): boolean {
  if (record.kind !== current.kind) return false;
  if (record.kind === 'author') return isSameSubject(record.subject, (current as AuthorRecord).subject);
  if (record.kind === 'image') return isSameFile(record, current as ImageRecord);
  if (record.kind === 'series') return (current as SeriesRecord).dates.some((date) => hasDate(record, date));
  const here = current as AnyPost | TermRecord;
  if (here.follows !== undefined && isSameSource(here.follows.source, source)) return true;
  const subject = subjectOf(here, replica);
  if (isOfSource(subject, source)) return true;
  // What is of another source, such as a site in another folder of the host, is not this one's.
  if (isImportedSubject(subject) || isNoted) return false;
  if ('name' in record)
    return record.slug === (here as TermRecord).slug || record.name === (here as TermRecord).name;
  return (here as AnyPost).date_utc === (record as AnyPost).date_utc;
}

function isNewer(current: Followed, record: Followed): boolean {
  // Terms have no time of change.
  if (!('modified_utc' in current) || !('modified_utc' in record)) return true;
  return current.modified_utc > record.modified_utc;
}

function isOpen(record: Followed): boolean {
  return 'status' in record && record.status === 'publish' && !('access_password' in record);
}

/** Returns why a record cannot be stored; undefined where it can. */
function reasonNotToStore(record: CalendarRecord): string | undefined {
  const key = keyOf(record);
  if (linksOf(record) > maxLinks)
    return `it has more than ${maxLinks} venues, organizers, categories and tags together`;
  try {
    checkEntity(key, changeToEntity('', { key, json: spellJson(JSON.stringify(record)), version: 1 }));
    return undefined;
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return error.message;
  }
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function withoutNotes({ follows: _follows, ...record }: Followed): unknown {
  return plain(record);
}

/** What a site says of a record that it does not show any more. */
export interface WithdrawnRecord {
  readonly kind: PostKind | TermKind;
  readonly id: number;
  /** Deleted there; there, and not for this reader; or behind a password. */
  readonly standing: 'gone' | 'hidden' | 'locked';
}

/** Decides a record that the source has withdrawn: it goes to the trash, or is private, and a term is deleted unless people have changed it here. */
export function decideWithdrawn(
  { kind, id, standing }: WithdrawnRecord,
  draft: Draft,
  { source }: Pick<SourceFacts, 'source'>,
): Verdict {
  const key = `${kind}/${id}`;
  const current = draft.get(kind, id) as Followed | undefined;
  if (current === undefined) return { key, outcome: 'unchanged', ...nothing };
  if (current.kind === 'category' || current.kind === 'tag') {
    const kept = changedFields(current, digestsFor(current, source), draft);
    if (kept.length > 0) return { key, outcome: 'changedHere', kept, differences: [] };
    deleteForSource(current, draft);
    return { key, outcome: 'changed', ...nothing };
  }
  const post = current as AnyPost;
  if (post.status === 'trash') return { key, outcome: 'unchanged', ...nothing };
  const there: AccessThere =
    standing === 'locked'
      ? { status: 'publish', isLocked: true }
      : { status: standing === 'gone' ? 'trash' : 'private', isLocked: false };
  const digests = digestsFor(post, source);
  const access = decideAccess(there, post, accessNotes(digests), true);
  const isPublishedHere = access.owner === 'published';
  // Without a note nobody knows who has made a draft of it.
  const isFollowed =
    access.owner === 'source' || (access.owner === 'both' && digests === undefined && standing === 'gone');
  if (!isFollowed) {
    const seen = digests && withAccessNotes(digests, access.notes);
    if (seen !== undefined && !isDeepStrictEqual(seen, digests))
      draft.put({ ...post, follows: { ...post.follows, source, digests: seen } });
    return { key, outcome: 'unchanged', ...nothing, ...(isPublishedHere ? { isPublishedHere } : {}) };
  }
  const status = standing === 'gone' ? 'trash' : access.status;
  const changed =
    status === 'trash'
      ? trashed(post, draft)
      : ({ ...post, status, access_password: access.access_password } as AnyPost);
  const next = withOwnChange(post, JSON.parse(JSON.stringify(changed)) as AnyPost);
  const noted = withAccessNotes(next.follows?.digests ?? notesOf(next, draft), {
    ...access.notes,
    status: { there: digestOf(status === 'trash' ? 'trash' : wordThere(there)), here: digestOf(status) },
  });
  draft.put({ ...next, follows: { ...next.follows, source, digests: noted } });
  return { key, outcome: 'changed', ...nothing, isWithdrawn: true };
}

/** Deletes a term for its source: what remains of it does not keep it from coming back with the source. */
function deleteForSource({ follows: _follows, ...term }: TermRecord, draft: Draft): void {
  const { terms } = draft.replica;
  if (terms.isParent(term.id)) draft.put(signpostOf(term, terms));
  else draft.delete(term);
}

/** Returns notes of a record that no import has noted yet: that it is as its source was. */
function notesOf(record: Followed, draft: Draft): Digests {
  let digests: Digests = {};
  for (const [field, value] of liveValues(record, draft)) {
    const digest = digestOf(value, field);
    digests = withNote(digests, field, { there: digest, here: digest });
  }
  return digests;
}

const wordThere = ({ status, isLocked }: AccessThere) => (isLocked ? `${status} locked` : status);

/** The fields of an uploaded picture that people write. */
const writtenFields = pictureTexts.map((name) => `stored.${name}`);

/** Returns the fields of a term, or the texts of a picture, that people have changed since it was imported. */
function changedFields(
  record: TermRecord | ImageRecord,
  digests: Digests | undefined,
  draft: Draft,
): string[] {
  if (digests === undefined) return [];
  const here = liveValues(record, draft);
  const isChanged = (field: string) => {
    const note: Note | undefined = noteIn(digests, field);
    return note?.here !== undefined && note.here !== digestOf(here.get(field), field);
  };
  const fields = record.kind === 'image' ? writtenFields : [...Object.keys(digests), ...here.keys()];
  return [...new Set(fields)].filter((field) => field !== 'imported_from' && isChanged(field));
}

/**
 * Returns the texts of a copied picture that people have written here. Without notes these are all that a copy does not have by itself, and
 * its title where it was changed later.
 */
export function writtenTexts(image: ImageRecord, draft: Draft): string[] {
  const { stored, follows } = image;
  if (stored === undefined) return [];
  if (follows !== undefined) return changedFields(image, follows.digests, draft);
  const isChanged = stored.modified_utc !== stored.date_utc;
  const names = ['alt_text', 'caption', 'description', ...(isChanged ? ['title', 'slug'] : [])] as const;
  return names.map((name) => `stored.${name}`).filter((field) => valuesOf(image).has(field));
}

/** Returns a record as it is in the trash. Its time of change stays, so that it comes back as it is in the source. */
function trashed(post: AnyPost, draft: Draft): AnyPost {
  const slug = draft.trial({}, (write) => write.freeSlug(post.kind, post.id, trashedSlug(post.slug)));
  if (post.kind === 'event') return { ...post, slug, status: 'trash', trashed_from: post.status };
  return { ...post, slug, status: 'trash', generation: (post.generation ?? 0) + 1 };
}
