/** The worker of `readRows`: posts the records of a file, or the reason why there are none. */

import { extname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { loadSanitizer } from '../../../functions/calendar/model/text/html.ts';
import { readICalendar } from '../icalendar/read-icalendar.ts';
import { readTable } from '../table/read-table.ts';
import { type FileText, readText, readUnfolded } from './decode.ts';
import { Notes } from './notes.ts';
import type { WorkerAnswer } from './read-rows.ts';
import type { FileRows, RowSource } from './row.ts';

async function answer(): Promise<WorkerAnswer> {
  const source = workerData as RowSource;
  const { path } = source;
  await loadSanitizer();
  try {
    if (extname(path).toLowerCase() !== '.csv') {
      const decoded = await readUnfolded(path);
      return withDamage(readICalendar(decoded.text, source), decoded);
    }
    const decoded = await readText(path);
    return withDamage(readTable(decoded.text, source), decoded);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Names the lines of a file that were damaged. */
function withDamage(rows: FileRows, { damaged }: FileText): FileRows {
  if (damaged.length === 0) return rows;
  const notes = new Notes();
  for (const line of damaged)
    notes.add('Lines with octets that are no UTF-8, which are read as \uFFFD', line);
  return { ...rows, notes: [...rows.notes, ...notes.lines()] };
}

parentPort?.postMessage(await answer());
