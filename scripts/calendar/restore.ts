/** Copies a backup into an empty partition. */

import { randomUUID } from 'node:crypto';
import { copyRows } from './copy.ts';
import { type Copied, firstKey, headKey, lastKey, type Place, type Source, versionOf } from './place.ts';

/**
 * Copies a backup into a partition without a head, the head last: it makes the calendar visible. Its history gets a new name, so that
 * processes and followers of the former one notice. May be repeated after an interruption; what others have written into the partition
 * is never mixed with the backup.
 */
export async function restore(from: Source, to: Place): Promise<Copied> {
  const head = await from.head();
  if (!head) throw new Error(`There is no complete backup in ${from.name}: it has no head.`);
  await to.create();
  const anotherPlace = 'restore into another calendar or table, and let the service use that one';
  if (await to.head()) throw new Error(`There is a calendar in ${to.name} already: ${anotherPlace}.`);
  const rows = await copyRows(from.rows(firstKey, lastKey), to);
  const currentHead = await from.head();
  if (currentHead?.etag !== head.etag)
    throw new Error(`The backup in ${from.name} was replaced meanwhile: start again.`);
  // A restore of another backup that was interrupted leaves its rows, and the service reads every row that it finds.
  const found = await numberOf(to.rows(firstKey, lastKey));
  if (found !== rows)
    throw new Error(
      `${to.name} has ${found} rows, of which ${rows} are of ${from.name}, and the others of another restore or of somebody who writes: ${anotherPlace}.`,
    );
  // A snapshot is one of another history.
  const { snapshot: _, ...copied } = head;
  if (!(await to.insertHead({ ...copied, rowKey: headKey, log: randomUUID() })))
    throw new Error(`Somebody has begun a calendar in ${to.name} meanwhile: ${anotherPlace}.`);
  return { rows, version: versionOf(head) };
}

async function numberOf(rows: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of rows) count += 1;
  return count;
}
