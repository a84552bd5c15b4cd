/** What is asked of child processes, and what they say. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Resolves with the next message of a child process; rejects when it ends without one. `name` stands at the beginning of the error. */
export async function messageOf<T>(child: ChildProcess, name: string): Promise<T> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    const [message] = await Promise.race([
      once(child, 'message', { signal }),
      // Messages that were sent before the end come first.
      untilDisconnected(child, signal).then(async () =>
        Promise.reject(new Error(`${name} ${await endOf(child)}.`)),
      ),
    ]);
    return message as T;
  } finally {
    settled.abort();
  }
}

/** Sends a message to a child process, and resolves with its answer, as `messageOf` does. */
export function ask<T>(child: ChildProcess, name: string, message: object | string): Promise<T> {
  // Of a process that has ended, and gets no message, its missing answer tells.
  if (child.connected) child.send(message, () => undefined);
  return messageOf(child, name);
}

async function untilDisconnected(child: ChildProcess, signal: AbortSignal): Promise<void> {
  if (child.connected) await once(child, 'disconnect', { signal });
}

async function endOf(child: ChildProcess): Promise<string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return `ended with ${child.signalCode ?? child.exitCode}`;
}
