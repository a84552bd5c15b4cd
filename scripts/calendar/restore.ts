/** Copies a backup into an empty partition. */

import { randomUUID } from 'node:crypto';
import { copyRows } from './copy.ts';
import { type Copied, firstKey, headKey, lastKey, type Place, type Source, versionOf } from './place.ts';

/**
 * Copies a backup into a partition without a head, the head last: it makes the calendar visible. Its history gets a new name, so that
 * processes and followers of the former one notice. May be repeated after an interruption.
 */
export async function restore(from: Source, to: Place): Promise<Copied> {
  const head = await from.head();
  if (!head) throw new Error(`There is no complete backup in ${from.name}: it has no head.`);
  await to.create();
  if (await to.head())
    throw new Error(
      `There is a calendar in ${to.name} already: restore into another calendar or table, and let the service use that one.`,
    );
  const rows = await copyRows(from.rows(firstKey, lastKey), to);
  const currentHead = await from.head();
  if (currentHead?.etag !== head.etag)
    throw new Error(`The backup in ${from.name} was replaced meanwhile: start again.`);
  // A snapshot is one of another history.
  const { snapshot: _, ...copied } = head;
  await to.write([{ ...copied, rowKey: headKey, log: randomUUID() }]);
  return { rows, version: versionOf(head) };
}
