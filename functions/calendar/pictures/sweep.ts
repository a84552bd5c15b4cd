/** Deletes blobs without a record: a process may end between the two, and a deletion may fail. */

import type { PictureStore } from './picture-store.ts';

/** Milliseconds after which a blob without a record is an orphan: its record may still be on its way. */
export const orphanAge = 24 * 60 * 60 * 1000;

/** Deletes the orphans of a store. `isUsed` is asked of an up-to-date calendar. Returns their number. */
export async function sweepOrphans(
  store: PictureStore,
  isUsed: (blob: string) => boolean,
  now = Date.now(),
): Promise<number> {
  let count = 0;
  for await (const { name, changed } of store.list()) {
    if (now - changed < orphanAge || isUsed(name)) continue;
    await store.delete(name);
    count += 1;
  }
  return count;
}
