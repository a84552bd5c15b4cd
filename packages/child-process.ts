/**
 * Runs the emulators in child processes that never outlive their parent. This file has both ends. The parent forks a script. The script
 * reports once over IPC that it serves, or why it cannot. It stops when the parent closes the channel, which the system does for a
 * parent that dies.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Milliseconds from the request to stop to the kill, by default. */
const defaultStopTimeout = 20_000;

/** The report of a child process. */
export type Started =
  | { readonly port: number /** A problem of a process that serves. */; readonly warning?: string }
  | { readonly failure: string };

export interface ProcessOptions {
  /** Name in messages: `the local tables`. */
  readonly name: string;
  readonly script: string;
  readonly parameters: readonly string[];
  /** Options of Node, such as `--enable-source-maps`. */
  readonly nodeOptions?: readonly string[];
  /** The whole environment of the child. Default: that of the parent. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Milliseconds from the request to stop to the kill. Default: 20 seconds. */
  readonly stopTimeout?: number;
  /** Receives the lines of the output; `ignore` drops them. Default: standard error of the parent. */
  readonly log?: Log;
}

export type Log = 'ignore' | ((line: string) => void);

/** A process that serves. */
export interface RunningProcess {
  readonly port: number;
  /** The problem that the process has reported, although it serves. */
  readonly warning: string | undefined;
  readonly process: ChildProcess;
  /** Resolves with a description of the end when the process ends without having been stopped. */
  readonly lost: Promise<string>;
  /** Stops the process and waits for its end; kills it after the timeout. May be called twice. */
  stop(): Promise<void>;
}

/** Starts a process and resolves when it serves. Rejects with its report or its errors after a failed start. The child does not keep the parent alive. */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { name, script, parameters, nodeOptions = [], environment = process.env, log } = options;
  const { stopTimeout = defaultStopTimeout } = options;
  const child = fork(script, parameters, {
    env: environment,
    execArgv: ['--disable-warning=ExperimentalWarning', ...nodeOptions],
    stdio: ['ignore', log === 'ignore' ? 'ignore' : 'pipe', 'pipe', 'ipc'],
  });
  const lost = Promise.withResolvers<string>();
  let isStopping = false;
  child.once('exit', (code, signal) => isStopping || lost.resolve(`${name} ended with ${signal ?? code}`));
  // Of a process that does not start, what waits for its report tells; this is one that can neither be told nor killed.
  child.on('error', ({ message }) => isStopping || lost.resolve(`${name} failed: ${message}`));
  const { port, warning } = await startedBy(child, name, writtenBy(child, log)).catch(
    async (error: unknown) => {
      // Killed at once, so that the next process can use its port and files.
      await stop(child, 0);
      throw error;
    },
  );
  child.unref();
  child.channel?.unref();
  return {
    port,
    warning,
    process: child,
    lost: lost.promise,
    stop() {
      isStopping = true;
      return stop(child, stopTimeout);
    },
  };
}

/** Forwards the lines of a process. Returns its last error lines for the message of a failed start. */
function writtenBy({ stdout, stderr }: ChildProcess, log: Log = (line) => console.error(line)): string[] {
  const errors: string[] = [];
  for (const stream of [stdout, stderr]) {
    if (stream === null) continue;
    // A pipe of a child process is a socket, which would keep the parent alive.
    (stream as Socket).unref();
    createInterface(stream).on('line', (line) => {
      if (log !== 'ignore') log(line);
      if (stream === stderr && errors.push(line) > 100) errors.shift();
    });
  }
  return errors;
}

async function startedBy(
  child: ChildProcess,
  name: string,
  errors: readonly string[],
): Promise<Extract<Started, { port: number }>> {
  const [said] = (await Promise.race([once(child, 'message'), once(child, 'close')])) as [
    Started | number | null,
  ];
  if (typeof said === 'object' && said !== null && 'port' in said) return said;
  const failure =
    typeof said === 'object' && said !== null
      ? said.failure
      : `it ended with ${said ?? child.signalCode}.\n${errors.join('\n')}`;
  throw new Error(`Cannot start ${name}: ${failure}`);
}

async function stop(child: ChildProcess, stopTimeout: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = once(child, 'exit');
  if (child.connected) child.disconnect();
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeout);
  await ended;
  clearTimeout(timer);
}

/** Reports to the parent, from the child, that it serves, or why it cannot. Returns false without a parent that listens. */
export function tellParent(started: Started): boolean {
  return process.connected && process.send?.(started) !== undefined;
}

/**
 * Resolves in the child when it must stop: when the parent closes the channel or dies, or without a parent on SIGTERM or SIGINT. A child
 * ignores signals, since Ctrl-C in a terminal reaches all processes at once, and the parent stops them in order.
 */
export async function toldToStop(): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  if (process.send === undefined) {
    await Promise.race(signals.map((signal) => once(process, signal)));
    return;
  }
  for (const signal of signals) process.on(signal, () => {});
  if (process.connected) await once(process, 'disconnect');
}
