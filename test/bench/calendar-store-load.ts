/** A process that loads a calendar and tells how long it took and how much memory it takes. */

import type { LogSettings } from '../../shared/calendar/store/log.ts';
import { openTestLog } from '../support/calendar-log.ts';

export interface ColdLoad {
  readonly milliseconds: number;
  readonly residentMegabytes: number;
  readonly records: number;
  readonly version: number;
}

const settings: LogSettings = JSON.parse(process.argv[2] ?? '');
const start = performance.now();
const log = openTestLog(settings, { budget: 120_000 });
const { version } = await log.read();
const milliseconds = performance.now() - start;
const residentMegabytes = process.memoryUsage.rss() / 1e6;
const load: ColdLoad = { milliseconds, residentMegabytes, records: log.replica.records.size, version };
process.send?.(load, () => process.exit());
