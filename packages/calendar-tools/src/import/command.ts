/** `npm run calendar -- import`: one run, or repeated runs. */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRecords } from './file.ts';
import { readICalendar } from './icalendar.ts';
import { type ImportOptions, type ImportReport, importRecords, importSite } from './import.ts';
import { cachePages } from './pages.ts';
import { reportLines } from './report.ts';
import { importRows, type RowReport } from './rows.ts';
import { openSite, type SiteOptions } from './site.ts';
import { readTable } from './table.ts';
import type { Target } from './target.ts';

export interface CommandOptions extends ImportOptions, SiteOptions {
  /** Time between two runs, such as `5m`. Default: one run. */
  readonly watch?: string | undefined;
  /** Folder for the pages of an interrupted run. */
  readonly folder?: string;
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Imports from the address of a site or from a file, and prints a report. */
export async function importCommand(subject: string, target: Target, options: CommandOptions): Promise<void> {
  const { watch, say, wait = sleep } = options;
  const interval = watch === undefined ? undefined : millisecondsOf(watch);
  try {
    for (;;) {
      try {
        const report = await importOnce(subject, target, options);
        for (const line of reportLines(report)) say(line);
      } catch (error) {
        // The next run may succeed.
        if (interval === undefined || !(error instanceof Error)) throw error;
        say(error.message);
      }
      if (interval === undefined) return;
      await wait(interval);
    }
  } finally {
    target.close();
  }
}

async function importOnce(
  subject: string,
  target: Target,
  options: CommandOptions,
): Promise<ImportReport | RowReport> {
  const readRows = { '.csv': readTable, '.ics': readICalendar }[extname(subject).toLowerCase()];
  if (existsSync(subject) && readRows !== undefined)
    return await importRows(await readRows(subject, target), target, options);
  if (existsSync(subject)) {
    const { source, records } = await readRecords(subject);
    return await importRecords(records, source, target, options);
  }
  const site = await openSite(subject, options);
  // The pages depend on the user.
  const name = createHash('sha256')
    .update(`${site.root} ${options.user ?? ''}`)
    .digest('hex')
    .slice(0, 16);
  const folder = options.folder ?? join(process.env['LOCAL_STATE'] ?? '.local', 'import');
  const pages = cachePages(site, join(folder, `${name}.jsonl`));
  if (pages.resumed > 0) options.say(`Resuming after ${pages.resumed} pages of the interrupted run`);
  const report = await importSite(pages.site, target, options);
  pages.done();
  return report;
}

function millisecondsOf(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (units[unit] ?? 0);
  if (!(milliseconds > 0)) throw new Error(`--watch must be a time such as 90s, 5m or 2h, not "${text}".`);
  return milliseconds;
}
