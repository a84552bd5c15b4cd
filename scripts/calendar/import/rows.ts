/** Events from a file that is not ours: each is created or updated as an editor would, so that values are read and cleaned as the API does. */

import { createHash } from 'node:crypto';
import type { RawParameters } from '../../../shared/calendar/model/context.ts';
import { plainText } from '../../../shared/calendar/model/text/html.ts';
import { slugOf } from '../../../shared/calendar/model/text/slug.ts';
import type { LinkedKind } from '../../../shared/calendar/model/values.ts';
import type { EventEntry } from '../../../shared/calendar/replica/entries.ts';
import { isCodedError } from '../../../shared/errors.ts';
import type { ImportOptions } from './import.ts';
import type { Target } from './target.ts';

/** A venue or organizer: the fields of a new one, the first of which is its name. */
export type Contact = Readonly<Record<string, unknown>>;

/** One event of a file. */
export interface Row {
  /** What to call it in messages, such as a line. */
  readonly name: string;
  /** Names the event in its source for good: the slug of a new one ends with its hash, by which it is found again. */
  readonly uid: string;
  /** Id of a record here, where the file may come from here. */
  readonly id?: number | undefined;
  /** Last change in UTC, `YYYY-MM-DD HH:MM:SS`: what was changed here later stays. */
  readonly modified?: string | undefined;
  readonly isCancelled?: boolean;
  /** Parameters of the API. */
  readonly fields: RawParameters;
  /** By name: existing ones are linked. Undefined leaves the links as they are. */
  readonly venue?: readonly Contact[] | undefined;
  readonly organizer?: readonly Contact[] | undefined;
}

export interface RowReport {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Names of rows that cannot be events, with the reason. */
  readonly refused: readonly string[];
}

type Outcome = 'created' | 'changed' | 'unchanged';

/** Puts events into a calendar one by one. What cannot be an event is listed, and holds up nothing. */
export async function importRows(
  rows: readonly Row[],
  target: Target,
  { isDryRun, say }: ImportOptions,
): Promise<RowReport> {
  await target.records();
  const idsByUid = knownEvents(target);
  const counts = { created: 0, changed: 0, unchanged: 0 };
  const refused: string[] = [];
  for (const row of rows) {
    try {
      counts[await importRow(row, target, { idsByUid, isDryRun })] += 1;
    } catch (error) {
      if (!isCodedError(error) || error.kind !== 'invalid') throw error;
      refused.push(`${row.name}: ${error.message}`);
    }
  }
  say(`${rows.length} events read`);
  return { ...counts, refused };
}

interface RowOptions {
  readonly idsByUid: ReadonlyMap<string, number>;
  readonly isDryRun: boolean;
}

async function importRow(row: Row, target: Target, { idsByUid, isDryRun }: RowOptions): Promise<Outcome> {
  const entry = existing(row, target, idsByUid);
  if (row.isCancelled === true) return await cancel(entry, target, isDryRun);
  if (entry !== undefined && row.modified !== undefined && entry.record.modified_utc >= row.modified)
    return 'unchanged';
  const links = {
    ...(row.venue && { venue: row.venue.map((one) => linkTo('venue', one, target)) }),
    ...(row.organizer && { organizer: row.organizer.map((one) => linkTo('organizer', one, target)) }),
  };
  const slug =
    entry === undefined ? { slug: `${slugOf(String(row.fields['title']))}-${hashOf(row.uid)}` } : {};
  const fields = { ...slug, ...changedFields(row, entry, target), ...links };
  return await target.save(entry?.record.id, fields, isDryRun);
}

/** What is in the trash already, or was never here, is as it should be. */
async function cancel(entry: EventEntry | undefined, target: Target, isDryRun: boolean): Promise<Outcome> {
  if (entry === undefined || entry.status === 'trash') return 'unchanged';
  return await target.save(entry.record.id, { status: 'trash' }, isDryRun);
}

/** Texts that read as the event is shown are left out: what is shown of a cost, or of a title, is not what was typed. */
function changedFields({ fields }: Row, entry: EventEntry | undefined, target: Target): RawParameters {
  if (entry === undefined) return fields;
  const view = target.view('event', entry.record.id) ?? {};
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== String(view[name] ?? '')),
  );
}

function existing(
  { id, uid }: Row,
  { replica }: Target,
  idsByUid: RowOptions['idsByUid'],
): EventEntry | undefined {
  const { event } = replica.posts;
  return (id === undefined ? undefined : event.get(id)) ?? event.get(idsByUid.get(hashOf(uid)) ?? 0);
}

const hashLength = 10;

/** Returns the ids of events by the hashes that their slugs end with. */
function knownEvents({ replica }: Target): Map<string, number> {
  const hash = new RegExp(`-([0-9a-f]{${hashLength}})$`);
  return new Map(
    [...replica.posts.event.values()].flatMap(({ record: { id, slug } }) => {
      const [, end] = hash.exec(slug) ?? [];
      return end === undefined ? [] : [[end, id] as const];
    }),
  );
}

function hashOf(uid: string): string {
  return createHash('sha256').update(uid).digest('hex').slice(0, hashLength);
}

/** Returns the id of the venue or organizer with a name, or the fields of a new one. */
function linkTo(kind: LinkedKind, contact: Contact, { replica }: Target): number | Contact {
  const wanted = String(Object.values(contact)[0]).trim().toLowerCase();
  const found = [...replica.posts[kind].values()].find(
    ({ record, status }) => status !== 'trash' && plainText(record.title).toLowerCase() === wanted,
  );
  return found?.record.id ?? contact;
}
