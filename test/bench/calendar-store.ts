/** The calendar's store: how many writes and reads of the log one process does. Its load is measured with the calendar. */

import type { LogSettings } from '../../functions/calendar/log/log.ts';
import { startTables } from '../../local/index.ts';
import { create, newCalendar, openTestLog, put } from '../support/calendar-log.ts';
import { type Benchmark, type BenchmarkRow, comparison } from './benchmark.ts';
import { paced } from './pace.ts';

/** Measures the store against new tables. */
export const calendarStore: Benchmark = async () => {
  const tables = await startTables();
  try {
    return await measure(newCalendar(tables.connectionString));
  } finally {
    await tables.stop();
  }
};

async function measure(settings: LogSettings): Promise<BenchmarkRow[]> {
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
const measuredMilliseconds = paced(2_000, 100);

async function perSecond(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < measuredMilliseconds; count++) await work();
  return (count * 1_000) / (performance.now() - start);
}
