/** What the hours of chaos have in common: chance, pauses, and instances that are stopped and killed. */

import type { ChildProcess } from 'node:child_process';

export const random = (count: number) => Math.floor(Math.random() * count);
export const oneOf = <T>(items: readonly [T, ...T[]]): T => items[random(items.length)] ?? items[0];
export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Instance<Host> {
  readonly settings: Readonly<Record<string, string>>;
  host: Host;
}

interface Killing<Host> {
  /** Milliseconds between two of them. */
  readonly every: number;
  /** When it ends, as `performance.now` tells it. */
  readonly until: number;
  readonly start: (settings: Readonly<Record<string, string>>) => Promise<Host>;
}

/** Stops one instance for a second and kills another, again and again: what they have in flight is lost or late. */
export async function stopAndKill<Host extends { readonly process: ChildProcess }>(
  instances: readonly Instance<Host>[],
  { every, until, start }: Killing<Host>,
): Promise<void> {
  while (performance.now() < until) {
    await pause(every);
    const stopped = instances[random(instances.length)];
    stopped?.host.process.kill('SIGSTOP');
    await pause(1_000);
    stopped?.host.process.kill('SIGCONT');
    const killed = instances[random(instances.length)];
    if (killed === undefined || performance.now() > until) continue;
    killed.host.process.kill('SIGKILL');
    killed.host = await start(killed.settings);
  }
}
