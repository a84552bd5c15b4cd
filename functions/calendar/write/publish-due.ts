/** Writes to the log what the clock has published, so that the order of changes has it. */

import type { Write } from './write.ts';

/** Records and characters of one write, at most, so that it fits into one transaction of the log: each takes three rows, and its picture two. */
const maxRecords = 19;
const maxLength = 500_000;

/** Stores the scheduled records whose time has come as published. What exceeds one write is left to the next. */
export function publishDue(write: Write): void {
  let records = 0;
  let length = 0;
  for (const { record } of write.context.replica.publishedByClock()) {
    records += 1;
    length += JSON.stringify(record).length;
    if (records > 1 && (records > maxRecords || length > maxLength)) return;
    write.put({ ...record, status: 'publish' });
  }
}
