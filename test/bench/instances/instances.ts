/** Many instances at once: of the calendar over one partition of Table Storage, of the records over one database. */

import type { Benchmark } from '../benchmark.ts';
import { calendarRows } from './calendar.ts';
import { recordsRows } from './records.ts';

export const instances: Benchmark = async () => [...(await calendarRows()), ...(await recordsRows())];
