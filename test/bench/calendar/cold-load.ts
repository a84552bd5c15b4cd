/** The first reply of an instance that has just started, and what it took of the processor: the rest is the tables emulator's. */

import { memoryOf, processorTime } from '../app-process.ts';
import type { BenchmarkRow } from '../benchmark.ts';
import { firstTotal } from './app-with-events.ts';

/** Asks an instance that has just started for the first list. */
export async function coldLoad(list: string, pid: number, events: number): Promise<BenchmarkRow[]> {
  const started = performance.now();
  const total = await firstTotal(list);
  const value = performance.now() - started;
  if (total !== events) throw new Error(`Cannot measure: the list has ${total} events, not ${events}.`);
  const count = events.toLocaleString('en');
  const cpu = processorTime(pid);
  // Freed memory goes back to the system a moment after the load; these requests are that moment.
  for (let request = 0; request < 50; request += 1) await (await fetch(list)).arrayBuffer();
  return [
    { name: `first reply of a cold instance that reads the table, ${count} events`, value, unit: 'ms' },
    {
      name: `the app's own time until then, its start included, ${count} events`,
      value: cpu,
      unit: 'ms of CPU',
      ...(events > 10_000 ? { target: 'at most 2500' } : {}),
    },
    { name: `peak memory of the load, ${count} events`, value: memoryOf(pid, 'VmHWM'), unit: 'MiB' },
    {
      name: `memory after load, ${count} events`,
      value: memoryOf(pid, 'VmRSS'),
      unit: 'MiB',
      target: 'under 400 MB',
    },
  ];
}
