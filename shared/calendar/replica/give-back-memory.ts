/** Memory that a large load leaves behind. */

import { Session } from 'node:inspector';

/**
 * Collects all garbage and gives the freed memory back to the system. After a load of 100,000 records the heap is
 * several times as large as what lives in it, and V8 by itself keeps it so. Blocks for some tenths of a second.
 */
export function giveBackMemory(): void {
  const session = new Session();
  session.connect();
  session.post('HeapProfiler.collectGarbage', () => session.disconnect());
}
