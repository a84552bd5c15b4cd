/** Moving in: a calendar of 10,000 events imported from another instance of the app, which answers at once. */

import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTables } from '../../local/index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { Benchmark } from './benchmark.ts';
import { startWith } from './calendar/app-with-events.ts';
import type { ImportRun } from './calendar/import-process.ts';
import { messageOf } from './message-of.ts';
import { paced } from './pace.ts';

const events = paced(10_000, 200);
/** A calendar beside which the memory of the large one is told: what it needs more is that of its events. */
const fewEvents = paced(1_000, 100);

export const calendarImport: Benchmark = async () => {
  const few = await importOf(fewEvents);
  const { seconds, peak } = await importOf(events);
  const nameOf = (count: number) => `import of ${count.toLocaleString('en')} events from another instance`;
  return [
    { name: `${nameOf(events)}, compared at the end`, value: seconds, unit: 's', target: 'under 60 s' },
    { name: `peak memory of the ${nameOf(fewEvents)}`, value: few.peak, unit: 'MiB' },
    { name: `peak memory of the ${nameOf(events)}`, value: peak, unit: 'MiB', target: 'under 300 MiB' },
  ];
};

/** Imports a calendar with a number of events, and compares it. */
async function importOf(count: number): Promise<ImportRun> {
  const tables = await startTables();
  const folder = mkdtempSync(join(tmpdir(), 'import-'));
  const { host } = await startWith(tables, count);
  try {
    const settings = {
      CALENDAR_TABLE_CONNECTION_STRING: tables.connectionString,
      CALENDAR_NAME: randomUUID(),
      CALENDAR_SITE_URL: 'https://new.example.org',
    };
    const run = await importIn(host.url, folder, settings);
    if (run.output.at(-1) !== 'Comparison: no differences.') throw new Error(run.output.join('\n'));
    return run;
  } finally {
    await host.stop();
    await tables.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The options of Node in the script `calendar` of package.json. */
const nodeOptions = packageJson.scripts.calendar.split(' ').filter((word) => word.startsWith('--'));

/** Runs the import in a separate process, whose memory is measured. */
async function importIn(url: string, folder: string, settings: NodeJS.ProcessEnv): Promise<ImportRun> {
  const file = `${import.meta.dirname}/calendar/import-process.ts`;
  const child = fork(file, [url, folder], { execArgv: nodeOptions, env: { ...process.env, ...settings } });
  return messageOf<ImportRun>(child, 'The import');
}
