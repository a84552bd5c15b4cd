/** The memory and the processor time of a process, as Linux tells them. */

import { readFile } from 'node:fs/promises';

const interval = 100;
/** Milliseconds of the unit in which Linux counts processor time. */
const tick = 10;

/** Returns the process that a host has started for the app. */
export async function appProcessOf(host: number | undefined): Promise<number> {
  const children = await readFile(`/proc/${host}/task/${host}/children`, 'utf8');
  return Number(children.trim().split(' ')[0]);
}

/** Returns the milliseconds of processor time that a process has had; NaN when it has ended. */
export async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * tick;
}

/** Watches the resident memory of a process; the function that it returns ends that and returns the largest in MiB, or undefined when the process has ended. */
export function watchMemory(pid: number): () => number | undefined {
  let peak: number | undefined = 0;
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
    peak =
      peak === undefined || kibibytes === undefined ? undefined : Math.max(peak, Number(kibibytes) / 1024);
  }, interval);
  return () => {
    clearInterval(timer);
    return peak;
  };
}
