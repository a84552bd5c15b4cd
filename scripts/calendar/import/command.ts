/** `npm run calendar -- import`: one run, or repeated runs. */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mustFit } from './decode.ts';
import { isFeed, withFeed } from './feed.ts';
import { readRecords } from './file.ts';
import { type ImportOptions, type ImportReport, importRecords } from './import.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { type Outcome, outcomeOf, PartlyDoneError } from './outcome.ts';
import { storePages } from './pages.ts';
import { hasRows, readRows } from './read-rows.ts';
import { RecordStore } from './record-store.ts';
import { sayReport } from './report.ts';
import { type ListItems, RunReport } from './report-file.ts';
import type { RowSource } from './row.ts';
import { importRows, type RowReport } from './rows.ts';
import { openSite, type SiteOptions, type SourceSite } from './site.ts';
import { importSite } from './site-import.ts';
import type { Target } from './target.ts';

export interface CommandOptions extends ImportOptions, SiteOptions {
  /** Time between two runs, such as `5m`. Default: one run. */
  readonly watch?: string | undefined;
  /** Folder for the pages of an interrupted run. */
  readonly folder?: string;
  /** Address under which the records of a site were imported earlier; or the name of the calendar in a file. */
  readonly source?: string | undefined;
  /** Whether records that a site has no longer are moved to the trash. */
  readonly prunesMissing?: boolean;
  /** Number of records that may be pruned. Default: 20, or a tenth of those of the source where that is more. */
  readonly pruneAtMost?: number | undefined;
  /** Whether the pictures of a site are copied. */
  readonly copiesPictures?: boolean;
  /** Hosts beside that of the site from which its pictures are copied. */
  readonly picturesFrom?: readonly string[];
  /** Path of the files of the report, without `.txt` and `.json`. Default: `report` in the folder. */
  readonly report?: string | undefined;
  readonly limits?: Limits;
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Imports from the address of a site or from a file, and prints a report. Throws an Error with the reason where nothing was written. */
export async function importCommand(
  subject: string,
  target: Target,
  options: CommandOptions,
): Promise<Outcome> {
  const { watch, say, wait = sleep } = options;
  const interval = watch === undefined ? undefined : millisecondsOf(watch);
  try {
    for (;;) {
      let outcome: Outcome = 'refused';
      try {
        // A dry run decides the same on a copy of the calendar.
        const calendar = options.isDryRun ? await target.rehearsal() : target;
        const run = new RunReport(say);
        const report = await importOnce(subject, calendar, { ...options, list: run.list });
        const file = options.report ?? join(folderOf(options), 'report');
        sayReport(report, run, say, file);
        const { created, changed, unchanged } = report;
        run.write(file, { source: subject, isDryRun: options.isDryRun, created, changed, unchanged });
        if (options.isDryRun) say('Nothing was written (--dry-run), and no comparison was made.');
        outcome = outcomeOf(report);
      } catch (error) {
        if (!(error instanceof PartlyDoneError)) {
          // The next run may succeed.
          if (interval === undefined || !(error instanceof Error)) throw error;
        } else outcome = 'partlyDone';
        say(error.message);
      }
      if (interval === undefined) return outcome;
      await wait(interval);
    }
  } finally {
    target.close();
  }
}

type RunOptions = CommandOptions & { readonly list: ListItems };

function folderOf({ folder }: CommandOptions): string {
  return folder ?? join(process.env['LOCAL_STATE'] ?? '.local', 'import');
}

async function importOnce(
  subject: string,
  target: Target,
  options: RunOptions,
): Promise<ImportReport | RowReport> {
  const { limits = defaultLimits } = options;
  const isFile = existsSync(subject);
  if (!isFile && isFeed(subject))
    return await withFeed(subject, limits, options, async ({ address, path, fallbackName }) => {
      return await importFile({ file: address, path, fallbackName }, target, limits, options);
    });
  if (!isFile && /\.(?:csv|ics|jsonl)$/i.test(subject) && !subject.includes('://'))
    throw new Error(`The file ${subject} does not exist.`);
  if (isFile) await mustFit(subject, limits);
  if (isFile && hasRows(subject))
    return await importFile({ file: subject, path: subject }, target, limits, options);
  const folder = folderOf(options);
  const records = new RecordStore(folder);
  try {
    if (!isFile) return await importFrom(await openSite(subject, options), records, folder, target, options);
    const file = await readRecords(subject, records, target.context, limits);
    return await importRecords({ ...file, records }, target, options);
  } finally {
    records.close();
  }
}

/** Imports a file of another program, or a feed. */
async function importFile(
  named: Pick<RowSource, 'file' | 'path' | 'fallbackName'>,
  target: Target,
  limits: Limits,
  options: CommandOptions,
): Promise<RowReport> {
  const { site, now } = target.context;
  const source = {
    ...named,
    host: new URL(site.url).hostname,
    zone: site.zone.name,
    now,
    limits,
    sourceName: options.source,
  };
  // Loaded late, since their libraries are large.
  const { exportedRow } =
    extname(named.path).toLowerCase() === '.csv'
      ? await import('../table/exported-row.ts')
      : await import('../icalendar/exported-row.ts');
  return await importRows(await readRows(source), target, {
    ...options,
    limits,
    exportedRow: (entry) => exportedRow(entry, target, source),
  });
}

async function importFrom(
  site: SourceSite,
  records: RecordStore,
  folder: string,
  target: Target,
  options: RunOptions,
): Promise<ImportReport> {
  // The pages depend on the user.
  const name = createHash('sha256')
    .update(`${site.root} ${options.user ?? ''}`)
    .digest('hex')
    .slice(0, 16);
  const { limits = defaultLimits } = options;
  const pages = storePages(site, join(folder, `${name}.jsonl`), limits);
  return await importSite(pages, records, target, { ...options, limits });
}

function millisecondsOf(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (units[unit] ?? 0);
  if (!(milliseconds > 0)) throw new Error(`--watch must be a time such as 90s, 5m or 2h, not "${text}".`);
  return milliseconds;
}
