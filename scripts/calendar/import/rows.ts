/** Imports the records of a file. Each is created or updated like an editor's write through the API, which parses and sanitizes its values. */

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RawParameters } from '../../../functions/calendar/model/calendar-context.ts';
import type { EventRecord } from '../../../functions/calendar/model/records.ts';
import { invalidParameter } from '../../../functions/calendar/model/refusals.ts';
import { plainText } from '../../../functions/calendar/model/text/plain-text.ts';
import { slugOf } from '../../../functions/calendar/model/text/slug.ts';
import type { EventEntry } from '../../../functions/calendar/replica/entries.ts';
import { type CodedError, isCodedError } from '../../../shared/errors.ts';
import { ContactNames } from './contact-names.ts';
import type { ImportOptions } from './import.ts';
import { PartlyDoneError } from './outcome.ts';
import type { FileRows, Row } from './row.ts';
import type { Target } from './target.ts';

export interface RowReport {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Names of invalid rows, with the reason. */
  readonly rejected: readonly string[];
  readonly notes: readonly string[];
}

type Outcome = 'created' | 'changed' | 'unchanged';

interface RowOptions extends ImportOptions {
  /** Returns the row that an export writes of an event of the calendar. */
  readonly exportedRow: (entry: EventEntry) => Row | undefined;
}

/** Writes the records of a file to a calendar one by one. Lists invalid rows and continues after them. */
export async function importRows(
  { rows, rejected, notes }: FileRows,
  target: Target,
  options: RowOptions,
): Promise<RowReport> {
  await target.records();
  const counts = { created: 0, changed: 0, unchanged: 0 };
  const allRejected = [...rejected];
  const search = {
    idsByHash: eventIdsByHash(target),
    names: new ContactNames(target.replica),
    lines: new Map(),
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
  } catch (error) {
    const written = counts.created + counts.changed;
    if (written === 0 || options.isDryRun) throw error;
    throw new PartlyDoneError(`${written} records were written`, error);
  }
  options.say(`${rows.length} records read`);
  return { ...counts, rejected: allRejected, notes };
}

/** Returns the invalid fields with their reasons; for another error its message. */
function reasonOf({ facts, message }: CodedError): string {
  const { params } = (facts as { readonly data?: { readonly params?: object } }).data ?? {};
  const reasons = Object.entries(params ?? {}).map(([name, reason]) => `${name} ${reason}`);
  return reasons.length > 0 ? reasons.join('; ') : message;
}

interface Search {
  readonly idsByHash: ReadonlyMap<string, number>;
  readonly names: ContactNames;
  /** Names of rows by the names of their venues or organizers. */
  readonly lines: Map<string, string>;
}

async function importRow(row: Row, target: Target, search: Search, options: RowOptions): Promise<Outcome> {
  const { isDryRun } = options;
  if (row.kind !== 'event') return await importContact(row, target, search, isDryRun);
  const entry = findEvent(row, target, search.idsByHash);
  if (row.isCancelled === true) return await cancel(entry, target, isDryRun);
  if (entry !== undefined && isChangedHere(row, entry)) return 'unchanged';
  const exported = entry !== undefined && row.id === entry.record.id ? options.exportedRow(entry) : undefined;
  const fields = {
    ...(entry === undefined ? { slug: `${slugOf(String(row.fields['title']))}-${hashOf(row.uid)}` } : {}),
    ...(exported === undefined ? changedFields(row, entry, target) : editedFields(row, exported)),
    ...linksOf(row, exported, search.names),
  };
  if (!isDryRun) await addNumericTerms(fields, target);
  return await target.save(entry?.record.id, fields, isDryRun);
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

/** Moves an event to the trash; an event that does not exist or is in the trash is unchanged. */
async function cancel(entry: EventEntry | undefined, target: Target, isDryRun: boolean): Promise<Outcome> {
  if (entry === undefined || entry.status === 'trash') return 'unchanged';
  return await target.save(entry.record.id, { status: 'trash' }, isDryRun);
}

/** Returns the fields without those that equal the view of the event: the rendering of a cost or title is not its typed text. */
function changedFields({ fields }: Row, entry: EventEntry | undefined, target: Target): RawParameters {
  if (entry === undefined) return fields;
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

function linksOf(row: Row, exported: Row | undefined, names: ContactNames): RawParameters {
  const links = (['venue', 'organizer'] as const).flatMap((kind) => {
    const contacts = row[kind];
    if (contacts === undefined || isDeepStrictEqual(contacts, exported?.[kind])) return [];
    return [[kind, names.links(kind, contacts)] as const];
  });
  return Object.fromEntries(links);
}

function findEvent(row: Row, { replica }: Target, idsByHash: Search['idsByHash']): EventEntry | undefined {
  const { event } = replica.posts;
  const byId = row.id === undefined ? undefined : event.get(row.id);
  if (byId !== undefined && isSameEvent(byId.record, row)) return byId;
  const slug = row.fields['slug'];
  const bySlug = typeof slug === 'string' && slug !== '' ? event.withSlug(slug.trim()) : undefined;
  return bySlug ?? event.get(idsByHash.get(hashOf(row.uid)) ?? 0);
}

/** Checks whether an id of a table means an event: the table may be that of another calendar. */
function isSameEvent({ slug, title, start_date }: EventRecord, { fields }: Row): boolean {
  if (fields['slug'] === undefined || fields['slug'] === slug) return true;
  return fields['start_date'] === start_date || plainText(String(fields['title'])) === plainText(title);
}

const hashLength = 10;

/** Returns the ids of events by the hash at the end of their slugs. */
function eventIdsByHash({ replica }: Target): Map<string, number> {
  const hash = new RegExp(`-([0-9a-f]{${hashLength}})$`);
  return new Map(
    [...replica.posts.event.values()].flatMap(({ record: { id, slug } }) => {
      const [, suffix] = hash.exec(slug) ?? [];
      return suffix === undefined ? [] : [[suffix, id] as const];
    }),
  );
}

function hashOf(uid: string): string {
  return createHash('sha256').update(uid).digest('hex').slice(0, hashLength);
}
