/** Memory that a large load leaves behind. */

import { Session } from 'node:inspector';

/**
 * Collects all garbage and gives the freed memory back to the system. After a load of 100,000 records the heap is
 * several times as large as what lives in it, and V8 by itself keeps it so. Blocks for some tenths of a second.
 */
export function giveBackMemory(): void {
  const session = new Session();
  session.connect();
  // V8 holds a lock while it calls back, and disconnecting takes the same lock: done there, it would wait for itself forever.
  session.post('HeapProfiler.collectGarbage', () => setImmediate(() => session.disconnect()));
}
