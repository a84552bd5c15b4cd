/** The process of the app under a host, its processor time and its memory, from Linux's `/proc`. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Returns the id of the process that a host has started for the app. */
export function appProcessOf(host: number | undefined): number {
  return Number.parseInt(readFileSync(`/proc/${host}/task/${host}/children`, 'utf8'), 10);
}

/** Checks whether a process runs. */
export function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** Returns the milliseconds for which the threads of a process have had a processor. */
export function processorTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e6;
}

/** Returns the resident memory of a process in MiB: now (VmRSS), or the peak since its start (VmHWM). */
export function memoryOf(pid: number, figure: 'VmRSS' | 'VmHWM'): number {
  const [, kibibytes] =
    new RegExp(`${figure}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

/** Returns the peak memory of a process in words, or that the process has ended. */
export function describePeak(pid: number): string {
  return isAlive(pid) ? `${memoryOf(pid, 'VmHWM').toFixed(0)} MiB` : 'THE PROCESS HAS ENDED';
}
