/** Imports the events of a file. Each is created or updated like an editor's write through the API, which parses and sanitizes its values. */

import { createHash } from 'node:crypto';
import type { RawParameters } from '../../../../shared/calendar/model/context.ts';
import { plainText } from '../../../../shared/calendar/model/text/html.ts';
import { slugOf } from '../../../../shared/calendar/model/text/slug.ts';
import type { LinkedKind } from '../../../../shared/calendar/model/values.ts';
import type { EventEntry } from '../../../../shared/calendar/replica/entries.ts';
import { isCodedError } from '../../../../shared/errors.ts';
import type { ImportOptions } from './import.ts';
import type { Target } from './target.ts';

/** A venue or organizer: the fields of a new record, the first of which is its name. */
export type Contact = Readonly<Record<string, unknown>>;

/** One event of a file. */
export interface Row {
  /** Name in messages, such as a line. */
  readonly name: string;
  /** Permanent name of the event in its source. The slug of a new event ends with its hash, by which later imports find the event. */
  readonly uid: string;
  /** Id of the record in this calendar, for a file that was exported from it. */
  readonly id?: number | undefined;
  /** Last change in UTC, `YYYY-MM-DD HH:MM:SS`: a later change in this calendar is not overwritten. */
  readonly modified?: string | undefined;
  readonly isCancelled?: boolean;
  /** Parameters of the API. */
  readonly fields: RawParameters;
  /** Contacts by name: existing contacts are linked. Undefined leaves the links unchanged. */
  readonly venue?: readonly Contact[] | undefined;
  readonly organizer?: readonly Contact[] | undefined;
}

export interface RowReport {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Names of invalid rows, with the reason. */
  readonly rejected: readonly string[];
}

type Outcome = 'created' | 'changed' | 'unchanged';

/** Writes events to a calendar one by one. Lists invalid rows and continues after them. */
export async function importRows(
  rows: readonly Row[],
  target: Target,
  { isDryRun, say }: ImportOptions,
): Promise<RowReport> {
  await target.records();
  const idsByHash = eventIdsByHash(target);
  const counts = { created: 0, changed: 0, unchanged: 0 };
  const rejected: string[] = [];
  for (const row of rows) {
    try {
      counts[await importRow(row, target, { idsByHash, isDryRun })] += 1;
    } catch (error) {
      if (!isCodedError(error) || error.kind !== 'invalid') throw error;
      rejected.push(`${row.name}: ${error.message}`);
    }
  }
  say(`${rows.length} events read`);
  return { ...counts, rejected };
}

interface RowOptions {
  readonly idsByHash: ReadonlyMap<string, number>;
  readonly isDryRun: boolean;
}

async function importRow(row: Row, target: Target, { idsByHash, isDryRun }: RowOptions): Promise<Outcome> {
  const entry = findEvent(row, target, idsByHash);
  if (row.isCancelled === true) return await cancel(entry, target, isDryRun);
  if (entry !== undefined && row.modified !== undefined && entry.record.modified_utc >= row.modified)
    return 'unchanged';
  const links = {
    ...(row.venue && { venue: row.venue.map((contact) => linkTo('venue', contact, target)) }),
    ...(row.organizer && { organizer: row.organizer.map((contact) => linkTo('organizer', contact, target)) }),
  };
  const slug =
    entry === undefined ? { slug: `${slugOf(String(row.fields['title']))}-${hashOf(row.uid)}` } : {};
  const fields = { ...slug, ...changedFields(row, entry, target), ...links };
  return await target.save(entry?.record.id, fields, isDryRun);
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

function findEvent(
  { id, uid }: Row,
  { replica }: Target,
  idsByHash: RowOptions['idsByHash'],
): EventEntry | undefined {
  const { event } = replica.posts;
  return (id === undefined ? undefined : event.get(id)) ?? event.get(idsByHash.get(hashOf(uid)) ?? 0);
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

/** Returns the id of the venue or organizer with the name of a contact, or the fields of a new record. */
function linkTo(kind: LinkedKind, contact: Contact, { replica }: Target): number | Contact {
  const name = String(Object.values(contact)[0]).trim().toLowerCase();
  const entry = [...replica.posts[kind].values()].find(
    ({ record, status }) => status !== 'trash' && plainText(record.title).toLowerCase() === name,
  );
  return entry?.record.id ?? contact;
}
