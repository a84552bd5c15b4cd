/** A process that reads and writes a calendar as its parent tells it (`calendar-processes.ts`). */

import { openTestLog, snapshotsOf } from './calendar-log.ts';
import type { Work } from './calendar-processes.ts';
import { act } from './history.ts';

let count = 0;

process.on('message', async ({ settings, snapshots, actions }: Work) => {
  // A busy machine is no failure: only what is lost or doubled is.
  const log = openTestLog(settings, {
    budget: 60_000,
    callTimeout: 30_000,
    snapshots: snapshots && snapshotsOf(settings, snapshots.blobs, snapshots.after),
  });
  for (const action of actions) process.send?.(await act(log, action, `${process.pid} ${count++}`));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
