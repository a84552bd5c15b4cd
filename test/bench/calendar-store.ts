/** The calendar's store: how long a cold process takes to load and how much memory it then has, how many writes and reads it does. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startTables } from '../../local/tables/start-tables.ts';
import type { LogSettings } from '../../shared/calendar/store/log.ts';
import { create, newCalendar, openTestLog, put } from '../support/calendar-log.ts';
import { eventSizedRecord, fillCalendar } from '../support/fill-calendar.ts';
import { type BenchmarkRow, comparison } from './benchmark.ts';
import type { ColdLoad } from './calendar-store-load.ts';

/** Measures the store against tables of its own. */
export async function calendarStore(): Promise<readonly BenchmarkRow[]> {
  const tables = await startTables();
  try {
    const rows = await workRows(newCalendar(tables.connectionString));
    const few = await loadRows(newCalendar(tables.connectionString), 10_000);
    const many = await loadRows(newCalendar(tables.connectionString), 100_000);
    return [...rows, ...few, ...many];
  } finally {
    await tables.stop();
  }
}

async function loadRows(settings: LogSettings, count: number): Promise<BenchmarkRow[]> {
  await fillCalendar(openTestLog(settings), count, eventSizedRecord);
  const { milliseconds, residentMegabytes, records, version } = await coldLoad(settings);
  if (records !== count || version !== count)
    throw new Error(`Cannot measure the load: ${records} of ${count} records came.`);
  const size = `${count.toLocaleString('en')} records of 1.2 KB`;
  return [
    { name: `calendar store: cold load, ${size}`, value: milliseconds, unit: 'ms' },
    {
      name: `calendar store: memory of the process right after it, ${size}`,
      value: residentMegabytes,
      unit: 'MB',
      target: 'under 400 MB',
    },
  ];
}

/** Loads in a process of its own, as a new instance does; with the young generation that docs/decisions/calendar-log.md measures. */
async function coldLoad(settings: LogSettings): Promise<ColdLoad> {
  const child = fork(join(import.meta.dirname, 'calendar-store-load.ts'), [JSON.stringify(settings)], {
    execArgv: ['--max-semi-space-size=8'],
  });
  const [load] = (await once(child, 'message')) as [ColdLoad];
  return load;
}

async function workRows(settings: LogSettings): Promise<BenchmarkRow[]> {
  const log = openTestLog(settings);
  await put(log, 'event/0', 'warm');
  const writes = await perSecond(() => create(log, 'one more'));
  const reads = await perSecond(() => log.read());
  const shared = await perSecond(() => Promise.all(Array.from({ length: together }, () => log.read())));
  const alone = { name: 'one at a time', value: reads };
  return [
    { name: 'calendar store: writes of one process, one after the other', value: writes, unit: '/s' },
    comparison(`calendar store: reads, ${together} at a time`, shared * together, '/s', alone, 'at least 8'),
  ];
}

const together = 32;
const measuredMilliseconds = 2_000;

async function perSecond(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < measuredMilliseconds; count++) await work();
  return (count * 1_000) / (performance.now() - start);
}
