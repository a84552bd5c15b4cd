/** Imports the records of a file. Each is created or updated like an editor's write through the API, which parses and sanitizes its values. */

import { isDeepStrictEqual } from 'node:util';
import type { RawParameters } from '../../../functions/calendar/model/calendar-context.ts';
import { formatWall } from '../../../functions/calendar/model/dates/wall.ts';
import { ownerOf } from '../../../functions/calendar/model/owner.ts';
import type { AnyPost, EventRecord } from '../../../functions/calendar/model/records.ts';
import { invalidParameter } from '../../../functions/calendar/model/refusals.ts';
import { plainText } from '../../../functions/calendar/model/text/plain-text.ts';
import {
  type Digests,
  type ImportedFrom,
  linkedId,
  type SourceIdentity,
  statuses,
} from '../../../functions/calendar/model/values.ts';
import type { EventEntry } from '../../../functions/calendar/replica/entries.ts';
import { type CalendarReplica, systemClock } from '../../../functions/calendar/replica/replica.ts';
import { createPost, updatePost } from '../../../functions/calendar/write/posts.ts';
import type { Write } from '../../../functions/calendar/write/write.ts';
import { type CodedError, isCodedError } from '../../../shared/errors.ts';
import { ContactNames, placeNote } from './contact-names.ts';
import { decideAccess } from './decide.ts';
import type { Draft } from './draft.ts';
import { digestOf, noteIn, withNote } from './fields.ts';
import { fillSeries } from './fill-series.ts';
import type { ImportOptions } from './import.ts';
import { formatOf, ImportedEvents, keyOf, placesOf, slugOfRow } from './imported-events.ts';
import type { Limits } from './limits.ts';
import { liveValues } from './live-values.ts';
import { Notes } from './notes.ts';
import { PartlyDoneError } from './outcome.ts';
import { prunedWithoutAsking } from './pruning.ts';
import type { FileRows, Row } from './row.ts';
import type { Target } from './target.ts';

export interface RowReport {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Number of events that are not imported for a reason that a note says. */
  readonly leftOut: number;
  /** Names of invalid rows, with the reason. */
  readonly rejected: readonly string[];
  readonly notes: readonly string[];
}

type Outcome = 'created' | 'changed' | 'unchanged' | 'leftOut';

interface RowOptions extends ImportOptions {
  readonly limits: Limits;
  /** Whether events that the file has no longer are moved to the trash. */
  readonly prunesMissing?: boolean;
  /** Number of events that may be pruned. */
  readonly pruneAtMost?: number | undefined;
  /** Returns the row that an export writes of an event of the calendar. */
  readonly exportedRow: (entry: EventEntry) => Row | undefined;
}

/** Writes the records of a file to a calendar one by one. Lists invalid rows and continues after them. */
export async function importRows(
  { rows: read, rejected, leftOut, notes, source, otherUids: uidsWithoutRows = [], isCut = false }: FileRows,
  target: Target,
  options: RowOptions,
): Promise<RowReport> {
  await target.records();
  const counts = { created: 0, changed: 0, unchanged: 0, leftOut };
  const allRejected = [...rejected];
  const ownNotes = new Notes();
  const rows = withNumbers(read);
  const search: Search = {
    events: new ImportedEvents(rows, target.replica),
    names: new ContactNames(target.replica),
    lines: new Map(),
    notes: ownNotes,
  };
  for (const name of search.events.otherUids) ownNotes.add(otherUids, name);
  for (const name of search.events.replacedIn(rows)) ownNotes.add(replacedUids, name);
  const vanished = isCut
    ? nothingVanished
    : vanishedIn(rows, { source, others: new Set(uidsWithoutRows) }, search, target, options);
  if (isCut && options.prunesMissing === true)
    ownNotes.add(
      'Nothing is pruned, since the file may lack events',
      source ?? 'it has lines that cannot be read',
    );
  try {
    for (const row of rows) {
      try {
        counts[await importRow(row, target, search, options)] += 1;
      } catch (error) {
        if (!isCodedError(error) || !['invalid', 'too-large'].includes(error.kind)) throw error;
        allRejected.push(`${row.name}: ${reasonOf(error)}`);
      }
    }
    await pruneVanished(vanished, target, search, options);
    await fillSeries(rows, target);
  } catch (error) {
    const written = counts.created + counts.changed;
    if (written === 0 || options.isDryRun) throw error;
    throw new PartlyDoneError(`${written} records were written`, error);
  }
  const { created, changed, unchanged } = counts;
  const sum = [
    `${created} new`,
    `${changed} changed`,
    `${unchanged} unchanged`,
    `${counts.leftOut} left out`,
    `${allRejected.length} refused`,
  ];
  options.say(`${rows.length + leftOut + rejected.length} records read: ${sum.join(' + ')}`);
  return { ...counts, rejected: allRejected, notes: [...ownNotes.lines(), ...notes] };
}

/** Events that are here, and that the file has no longer. */
interface Vanished {
  /** Occurrences of series that it has. */
  readonly missing: readonly EventRecord[];
  /** Others of its source, where that has a name. */
  readonly vanished: readonly EventRecord[];
}

const nothingVanished: Vanished = { missing: [], vanished: [] };

/** Returns what the file has no longer. Throws where more of it would be pruned than may be without asking. */
function vanishedIn(
  rows: readonly Row[],
  { source, others }: { readonly source: string | undefined; readonly others: ReadonlySet<string> },
  { events }: Search,
  { replica }: Target,
  { limits, prunesMissing = false, pruneAtMost }: RowOptions,
): Vanished {
  const isHere = ({ id, imported_from: from }: EventRecord) => {
    if (from !== undefined && others.has(from.uid)) return false;
    const status = replica.posts.event.get(id)?.status;
    return status !== undefined && status !== 'trash';
  };
  const missing = events.missingIn(rows, limits).filter(isHere);
  const now = formatWall(systemClock());
  const vanished = source === undefined ? [] : events.vanishedFrom(source, rows, now).filter(isHere);
  const count = missing.length + vanished.length;
  const total = rows.length + count;
  const allowed = pruneAtMost ?? prunedWithoutAsking(total);
  if (prunesMissing && count > allowed)
    throw new Error(
      `Cannot prune: the file has ${count} of ${total} events no longer, and ${allowed} may go without asking. Nothing was written. ` +
        `Look whether the file is whole; then run the import with --prune-at-most ${count}.`,
    );
  return { missing, vanished };
}

/** Names what the file has no longer; moves it to the trash where that was asked for. */
async function pruneVanished(
  { missing, vanished }: Vanished,
  target: Target,
  { notes }: Search,
  { prunesMissing = false }: RowOptions,
): Promise<void> {
  const lists = [
    [missing, prunesMissing ? missingPruned : missingKept],
    [vanished, prunesMissing ? vanishedPruned : vanishedKept],
  ] as const;
  for (const [records, title] of lists)
    for (const { id } of records) {
      const name = await target.decide((draft) => {
        const event = draft.get('event', id) as EventRecord | undefined;
        if (event?.imported_from === undefined || event.status === 'trash') return undefined;
        if (prunesMissing) cancelEvent(event, event.imported_from, draft);
        return `${plainText(event.title)} ${event.start_date}`;
      });
      if (name !== undefined) notes.add(title, name);
    }
}

const vanishedKept =
  'Vanished from the file since the last run, and still here (--prune-missing moves them to the trash)';
const vanishedPruned = 'Vanished from the file since the last run, and moved to the trash';
const missingKept =
  'Occurrences that their series has no longer, and that are still here (--prune-missing moves them to the trash)';
const missingPruned = 'Occurrences that their series has no longer, and that are moved to the trash';

/** Tells the rows apart that have the same name in their source: those of a table by their places, and then by numbers. */
function withNumbers(rows: readonly Row[]): Row[] {
  const groups = Map.groupBy(rows, ({ identity, id }) =>
    identity === undefined || id !== undefined ? '' : keyOf(identity),
  );
  const counts = new Map<string, number>();
  return rows.map((row) => {
    if (row.identity === undefined || row.id !== undefined) return row;
    const size = groups.get(keyOf(row.identity))?.length ?? 1;
    const told = formatOf(row.identity.source) === 'table' ? toldByPlace(row, row.identity, size) : row;
    const { identity = row.identity } = told;
    const key = keyOf(identity);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count === 1) return told;
    const { formerUid: _formerUid, otherIdentities: _others, ...others } = told;
    return { ...others, identity: { ...identity, uid: `${identity.uid} (${count})` } };
  });
}

/** Returns a row of a table that may have been, or is, one of several with its title and start: the place is in its name then. */
function toldByPlace(row: Row, identity: SourceIdentity, size: number): Row {
  const place = placesOf(row).join(', ');
  if (place === '') return row;
  const named = { ...identity, uid: `${identity.uid} @ ${place}` };
  const numbered = Array.from({ length: size + 1 }, (_, index) => ({
    ...identity,
    uid: `${identity.uid} (${index + 2})`,
  }));
  if (size === 1) return { ...row, otherIdentities: [named, ...numbered], isToldByPlace: true };
  const { formerUid: _formerUid, ...others } = row;
  return { ...others, identity: named, otherIdentities: [identity, ...numbered], isToldByPlace: true };
}

/** Returns the invalid fields with their reasons; for another error its message. */
function reasonOf({ facts, message }: CodedError): string {
  const { params } = (facts as { readonly data?: { readonly params?: object } }).data ?? {};
  const reasons = Object.entries(params ?? {}).map(([name, reason]) => `${name} ${reason}`);
  return reasons.length > 0 ? reasons.join('; ') : message;
}

interface Search {
  readonly events: ImportedEvents;
  readonly names: ContactNames;
  /** Names of rows by the names of their venues or organizers. */
  readonly lines: Map<string, string>;
  readonly notes: Notes;
}

const otherUids =
  'UIDs that events of other calendars have, with other titles and starts: these are other events (--source names a calendar)';
const replacedUids =
  'Events whose title and start are others than at the last import: where they are events of another calendar, name each calendar (--source)';
const deletedHere = 'Events that were deleted here, and stay deleted';
const cancelledBefore = 'Events that are cancelled, and were never here';

async function importRow(row: Row, target: Target, search: Search, options: RowOptions): Promise<Outcome> {
  if (row.kind !== 'event') return await target.decide((draft) => decideContact(row, draft, search));
  const id = search.events.idOf(row);
  if (row.isCancelled === true) return await cancelAll(row, id, target, search);
  const { outcome, note } = await target.decide((draft) => decideEvent(row, id, draft, search, options));
  for (const [title, text] of note ?? []) search.notes.add(title, text);
  return outcome;
}

/** What was decided of a row, and what the report says of it. */
interface RowVerdict {
  readonly outcome: Outcome;
  readonly note?: readonly (readonly [title: string, text: string])[];
}

function decideEvent(
  row: Row,
  foundId: number | undefined,
  draft: Draft,
  search: Search,
  options: RowOptions,
): RowVerdict {
  const entry = findEvent(row, draft.replica, foundId);
  if (entry === undefined) return { outcome: createEvent(row, draft, search) };
  const isOwn = row.id === entry.record.id;
  const wasCancelled = entry.status === 'trash' && entry.record.imported_from?.is_cancelled === true;
  if (entry.status === 'trash' && !isOwn && !wasCancelled)
    return { outcome: 'leftOut', note: [[deletedHere, row.name]] };
  if (isOwn) return { outcome: updateExported(row, entry, draft, search, options) };
  return updateEvent(row, entry, wasCancelled, draft, search);
}

function createEvent(row: Row, draft: Draft, { names }: Search): Outcome {
  const fields = { slug: slugOfRow(row), ...sentFields(row, Object.keys(valuesIn(row)), names) };
  const record = draft.operate(fields, (write) => createPost(write, 'event')) as EventRecord;
  notePlaces(row, record, draft);
  if (row.identity !== undefined)
    draft.put(withIdentity(record, row, notesAfter(row, record, undefined, draft)));
  return 'created';
}

/** An event that was exported from this calendar has its edited fields changed, unless it was changed here since. */
function updateExported(
  row: Row,
  { record }: EventEntry,
  draft: Draft,
  { names }: Search,
  { exportedRow }: RowOptions,
): Outcome {
  if (row.modified !== undefined && record.modified_utc > row.modified) return 'unchanged';
  const entry = draft.replica.posts.event.get(record.id);
  const exported = entry && exportedRow(entry);
  const values = valuesIn(row);
  const before = exported === undefined ? {} : valuesIn(exported);
  const edited = Object.keys(values).filter((name) => !isDeepStrictEqual(values[name], before[name]));
  const fields = sentFields(row, edited, names);
  const update = (write: Write) => updatePost(write, 'event', { id: record.id });
  if (isSame(record, draft.trial(fields, update))) return 'unchanged';
  draft.operate(fields, update);
  return 'changed';
}

/** Decides each field of an event by what the source says, what it said last, and what is here (decide.ts). */
function updateEvent(
  row: Row,
  { record }: EventEntry,
  wasCancelled: boolean,
  draft: Draft,
  { names }: Search,
): RowVerdict {
  const isNoted = row.identity !== undefined && !isOfOtherSource(row, record);
  const before = isOfOtherSource(row, record) ? undefined : record.imported_from?.digests;
  const values = valuesIn(row);
  const isNewerHere = row.modified !== undefined && record.modified_utc >= row.modified;
  const update = (write: Write) => updatePost(write, 'event', { id: record.id });
  const changedThere = Object.keys(values).filter(
    (name) => name !== 'status' && noteIn(before, name)?.there !== digestOf(values[name]),
  );
  const stored = draft.trial(sentFields(row, changedThere, names), update) as EventRecord;
  const taken: string[] = [];
  const differences: string[] = [];
  let digests: Digests = before ?? {};
  for (const name of changedThere) {
    const sides = {
      there: digestOf(values[name]),
      stored: digestOf(storedValue(stored, name), name),
      here: digestOf(hereValue(record, name, draft), name),
    };
    const note = noteIn(before, name);
    const owner = ownerOf(sides, note, isNewerHere);
    if (owner === 'source') taken.push(name);
    if (owner === 'both') differences.push(name);
    if (owner === 'source' || sides.stored === sides.here || note === undefined)
      digests = withNote(digests, name, { there: sides.there, here: sides.stored });
  }
  const access = accessOf(row, record, before, isNewerHere);
  const status = wasCancelled
    ? (values['status'] ?? 'publish')
    : access?.owner === 'source'
      ? access.status
      : undefined;
  const fields = { ...sentFields(row, taken, names), ...(status === undefined ? {} : { status }) };
  const isSent = Object.keys(fields).length > 0 && !isSame(record, draft.trial(fields, update));
  const after = isSent ? (draft.operate(fields, update) as EventRecord) : record;
  if (isSent) notePlaces(row, after, draft);
  if (isNoted) {
    const noted = notesAfter(row, after, { digests, taken, status, access }, draft);
    const next = withIdentity(after, row, noted);
    if (!isDeepStrictEqual(next.imported_from, record.imported_from)) draft.put(next);
  }
  const shown = (name: string) =>
    `${row.name}: ${name} ${JSON.stringify(values[name])} there, ${JSON.stringify(hereValue(record, name, draft) ?? '')} here`;
  const note = [
    ...differences.map((name) => [changedOnBothSides, shown(name)] as const),
    ...(access?.owner === 'published' ? [[publishedHere, row.name] as const] : []),
  ];
  return { outcome: isSent ? 'changed' : 'unchanged', note };
}

/** Notes of a venue that was made of a place how its source has written that, so that it is found where somebody corrects it here. */
function notePlaces({ venue, identity }: Row, { venue: links = [] }: EventRecord, draft: Draft): void {
  if (venue === undefined || 'text' in venue || venue.length !== 1 || identity === undefined) return;
  const [contact = {}] = venue;
  const [link] = links;
  const id = link === undefined ? 0 : linkedId(link);
  const made = draft.replica.posts.venue.get(id) === undefined ? draft.get('venue', id) : undefined;
  if (made?.kind !== 'venue' || contact['address'] === undefined) return;
  const digest = digestOf(contact);
  const digests = withNote({}, placeNote, { there: digest, here: digest });
  draft.put({ ...made, follows: { source: identity.source, digests } });
}

const changedOnBothSides = 'Changed on both sides, and left as here';
const publishedHere = 'ATTENTION: withdrawn in the source, and published here after that, so left public';

function accessOf(row: Row, record: EventRecord, before: Digests | undefined, isNewerHere: boolean) {
  const status = statuses.find((item) => item === row.fields['status']);
  if (status === undefined) return undefined;
  const notes = { status: noteIn(before, 'status'), access_password: undefined };
  return decideAccess({ status, isLocked: false }, record, notes, isNewerHere);
}

/** Returns the values of a row by the names of its fields, those of its links too. */
function valuesIn({ fields, venue, organizer }: Row): RawParameters {
  const values = Object.entries({ ...fields, venue, organizer }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(values);
}

/** Returns the parameters of the API for some values of a row. */
function sentFields(row: Row, sent: readonly string[], names: ContactNames): RawParameters {
  const values = valuesIn(row);
  return Object.fromEntries(
    sent.map((name) => {
      if (name === 'venue' || name === 'organizer') return [name, names.links(name, row[name] ?? [])];
      const isTerms = name === 'categories' || name === 'tags';
      return [name, isTerms ? namedTerms(values[name]) : values[name]];
    }),
  );
}

/** A name that is a number, such as a year, would be taken for an id. */
function namedTerms(names: unknown): unknown {
  if (!Array.isArray(names)) return names;
  return names.map((name) => (Number.isFinite(Number(name)) ? { name: String(name) } : name));
}

/** Members of an event in which a value of a row is stored, where they have other names. */
const members: Readonly<Record<string, readonly (keyof EventRecord)[]>> = {
  start_date: ['start_date', 'utc_start_date'],
  end_date: ['end_date', 'utc_end_date'],
};

/** Returns what is stored of a value of a row. */
function storedValue(record: EventRecord, name: string): unknown {
  return members[name]?.map((member) => record[member]) ?? record[name as keyof EventRecord];
}

/** Returns what people see of it now. */
function hereValue(record: EventRecord, name: string, draft: Draft): unknown {
  const isLink = ['venue', 'organizer', 'categories', 'tags', 'image'].includes(name);
  return isLink ? liveValues(record, draft).get(name) : storedValue(record, name);
}

interface Decided {
  readonly digests: Digests;
  readonly taken: readonly string[];
  readonly status: unknown;
  readonly access: ReturnType<typeof accessOf>;
}

/** Returns the notes of an event after an import of its row; without a decision those of a new one. */
function notesAfter(row: Row, after: EventRecord, decided: Decided | undefined, draft: Draft): Digests {
  const values = valuesIn(row);
  let digests = decided?.digests ?? {};
  for (const [name, value] of Object.entries(values)) {
    const here = digestOf(hereValue(after, name, draft), name);
    const note = noteIn(digests, name);
    const isTaken =
      decided === undefined ||
      decided.taken.includes(name) ||
      (name === 'status' && decided.status !== undefined);
    if (isTaken) digests = withNote(digests, name, { there: digestOf(value), here });
    // An earlier version has not noted what it stored: what is here now is that.
    else if (name !== 'status' && note !== undefined && note.here === undefined)
      digests = withNote(digests, name, { there: note.there, here });
    else if (name === 'status' && decided.access?.notes.status !== undefined)
      digests = withNote(digests, name, decided.access.notes.status);
  }
  return digests;
}

function withIdentity(record: EventRecord, { identity }: Row, digests: Digests): EventRecord {
  return identity === undefined ? record : { ...record, imported_from: { ...identity, digests } };
}

/** Checks whether two records are equal without their times of change and the order of terms. */
function isSame(a: AnyPost, b: AnyPost): boolean {
  const comparable = ({ modified: _modified, modified_utc: _utc, ...others }: AnyPost) =>
    JSON.parse(JSON.stringify(others), (name, value) =>
      name === 'categories' || name === 'tags' ? [...value].sort((x, y) => x - y) : value,
    );
  return isDeepStrictEqual(comparable(a), comparable(b));
}

/** Checks whether an event was found by its slug, and was imported from something else. */
function isOfOtherSource({ identity }: Row, { imported_from: from }: EventRecord): boolean {
  return from !== undefined && formatOf(from.source) !== formatOf(identity?.source ?? '');
}

/** Decides a venue or organizer under its name. A second row of the name is invalid. */
function decideContact({ kind, name, fields }: Row, draft: Draft, { names, lines }: Search): Outcome {
  if (kind === 'event') throw new TypeError('An event is no contact.');
  const title = String(fields[kind]);
  const key = `${kind} ${plainText(title).toLowerCase()}`;
  const previous = lines.get(key);
  if (previous !== undefined && previous !== name)
    throw invalidParameter(kind, `is the name of ${previous} too`);
  lines.set(key, name);
  const id = names.idOf(kind, title);
  const current = id === undefined ? undefined : draft.replica.posts[kind].get(id)?.record;
  if (id === undefined || current === undefined) {
    draft.operate(fields, (write) => createPost(write, kind));
    return 'created';
  }
  const update = (write: Write) => updatePost(write, kind, { id });
  if (isSame(current, draft.trial(fields, update))) return 'unchanged';
  draft.operate(fields, update);
  return 'changed';
}

/** Moves an event to the trash, or all occurrences of a series that is cancelled as a whole. */
async function cancelAll(
  row: Row,
  foundId: number | undefined,
  target: Target,
  { events, notes }: Search,
): Promise<Outcome> {
  const ids = row.identity?.recurrence === '' ? events.idsOfSeries(row) : [];
  const found = findEvent(row, target.replica, foundId)?.record.id;
  const outcomes: Outcome[] = [];
  for (const id of new Set(found === undefined ? ids : [found, ...ids]))
    outcomes.push(await target.decide((draft) => cancel(row, id, draft)));
  if (outcomes.length === 0) {
    notes.add(cancelledBefore, row.name);
    return 'leftOut';
  }
  return outcomes.find((outcome) => outcome !== 'unchanged') ?? 'unchanged';
}

/**
 * Moves an event to the trash. One that is gone or in the trash is unchanged, and so is one that an editor has brought back after
 * it was cancelled.
 */
function cancel(row: Row, id: number, draft: Draft): Outcome {
  const event = draft.get('event', id) as EventRecord | undefined;
  if (event === undefined || event.status === 'trash' || event.imported_from?.is_cancelled === true)
    return 'unchanged';
  const isNoted = row.id !== id && !isOfOtherSource(row, event) && row.identity !== undefined;
  const from = isNoted ? { digests: {}, ...row.identity, ...event.imported_from } : undefined;
  cancelEvent(event, from, draft);
  return 'changed';
}

/** Moves an event to the trash for its source. */
function cancelEvent(event: EventRecord, from: ImportedFrom | undefined, draft: Draft): void {
  const trashed = draft.operate({ status: 'trash' }, (write) => updatePost(write, 'event', { id: event.id }));
  if (from !== undefined)
    draft.put({ ...(trashed as EventRecord), imported_from: { ...from, is_cancelled: true } });
}

function findEvent(
  row: Row,
  { posts: { event } }: CalendarReplica,
  foundId: number | undefined,
): EventEntry | undefined {
  const byId = row.id === undefined ? undefined : event.get(row.id);
  if (byId !== undefined && isSameEvent(byId.record, row)) return byId;
  const slug = row.fields['slug'];
  const bySlug = typeof slug === 'string' && slug !== '' ? event.withSlug(slug.trim()) : undefined;
  return (
    bySlug ??
    (foundId === undefined ? createdMeanwhile(row, event.withSlug(slugOfRow(row))) : event.get(foundId))
  );
}

/** Returns an event that another import has created of the row since this one began. */
function createdMeanwhile({ identity }: Row, entry: EventEntry | undefined): EventEntry | undefined {
  const from = entry?.record.imported_from;
  return from !== undefined && identity !== undefined && keyOf(from) === keyOf(identity) ? entry : undefined;
}

/** Checks whether an id of a table means an event: the table may be that of another calendar. */
function isSameEvent({ slug, title, start_date }: EventRecord, { fields }: Row): boolean {
  if (fields['slug'] === undefined || fields['slug'] === slug) return true;
  return fields['start_date'] === start_date || plainText(String(fields['title'])) === plainText(title);
}
