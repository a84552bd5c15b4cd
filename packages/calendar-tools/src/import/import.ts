/** Imports a calendar into another: reads all records, checks for conflicts, writes new and changed records, compares both. */

import type { CalendarRecord } from '../../../../shared/calendar/model/records.ts';
import type { PostKind, TermKind } from '../../../../shared/calendar/model/values.ts';
import { keyOf } from '../../../../shared/calendar/replica/entries.ts';
import { compareViews, type DifferenceClass } from './compare.ts';
import type { ImportPlan } from './plan.ts';
import { recordsOfView, termOfView } from './records-of-view.ts';
import type { SourceSite } from './site.ts';
import type { Target } from './target.ts';
import { readViews, type Views } from './views.ts';

export interface ImportOptions {
  readonly isDryRun: boolean;
  readonly say: (line: string) => void;
}

export interface ImportReport {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Keys of records that are newer here, which the import leaves unchanged. */
  readonly changedHere: readonly string[];
  /** Keys of events with a password in the source: the password is not imported. */
  readonly hidden: readonly string[];
  readonly differences: readonly DifferenceClass[];
}

/** Ids in the message of a conflict. */
const maxListed = 10;
/** Records between two lines of progress. */
const recordsPerLine = 1000;

/** Imports the records of a site. Throws before the first write when another record has an id or a slug of the source. */
export async function importSite(
  site: SourceSite,
  target: Target,
  { isDryRun, say }: ImportOptions,
): Promise<ImportReport> {
  say(`Reading ${site.root}`);
  const views = await readViews(site, say);
  const source = new URL(site.root).origin;
  return await importRecords(recordsOf(views, source, target), source, target, { isDryRun, say, views });
}

/** Writes records to a calendar and compares them with the views of the source. */
export async function importRecords(
  records: readonly CalendarRecord[],
  source: string,
  target: Target,
  { isDryRun, say, views }: ImportOptions & { readonly views?: Views },
): Promise<ImportReport> {
  const plan = await target.plan(records, source);
  mustHaveNoConflicts(plan);
  const { created, changed } = plan;
  say(
    `${created.length} new, ${changed.length} changed, ${plan.unchanged} unchanged, ${plan.changedHere.length} changed here`,
  );
  if (!isDryRun) await write([...created, ...changed], source, target, say);
  const differences = isDryRun || views === undefined ? [] : compareViews(views, target.view);
  return {
    created: created.length,
    changed: changed.length,
    unchanged: plan.unchanged,
    changedHere: plan.changedHere.map(keyOf),
    hidden: views === undefined ? [] : hiddenEvents(views),
    differences,
  };
}

/** Returns the records of views without duplicates, linked records before events. */
function recordsOf(views: Views, source: string, target: Target): CalendarRecord[] {
  const records = new Map<string, CalendarRecord>();
  const put = (record: CalendarRecord | undefined) => record && records.set(keyOf(record), record);
  for (const kind of ['category', 'tag'] as const satisfies readonly TermKind[])
    for (const view of views[kind].values()) put(termOfView(kind, view));
  for (const kind of ['venue', 'organizer', 'event'] as const satisfies readonly PostKind[])
    for (const view of views[kind].values()) recordsOfView(kind, view, source, target.context).forEach(put);
  return [...records.values()].sort((a, b) => order(a) - order(b));
}

/** Sorts authors and images before the records that name them. */
function order({ kind }: CalendarRecord): number {
  return ['author', 'image', 'category', 'tag', 'venue', 'organizer', 'event'].indexOf(kind);
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
  await target.put(records, source, (written) => {
    if (written < next && written < records.length) return;
    next = written + recordsPerLine;
    say(`written: ${written} of ${records.length}`);
  });
}

/** Returns the events with a password: their views have no value of `all_day`. */
function hiddenEvents({ event }: Views): string[] {
  const isHidden = (value: unknown) => value === null;
  return [...event].filter(([, view]) => isHidden(view['all_day'])).map(([id]) => `event/${id}`);
}
