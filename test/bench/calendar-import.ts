/** Moving in: a calendar of 10,000 events imported from another instance of the app, which answers at once. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTables } from '../../local/tables/start-tables.ts';
import { importCommand } from '../../packages/calendar-tools/src/import/command.ts';
import { openTarget } from '../../packages/calendar-tools/src/import/target.ts';
import { readConfig } from '../../shared/config.ts';
import type { Benchmark } from './benchmark.ts';
import { startWith } from './calendar/app-with-events.ts';

const events = 10_000;

export const calendarImport: Benchmark = async () => {
  const tables = await startTables();
  const folder = mkdtempSync(join(tmpdir(), 'import-'));
  const { host } = await startWith(tables, events);
  try {
    const config = readConfig({
      CALENDAR_TABLE_CONNECTION_STRING: tables.connectionString,
      CALENDAR_NAME: randomUUID(),
      CALENDAR_SITE_URL: 'https://new.example.org',
    });
    const said: string[] = [];
    const started = performance.now();
    await importCommand(host.url, await openTarget(config), {
      isDryRun: false,
      folder,
      say: (line) => said.push(line),
    });
    const seconds = (performance.now() - started) / 1000;
    if (said.at(-1) !== 'Comparison: no differences.') throw new Error(said.join('\n'));
    return [
      {
        name: `import of ${events.toLocaleString('en')} events from another instance, compared at the end`,
        value: seconds,
        unit: 's',
        target: 'under 60 s',
      },
    ];
  } finally {
    await host.stop();
    await tables.stop();
    rmSync(folder, { recursive: true });
  }
};
