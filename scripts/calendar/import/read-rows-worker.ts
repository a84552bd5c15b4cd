/** The worker of `readRows`: posts the records of a file, or the reason why there are none. */

import { extname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { loadSanitizer } from '../../../functions/calendar/model/text/html.ts';
import { readICalendar } from '../icalendar/read-icalendar.ts';
import { readTable } from '../table/read-table.ts';
import { readText } from './decode.ts';
import type { WorkerAnswer } from './read-rows.ts';
import type { RowSource } from './row.ts';

async function answer(): Promise<WorkerAnswer> {
  const source = workerData as RowSource;
  const { file } = source;
  await loadSanitizer();
  try {
    const text = await readText(file);
    return extname(file).toLowerCase() === '.csv' ? readTable(text, source) : readICalendar(text, source);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.postMessage(await answer());
