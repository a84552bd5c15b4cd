/** One calendar brought into another: read everything, check that it fits, write what is new, compare. */

import type { CalendarRecord } from '../../../shared/calendar/model/records.ts';
import type { PostKind, TermKind } from '../../../shared/calendar/model/values.ts';
import { keyOf } from '../../../shared/calendar/replica/entries.ts';
import type { ImportPlan } from '../../../shared/calendar/write/import.ts';
import { recordsOfView, termOfView } from '../../../shared/calendar/write/imported.ts';
import { compareViews, type DifferenceClass } from './compare.ts';
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
  /** Keys of records that stay as they were changed here. */
  readonly changedHere: readonly string[];
  /** Keys of events that the source hides behind a password, which is not brought along. */
  readonly hidden: readonly string[];
  readonly differences: readonly DifferenceClass[];
}

/** Ids in the message of a run that stops. */
const maxNamed = 10;
/** Records between two lines of progress. */
const recordsPerLine = 1000;

/** Brings what a site shows into a calendar. Throws before anything is written when an id or slug is taken. */
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

/** Puts records into a calendar, and compares them with views of where they came from. */
export async function importRecords(
  records: readonly CalendarRecord[],
  source: string,
  target: Target,
  { isDryRun, say, views }: ImportOptions & { readonly views?: Views },
): Promise<ImportReport> {
  const plan = await target.plan(records, source);
  mustBeFree(plan);
  const { created, changed } = plan;
  say(
    `${created.length} new, ${changed.length} changed, ${plan.unchanged} as they were, ${plan.changedHere.length} changed here`,
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

/** Returns the records that views show, each once: what events link to first. */
function recordsOf(views: Views, source: string, target: Target): CalendarRecord[] {
  const records = new Map<string, CalendarRecord>();
  const put = (record: CalendarRecord | undefined) => record && records.set(keyOf(record), record);
  for (const kind of ['category', 'tag'] as const satisfies readonly TermKind[])
    for (const view of views[kind].values()) put(termOfView(kind, view));
  for (const kind of ['venue', 'organizer', 'event'] as const satisfies readonly PostKind[])
    for (const view of views[kind].values()) recordsOfView(kind, view, source, target.context).forEach(put);
  return [...records.values()].sort((a, b) => order(a) - order(b));
}

/** Authors and images before the records that name them, parents before their children as far as they are older. */
function order({ kind }: CalendarRecord): number {
  return ['author', 'image', 'category', 'tag', 'venue', 'organizer', 'event'].indexOf(kind);
}

function mustBeFree({ taken }: ImportPlan): void {
  if (taken.length === 0) return;
  const conflicts = taken
    .slice(0, maxNamed)
    .map((record) => ('slug' in record ? `${keyOf(record)} (${record.slug})` : keyOf(record)));
  throw new Error(
    `Cannot import: ids or slugs of ${taken.length} records are taken here by others: ${conflicts.join(', ')}${taken.length > maxNamed ? ', ...' : ''}. ` +
      'Nothing was written. Import into a calendar of its own: another CALENDAR_NAME, or --to.',
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

/** Events whose password hides them show neither description nor whether they last all day. */
function hiddenEvents({ event }: Views): string[] {
  const isHidden = (value: unknown) => value === null;
  return [...event].filter(([, view]) => isHidden(view['all_day'])).map(([id]) => `event/${id}`);
}
