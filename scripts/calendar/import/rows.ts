/** Imports the records of a file. Each is created or updated like an editor's write through the API, which parses and sanitizes its values. */

import { isDeepStrictEqual } from 'node:util';
import type { RawParameters } from '../../../functions/calendar/model/calendar-context.ts';
import type { EventRecord } from '../../../functions/calendar/model/records.ts';
import { invalidParameter } from '../../../functions/calendar/model/refusals.ts';
import { plainText } from '../../../functions/calendar/model/text/plain-text.ts';
import type { ImportedFrom } from '../../../functions/calendar/model/values.ts';
import type { EventEntry } from '../../../functions/calendar/replica/entries.ts';
import { type CodedError, isCodedError } from '../../../shared/errors.ts';
import { ContactNames } from './contact-names.ts';
import type { ImportOptions } from './import.ts';
import { digestOf, digestsOf, ImportedEvents, keyOf, slugOfRow } from './imported-events.ts';
import type { Limits } from './limits.ts';
import { Notes } from './notes.ts';
import { PartlyDoneError } from './outcome.ts';
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
  /** Whether occurrences that their series has no longer are moved to the trash. */
  readonly prunesMissing?: boolean;
  /** Returns the row that an export writes of an event of the calendar. */
  readonly exportedRow: (entry: EventEntry) => Row | undefined;
}

/** Writes the records of a file to a calendar one by one. Lists invalid rows and continues after them. */
export async function importRows(
  { rows: read, rejected, leftOut, notes }: FileRows,
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
  try {
    for (const row of rows) {
      try {
        counts[await importRow(row, target, search, options)] += 1;
      } catch (error) {
        if (!isCodedError(error) || !['invalid', 'too-large'].includes(error.kind)) throw error;
        allRejected.push(`${row.name}: ${reasonOf(error)}`);
      }
    }
    await pruneMissing(rows, target, search, options);
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

/** Names the occurrences here that their series in the file has no longer; moves them to the trash where that was asked for. */
async function pruneMissing(
  rows: readonly Row[],
  target: Target,
  { events, notes }: Search,
  { limits, prunesMissing = false, isDryRun }: RowOptions,
): Promise<void> {
  for (const { id } of events.missingIn(rows, limits)) {
    const entry = target.replica.posts.event.get(id);
    const { title, start_date, imported_from } = entry?.record ?? {};
    if (entry === undefined || entry.status === 'trash' || imported_from === undefined) continue;
    notes.add(prunesMissing ? missingPruned : missingKept, `${plainText(title ?? '')} ${start_date}`);
    const importedFrom = { ...imported_from, is_cancelled: true };
    if (prunesMissing) await target.save(id, { status: 'trash' }, isDryRun, 'event', importedFrom);
  }
}

const missingKept =
  'Occurrences that their series has no longer, and that are still here (--prune-missing moves them to the trash)';
const missingPruned = 'Occurrences that their series has no longer, and that are moved to the trash';

/** Numbers the rows that have the same name in their source, so that none is taken for another. */
function withNumbers(rows: readonly Row[]): Row[] {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    if (row.identity === undefined || row.id !== undefined) return row;
    const key = keyOf(row.identity);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count === 1) return row;
    const { formerUid: _formerUid, otherIdentities: _others, ...rest } = row;
    return { ...rest, identity: { ...row.identity, uid: `${row.identity.uid} (${count})` } };
  });
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

const deletedHere = 'Events that were deleted here, and stay deleted';

async function importRow(row: Row, target: Target, search: Search, options: RowOptions): Promise<Outcome> {
  const { isDryRun } = options;
  if (row.kind !== 'event') return await importContact(row, target, search, isDryRun);
  const entry = findEvent(row, target, search.events);
  if (row.isCancelled === true) return await cancelAll(row, entry, target, search, isDryRun);
  const isOwn = entry !== undefined && row.id === entry.record.id;
  const wasCancelled = entry?.status === 'trash' && entry.record.imported_from?.is_cancelled === true;
  if (entry?.status === 'trash' && !isOwn && !wasCancelled) {
    search.notes.add(deletedHere, row.name);
    return 'leftOut';
  }
  if (entry !== undefined && !wasCancelled && isChangedHere(row, entry)) return 'unchanged';
  const exported = isOwn ? options.exportedRow(entry) : undefined;
  const previous = isOwn ? undefined : digestsBefore(row, entry);
  const fields = {
    ...(entry === undefined ? { slug: slugOfRow(row) } : {}),
    ...(exported === undefined ? changedFields(row, entry, target, previous) : editedFields(row, exported)),
    ...linksOf(row, exported, search.names, previous),
    ...(wasCancelled ? { status: row.fields['status'] ?? 'publish' } : {}),
  };
  if (!isDryRun) await addNumericTerms(fields, target);
  const importedFrom = isOwn || isOfOtherSource(row, entry) ? undefined : importedFromOf(row);
  return await target.save(entry?.record.id, fields, isDryRun, 'event', importedFrom);
}

/** Returns what is noted of an event, so that the next import knows what its source has changed since. */
function importedFromOf(row: Row): ImportedFrom | undefined {
  return row.identity === undefined ? undefined : { ...row.identity, digests: digestsOf(row) };
}

/** Checks whether an event was found by its slug, and was imported from something else. */
function isOfOtherSource({ identity }: Row, entry: EventEntry | undefined): boolean {
  const from = entry?.record.imported_from;
  return from !== undefined && from.source !== identity?.source;
}

/** Returns the hashes of the values that the source had at the last import; undefined where that has noted none. */
function digestsBefore(row: Row, entry: EventEntry | undefined): ImportedFrom['digests'] | undefined {
  return isOfOtherSource(row, entry) ? undefined : entry?.record.imported_from?.digests;
}

/** Checks whether an event was changed here after its last change in the file. An event of this calendar begins with equal times. */
function isChangedHere({ id, modified }: Row, { record }: EventEntry): boolean {
  if (modified === undefined) return false;
  return id === record.id ? record.modified_utc > modified : record.modified_utc >= modified;
}

/** Creates the categories and tags whose names are numbers, such as years. */
async function addNumericTerms(fields: RawParameters, target: Target): Promise<void> {
  for (const [kind, field] of [['category', 'categories'] as const, ['tag', 'tags'] as const]) {
    const names = fields[field];
    for (const name of Array.isArray(names) ? names : [])
      if (Number.isFinite(Number(name))) await target.addTerm(kind, name);
  }
}

/** Writes a venue or organizer under its name. A second row of the name is invalid. */
async function importContact(
  { kind, name, fields }: Row,
  target: Target,
  { names, lines }: Search,
  isDryRun: boolean,
): Promise<Outcome> {
  if (kind === 'event') throw new TypeError('An event is no contact.');
  const title = String(fields[kind]);
  const key = `${kind} ${plainText(title).toLowerCase()}`;
  const previous = lines.get(key);
  if (previous !== undefined) throw invalidParameter(kind, `is the name of ${previous} too`);
  lines.set(key, name);
  return await target.save(names.idOf(kind, title), fields, isDryRun, kind);
}

/** Moves an event to the trash, or all occurrences of a series that is cancelled as a whole. */
async function cancelAll(
  row: Row,
  entry: EventEntry | undefined,
  target: Target,
  { events }: Search,
  isDryRun: boolean,
): Promise<Outcome> {
  const ids = row.identity?.recurrence === '' ? events.idsOfSeries(row) : [];
  const others = ids.filter((id) => id !== entry?.record.id).map((id) => target.replica.posts.event.get(id));
  const entries = [entry, ...others];
  const outcomes: Outcome[] = [];
  for (const item of entries) outcomes.push(await cancel(row, item, target, isDryRun));
  return outcomes.find((outcome) => outcome !== 'unchanged') ?? 'unchanged';
}

/**
 * Moves an event to the trash. One that does not exist or is in the trash is unchanged, and so is one that an editor has brought back after
 * it was cancelled.
 */
async function cancel(
  row: Row,
  entry: EventEntry | undefined,
  target: Target,
  isDryRun: boolean,
): Promise<Outcome> {
  if (entry === undefined || entry.status === 'trash') return 'unchanged';
  const { id, imported_from } = entry.record;
  if (imported_from?.is_cancelled === true) return 'unchanged';
  const noted = row.id === id || isOfOtherSource(row, entry) ? undefined : importedFromOf(row);
  const importedFrom = noted && { ...noted, ...imported_from, is_cancelled: true };
  return await target.save(id, { status: 'trash' }, isDryRun, 'event', importedFrom);
}

/**
 * Returns the fields that the source has changed since the last import. Without one, those that differ from the view of the event are
 * changed: the rendering of a cost or title is not its typed text.
 */
function changedFields(
  { fields }: Row,
  entry: EventEntry | undefined,
  target: Target,
  previous: ImportedFrom['digests'] | undefined,
): RawParameters {
  if (entry === undefined) return fields;
  if (previous !== undefined)
    return Object.fromEntries(
      Object.entries(fields).filter(([name, value]) => digestOf(value) !== previous[name]),
    );
  const view = target.view('event', entry.record.id) ?? {};
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== String(view[name] ?? '')),
  );
}

/** Returns the fields that were edited since the export. All others are stored in more detail than a file has. */
function editedFields({ fields }: Row, exported: Row): RawParameters {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !isDeepStrictEqual(value, exported.fields[name])),
  );
}

function linksOf(
  row: Row,
  exported: Row | undefined,
  names: ContactNames,
  previous: ImportedFrom['digests'] | undefined,
): RawParameters {
  const links = (['venue', 'organizer'] as const).flatMap((kind) => {
    const contacts = row[kind];
    if (contacts === undefined || isDeepStrictEqual(contacts, exported?.[kind])) return [];
    if (previous !== undefined && previous[kind] === digestOf(contacts)) return [];
    return [[kind, names.links(kind, contacts)] as const];
  });
  return Object.fromEntries(links);
}

function findEvent(row: Row, { replica }: Target, events: ImportedEvents): EventEntry | undefined {
  const { event } = replica.posts;
  const byId = row.id === undefined ? undefined : event.get(row.id);
  if (byId !== undefined && isSameEvent(byId.record, row)) return byId;
  const slug = row.fields['slug'];
  const bySlug = typeof slug === 'string' && slug !== '' ? event.withSlug(slug.trim()) : undefined;
  return bySlug ?? event.get(events.idOf(row) ?? 0);
}

/** Checks whether an id of a table means an event: the table may be that of another calendar. */
function isSameEvent({ slug, title, start_date }: EventRecord, { fields }: Row): boolean {
  if (fields['slug'] === undefined || fields['slug'] === slug) return true;
  return fields['start_date'] === start_date || plainText(String(fields['title'])) === plainText(title);
}
