/** Imports records into a calendar under their ids: checks for conflicts, writes new and changed records, compares both calendars. */

import { checkEntity } from '../../../../shared/calendar/log/plan.ts';
import { changeToEntity, spellJson } from '../../../../shared/calendar/log/rows.ts';
import type { CalendarRecord, EventRecord } from '../../../../shared/calendar/model/records.ts';
import { keyOf } from '../../../../shared/calendar/replica/entries.ts';
import { isCodedError } from '../../../../shared/errors.ts';
import type { DifferenceClass } from './compare.ts';
import { existenceIn, uniqueRecords, withLiveLinks, withoutCycles } from './consistency.ts';
import { PartlyDoneError } from './outcome.ts';
import type { ImportPlan } from './plan.ts';
import type { Target } from './target.ts';

export interface ImportOptions {
  readonly isDryRun: boolean;
  readonly say: (line: string) => void;
}

/** The records of a site or a file. */
export interface RecordSource {
  /** Address that names the source in the authors of its records. */
  readonly source: string;
  /** Linked records first. */
  readonly records: readonly CalendarRecord[];
  /** Records that are not imported, with the reason. */
  readonly rejected: readonly string[];
  /** Keys of events with a password in the source, whose other values are complete. */
  readonly withPassword?: ReadonlySet<string>;
  /** Keys of events with a password in the source, whose other values are hidden. */
  readonly hidden?: ReadonlySet<string>;
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
  const records = consistentRecords(input, target, (key, reason) => rejected.push(`${key}: ${reason}`));
  const plan = await target.plan(records, input.source);
  mustHaveNoConflicts(plan);
  const { created, changed } = plan;
  say(
    `${created.length} new, ${changed.length} changed, ${plan.unchanged} unchanged, ${plan.changedHere.length} changed here`,
  );
  if (!isDryRun) await write([...created, ...changed], input.source, target, say);
  return {
    ...{ created: created.length, changed: changed.length, unchanged: plan.unchanged, rejected },
    changedHere: plan.changedHere.map(keyOf),
    withPassword: [...(input.withPassword ?? []), ...(input.hidden ?? [])],
    differences: isDryRun ? undefined : input.compare?.(),
  };
}

/** Returns the records that can be written together, with their links and passwords. */
function consistentRecords(
  { records, withPassword = new Set(), hidden = new Set() }: RecordSource,
  { replica }: Target,
  reject: (key: string, reason: string) => void,
): CalendarRecord[] {
  const unique = withoutCycles(uniqueRecords(records, reject), replica, reject);
  const exists = existenceIn(unique, replica);
  return unique.flatMap((record) => {
    const key = keyOf(record);
    // The values of such an event are hidden in the source: those of an earlier import are better.
    if (hidden.has(key) && replica.posts.event.get(record.id) !== undefined) return [];
    const live = withLiveLinks(record, exists);
    const complete = withPassword.has(key) ? withPasswordOf(live as EventRecord, replica) : live;
    return isStorable(complete, reject) ? [complete] : [];
  });
}

/** Returns an event with the password that it has here; a published one without a password here becomes private. */
function withPasswordOf(event: EventRecord, { posts }: Target['replica']): EventRecord {
  const { access_password } = posts.event.get(event.id)?.record ?? {};
  if (access_password !== undefined) return { ...event, access_password };
  return ['publish', 'future'].includes(event.status) ? { ...event, status: 'private' } : event;
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

function mustHaveNoConflicts({ conflicts }: ImportPlan): void {
  if (conflicts.length === 0) return;
  const names = conflicts
    .slice(0, maxListed)
    .map((record) => ('slug' in record ? `${keyOf(record)} (${record.slug})` : keyOf(record)));
  throw new Error(
    `Cannot import: other records have the ids or slugs of ${conflicts.length} records: ${names.join(', ')}${conflicts.length > maxListed ? ', ...' : ''}. ` +
      'Nothing was written. Import into a separate calendar: another CALENDAR_NAME, or --to.',
  );
}

async function write(
  records: readonly CalendarRecord[],
  source: string,
  target: Target,
  say: (line: string) => void,
): Promise<void> {
  let next = recordsPerLine;
  let done = 0;
  try {
    await target.put(records, source, (written) => {
      done = written;
      if (written < next && written < records.length) return;
      next = written + recordsPerLine;
      say(`written: ${written} of ${records.length}`);
    });
  } catch (error) {
    if (done === 0) throw error;
    throw new PartlyDoneError(`${done} of ${records.length} records were written`, error);
  }
}
