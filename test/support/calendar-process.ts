/** A process that reads and writes a calendar as its parent tells it (`calendar-processes.ts`). */

import type { LogSettings } from '../../shared/calendar/log/log.ts';
import { openTestLog } from './calendar-log.ts';
import { type Action, act } from './history.ts';

const settings: LogSettings = JSON.parse(process.argv[2] ?? '');
// A busy machine is no failure: only what is lost or doubled is.
const log = openTestLog(settings, { budget: 60_000, callTimeout: 30_000 });
let count = 0;

process.on('message', async (actions: Action[]) => {
  for (const action of actions) process.send?.(await act(log, action, `${process.pid} ${count++}`));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
