/**
 * Parts of the dev stack run in child processes: started, ready or failed, stopped, and never left behind. Both ends stand here. The
 * parent forks a script. The script reports once over IPC that it serves, or why it cannot. It stops when the parent closes the channel,
 * which the system does for a parent that dies.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Milliseconds that a process has to stop before it is killed, by default. */
const defaultStopTimeout = 20_000;

/** What a process says, once. */
export type Started =
  | { readonly port: number /** What is wrong although it serves. */; readonly warning?: string }
  | { readonly failure: string };

export interface ProcessOptions {
  /** What it is, for messages: `the local tables`. */
  readonly name: string;
  readonly script: string;
  readonly parameters: readonly string[];
  /** Options of Node, such as `--enable-source-maps`. */
  readonly nodeOptions?: readonly string[];
  /** Its whole environment. Default: ours. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Milliseconds that it has to stop before it is killed. Default: 20 seconds. */
  readonly stopTimeout?: number;
  /** Takes the lines that it writes; `ignore` drops them. Default: our own standard error. */
  readonly log?: Log;
}

export type Log = 'ignore' | ((line: string) => void);

/** A process that serves. */
export interface RunningProcess {
  readonly port: number;
  /** What it said is wrong although it serves. */
  readonly warning: string | undefined;
  readonly process: ChildProcess;
  /** Resolves with a description of the end when the process ends without having been stopped. */
  readonly lost: Promise<string>;
  /** Lets it finish and waits until it has ended; kills it when that takes too long. May be called twice. */
  stop(): Promise<void>;
}

/** Starts a process and resolves when it serves; rejects with what it said or wrote when it cannot, once it has ended. It does not keep ours alive. */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { name, script, parameters, nodeOptions = [], environment = process.env, log } = options;
  const { stopTimeout = defaultStopTimeout } = options;
  const child = fork(script, parameters, {
    env: environment,
    execArgv: ['--disable-warning=ExperimentalWarning', ...nodeOptions],
    stdio: ['ignore', log === 'ignore' ? 'ignore' : 'pipe', 'pipe', 'ipc'],
  });
  const lost = Promise.withResolvers<string>();
  let wanted = true;
  child.once('exit', (code, signal) => wanted && lost.resolve(`${name} ended with ${signal ?? code}`));
  const { port, warning } = await startedBy(child, name, writtenBy(child, log)).catch(
    async (error: unknown) => {
      // It is given no time: what it holds is free for the next one.
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
      wanted = false;
      return stop(child, stopTimeout);
    },
  };
}

/** Passes on the lines of a process. Returns the last ones that it wrote as errors, for when it cannot start. */
function writtenBy({ stdout, stderr }: ChildProcess, log: Log = (line) => console.error(line)): string[] {
  const errors: string[] = [];
  for (const stream of [stdout, stderr]) {
    if (stream === null) continue;
    // A pipe of a child process is a socket, which would keep us alive.
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

/** Informs the parent, from the process itself, that it serves, or why it cannot. False when it has no parent that listens. */
export function tellParent(started: Started): boolean {
  return process.connected && process.send?.(started) !== undefined;
}

/**
 * Resolves, in the process itself, when it is to stop: when its parent lets go of it or has gone, or, where it was not
 * started by one, on SIGTERM or SIGINT. Below a parent signals are passed over: Ctrl-C in a terminal reaches all
 * processes at once, and the parent knows in which order they end.
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
