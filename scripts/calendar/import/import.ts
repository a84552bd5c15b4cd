/** Imports records into a calendar under their ids: checks for conflicts, writes new and changed records, compares both calendars. */

import { checkEntity } from '../../../functions/calendar/log/plan.ts';
import { changeToEntity, spellJson } from '../../../functions/calendar/log/rows.ts';
import { blobsOf } from '../../../functions/calendar/model/image-url.ts';
import type { CalendarRecord, EventRecord, ImageRecord } from '../../../functions/calendar/model/records.ts';
import type { PasswordHash } from '../../../functions/calendar/model/values.ts';
import { keyOf } from '../../../functions/calendar/replica/entries.ts';
import { isCodedError } from '../../../shared/errors.ts';
import type { DifferenceClass } from './compare.ts';
import { type Survey, surveyOf, withLiveLinks } from './consistency.ts';
import { withEarlierKeys } from './earlier-keys.ts';
import { isInTheWay } from './in-the-way.ts';
import { moveAway, whyInTheWay } from './move-away.ts';
import { PartlyDoneError } from './outcome.ts';
import { classify, currentRecord, type IsMoving, isFromSource, maxImported, slugHolderOf } from './plan.ts';
import { isOfSource } from './source-name.ts';
import type { Target } from './target.ts';

export interface ImportOptions {
  readonly isDryRun: boolean;
  readonly say: (line: string) => void;
}

/** The records of a site or a file. */
export interface RecordSource {
  /** Address that names the source in the authors of its records. */
  readonly source: string;
  /** Linked records first; they are read several times. */
  readonly records: Iterable<CalendarRecord>;
  /** Records that are not imported, with the reason. */
  readonly rejected: readonly string[];
  /** Keys of events with a password in the source, whose other values are complete. */
  readonly withPassword?: ReadonlySet<string>;
  /** Their passwords by the ids of the events, as far as they are known. */
  readonly passwords?: ReadonlyMap<number, string>;
  /** Keys of events with a password in the source, whose other values are hidden. */
  readonly hidden?: ReadonlySet<string>;
  /** Whether these are all records that the source shows. */
  readonly isWhole?: boolean;
  /** Withdraws what the source has withdrawn, before the first record is written. Returns the number of records that it has changed. */
  readonly leave?: () => Promise<number>;
  /** Compares the calendar with the source after the writes. */
  readonly compare?: () => readonly DifferenceClass[];
}

export interface ImportReport {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly rejected: readonly string[];
  /** Keys of records that are newer here, which the import leaves unchanged. */
  readonly changedHere: readonly string[];
  /** Keys of events whose password in the source is not imported. */
  readonly withPassword: readonly string[];
  /** Undefined where no comparison was made. */
  readonly differences: readonly DifferenceClass[] | undefined;
}

/** Ids in the message of a conflict. */
const maxListed = 10;
/** Records between two lines of progress. */
const recordsPerLine = 1000;

/** Writes records to a calendar. Throws before the first write when another record has an id or a slug of the source. */
export async function importRecords(
  input: RecordSource,
  target: Target,
  { isDryRun, say }: ImportOptions,
): Promise<ImportReport> {
  await target.records();
  const rejected = [...input.rejected];
  const reject = (key: string, reason: string) => rejected.push(`${key}: ${reason}`);
  const survey = surveyOf(input.records, target.replica, reject);
  const hashes = await hashesOf(input, target);
  const prepared = () => preparedRecords(input, hashes, survey, target);
  const plan = planOf(prepared(), input, survey, target, reject);
  mustHaveNoConflicts(plan);
  const { created, changed, unchanged, changedHere } = plan;
  say(`${created} new, ${changed} changed, ${unchanged} unchanged, ${changedHere.length} changed here`);
  for (const key of plan.displaced)
    say(
      `${key} ${isDryRun ? 'would get' : 'gets'} another slug: the source has given its own to another record.`,
    );
  for (const record of plan.moved) {
    const to = isDryRun ? 'to a number that no source reaches' : `to ${await moveAway(record, target)}`;
    say(`${keyOf(record)} ${whyInTheWay(record)}: moved ${to}.`);
  }
  if (!isDryRun) await write(prepared(), plan, { exists: survey.exists, ...input }, target, say);
  return {
    created,
    changed,
    unchanged,
    rejected,
    changedHere,
    withPassword: [
      ...[...(input.withPassword ?? [])].filter((key) => !hashes.has(key)),
      ...(input.hidden ?? []),
    ],
    differences: isDryRun ? undefined : input.compare?.(),
  };
}

/** Returns the hashes of the passwords of events, by the keys of the events. */
async function hashesOf(
  { passwords = new Map() }: RecordSource,
  target: Target,
): Promise<ReadonlyMap<string, PasswordHash>> {
  const hashes = new Map<string, PasswordHash>();
  for (const [id, password] of passwords) hashes.set(`event/${id}`, await target.passwordHash(id, password));
  return hashes;
}

/** Yields the records that can be written, with their links and passwords. */
function* preparedRecords(
  { records, withPassword = new Set(), hidden = new Set() }: RecordSource,
  hashes: ReadonlyMap<string, PasswordHash>,
  { rejected, exists }: Survey,
  { replica }: Target,
): Generator<CalendarRecord> {
  const seen = new Set<string>();
  for (const record of records) {
    const key = keyOf(record);
    if (rejected.has(key) || seen.has(key)) continue;
    seen.add(key);
    // The values of such an event are hidden in the source: those of an earlier import are better.
    const imported = hidden.has(key) ? replica.posts.event.get(record.id)?.record : undefined;
    const live = withLiveLinks(imported ?? record, exists);
    if (live.kind === 'image') {
      const current = replica.image(live.id);
      yield current === undefined || isInTheWay(live, current, replica)
        ? live
        : withEarlierKeys(live, current);
      continue;
    }
    const access_password = hashes.get(key);
    if (access_password !== undefined) yield { ...(live as EventRecord), access_password };
    else if (withPassword.has(key) || hidden.has(key)) yield withPasswordOf(live as EventRecord, replica);
    else yield live;
  }
}

/** Returns an event with the password that it has here; a published one without a password here becomes private. */
function withPasswordOf(event: EventRecord, { posts }: Target['replica']): EventRecord {
  const { access_password } = posts.event.get(event.id)?.record ?? {};
  if (access_password !== undefined) return { ...event, access_password };
  return ['publish', 'future'].includes(event.status) ? { ...event, status: 'private' } : event;
}

/** The records of an import by what it does with them. */
interface Plan {
  created: number;
  changed: number;
  unchanged: number;
  /** Keys of new and changed records. */
  readonly writes: Set<string>;
  readonly changedHere: string[];
  readonly conflicts: string[];
  readonly isMoving: IsMoving;
  /** Keys of records whose slugs the source has given to others: of its own, and of those that were created here since the first import. */
  readonly displaced: Set<string>;
  /** Records that an import has made under the number of a record of the source. */
  readonly moved: CalendarRecord[];
}

function planOf(
  records: Iterable<CalendarRecord>,
  { source, isWhole = false }: RecordSource,
  { exists, keys, rejected }: Survey,
  { replica }: Target,
  reject: (key: string, reason: string) => void,
): Plan {
  const plan: Plan = {
    created: 0,
    changed: 0,
    unchanged: 0,
    writes: new Set(),
    changedHere: [],
    conflicts: [],
    moved: [],
    displaced: new Set(),
    // The slug of a record that comes with another one is free for others, and so is that of a record which the source does not show: the
    // source itself has given it away. One that was created here gives up its slug, since the addresses of the source must go on to work.
    isMoving: (key) => keys.has(key) || plan.displaced.has(key),
  };
  const isFollowing = isWhole && hasRecordsOf(source, replica);
  for (const record of records) {
    const key = keyOf(record);
    const slugHolder = slugHolderOf(record, replica);
    const holderKey = slugHolder === undefined ? '' : keyOf(slugHolder);
    if (
      isWhole &&
      slugHolder !== undefined &&
      !keys.has(holderKey) &&
      !rejected.has(holderKey) &&
      (isFollowing || isFromSource(slugHolder, source, replica))
    )
      plan.displaced.add(holderKey);
    const classification = classify(record, source, replica, exists, plan.isMoving);
    const holder = currentRecord(record, replica);
    if (holder !== undefined && isInTheWay(record, holder, replica)) plan.moved.push(holder);
    if (classification === 'unchanged') plan.unchanged += 1;
    else if (classification === 'changedHere') plan.changedHere.push(key);
    else if (classification === 'conflict')
      plan.conflicts.push('slug' in record ? `${key} (${record.slug})` : key);
    else if (isStorable(record, reject)) {
      plan[classification] += 1;
      plan.writes.add(key);
    }
  }
  return plan;
}

/** Checks whether a calendar has records of a source, and follows it. */
function hasRecordsOf(source: string, replica: Target['replica']): boolean {
  return replica.records().some((record) => record.kind === 'author' && isOfSource(record.subject, source));
}

function isStorable(record: CalendarRecord, reject: (key: string, reason: string) => void): boolean {
  const key = keyOf(record);
  try {
    checkEntity(key, changeToEntity('', { key, json: spellJson(JSON.stringify(record)), version: 1 }));
    return true;
  } catch (error) {
    if (!isCodedError(error)) throw error;
    reject(key, error.message);
    return false;
  }
}

function mustHaveNoConflicts({ conflicts }: Plan): void {
  if (conflicts.length === 0) return;
  throw new Error(
    `Cannot import: other records have the ids or slugs of ${conflicts.length} records: ${conflicts.slice(0, maxListed).join(', ')}${conflicts.length > maxListed ? ', ...' : ''}. ` +
      'Nothing was written. Import into a separate calendar: another CALENDAR_NAME, or --to.',
  );
}

/** Returns the blobs of a picture that its record does not have any more. */
function unusedBlobs(before: ImageRecord, { replica }: Target): string[] {
  const used = new Set(blobsOf(replica.image(before.id) ?? { id: before.id, url: '' }).values());
  return [...blobsOf(before).values()].filter((blob) => !used.has(blob));
}

async function write(
  records: Iterable<CalendarRecord>,
  { writes, isMoving, displaced }: Plan,
  { source, exists, leave }: Pick<Survey, 'exists'> & Pick<RecordSource, 'source' | 'leave'>,
  target: Target,
  say: (line: string) => void,
): Promise<void> {
  let done = 0;
  let next = recordsPerLine;
  let batch: CalendarRecord[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const before = batch.flatMap(({ kind, id }) =>
      kind === 'image' ? (target.replica.image(id) ?? []) : [],
    );
    await target.put(batch, source, exists, isMoving);
    for (const image of before)
      for (const blob of unusedBlobs(image, target)) await target.pictures.delete(blob);
    done += batch.length;
    batch = [];
    if (done < next && done < writes.size) return;
    next = done + recordsPerLine;
    say(`written: ${done} of ${writes.size}`);
  };
  const left = (await leave?.()) ?? 0;
  for (const key of displaced) await target.freeSlug(key);
  try {
    for (const record of records) {
      if (!writes.has(keyOf(record))) continue;
      batch.push(record);
      if (batch.length === maxImported) await flush();
    }
    await flush();
  } catch (error) {
    if (done + left === 0) throw error;
    throw new PartlyDoneError(`${done} of ${writes.size} records were written`, error);
  }
}
