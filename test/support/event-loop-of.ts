/** The longest turn of the event loop in a process of the app, and its memory, as that process measures them. */

import { connect } from 'node:net';
import { join } from 'node:path';
import { scheduler } from 'node:timers/promises';

export interface Measured {
  /** Milliseconds of the longest turn since the last look: on the clock, or of the processor where the machine does much else. */
  readonly longestTurn: number;
  /** MiB of the process at its peak. */
  readonly peak: number;
}

/** Milliseconds between two measurements, by which each is too long. */
const resolution = 10;

/** Creates the settings of a process that measures itself, and the door to what it has measured. */
export function eventLoopIn(folder: string) {
  const socketOf = (pid: number | string) => join(folder, `event-loop-${pid}`);
  const script = `
    import { createServer } from 'node:net';
    import { monitorEventLoopDelay } from 'node:perf_hooks';
    const delay = monitorEventLoopDelay({ resolution: ${resolution} });
    delay.enable();
    let before = process.threadCpuUsage();
    let busiest = 0;
    setInterval(() => {
      const { user, system } = process.threadCpuUsage(before);
      busiest = Math.max(busiest, (user + system) / 1e3);
      before = process.threadCpuUsage();
    }, ${resolution}).unref();
    const server = createServer((asked) => {
      const peak = process.resourceUsage().maxRSS / 1024;
      const longestTurn = Math.min(delay.max / 1e6 - ${resolution}, busiest);
      asked.end(JSON.stringify({ count: delay.count, longestTurn, peak }));
      delay.reset();
      busiest = 0;
    });
    server.listen(${JSON.stringify(socketOf(''))} + process.pid).unref();`;
  const settings = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };

  async function ask(pid: number): Promise<Measured & { readonly count: number }> {
    const chunks: Buffer[] = [];
    for await (const chunk of connect(socketOf(pid))) chunks.push(chunk as Buffer);
    return JSON.parse(Buffer.concat(chunks).toString()) as Measured & { count: number };
  }

  return {
    settings,
    /** Runs work, and returns what a process has measured meanwhile. */
    async during(pid: number, work: () => Promise<unknown>): Promise<Measured> {
      await ask(pid);
      // The first measurement after a reset is none.
      while ((await ask(pid)).count === 0) await scheduler.wait(resolution);
      await scheduler.wait(2 * resolution);
      await work();
      await scheduler.wait(2 * resolution);
      const { longestTurn, peak } = await ask(pid);
      return { longestTurn, peak };
    },
  };
}
