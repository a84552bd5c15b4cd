/** Limits of time that grow with the load of the machine, for tests in which a limit of the product has to pass on the real clock. */

import { availableParallelism, loadavg } from 'node:os';

/** Returns milliseconds multiplied by the runnable processes per core (`uptime`), at least once. */
export function scaledByLoad(milliseconds: number): number {
  const [lastMinute = 0] = loadavg();
  return Math.ceil(milliseconds * Math.max(1, lastMinute / availableParallelism()));
}
