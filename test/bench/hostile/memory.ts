/** The memory of a process, as Linux tells it. */

import { readFile } from 'node:fs/promises';

const interval = 100;

/** Returns the process that a host has started for the app. */
export async function appProcessOf(host: number | undefined): Promise<number> {
  const children = await readFile(`/proc/${host}/task/${host}/children`, 'utf8');
  return Number(children.trim().split(' ')[0]);
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
