/** Several processes on one calendar, each with its log. A process may be used again, on another calendar. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { LogSettings } from '../../functions/calendar/log/log.ts';
import type { Action, Step } from './history.ts';

/** Where processes keep snapshots, and after how many versions. */
export interface SnapshotPlace {
  /** Connection string of the blobs. */
  readonly blobs: string;
  readonly after: number;
}

export interface CalendarProcess {
  /** Does the actions one after the other and resolves with what it told of them: all, unless it ends before. */
  run(actions: readonly Action[]): Promise<Step[]>;
  /** Called for each step that it tells. */
  onStep(listener: (step: Step) => void): void;
  /** Ends it with SIGKILL, in the middle of its work. */
  kill(): Promise<void>;
}

const isAlive = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

/** Ends what was started, after the tests of this file. Returns what puts processes on a calendar, and starts those that are missing. */
export function useProcesses(): (
  count: number,
  settings: LogSettings,
  snapshots?: SnapshotPlace,
) => Promise<CalendarProcess[]> {
  let children: ChildProcess[] = [];
  afterAll(() => children.forEach((child) => void child.kill('SIGKILL')));
  return async (count, settings, snapshots) => {
    children = children.filter(isAlive);
    const missing = Array.from({ length: count - children.length }, startProcess);
    children.push(...(await Promise.all(missing)));
    return children.slice(0, count).map((child) => onCalendar(child, settings, snapshots));
  };
}

async function startProcess(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'calendar-process.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  await once(child, 'message');
  return child;
}

function onCalendar(
  child: ChildProcess,
  settings: LogSettings,
  snapshots: SnapshotPlace | undefined,
): CalendarProcess {
  return {
    run: (actions) => run(child, { settings, snapshots, actions }),
    onStep: (listener) => child.on('message', listener),
    async kill() {
      if (!isAlive(child)) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** The orders of a process. */
export interface Work {
  readonly settings: LogSettings;
  readonly snapshots: SnapshotPlace | undefined;
  readonly actions: readonly Action[];
}

function run(child: ChildProcess, work: Work): Promise<Step[]> {
  const { actions } = work;
  const { promise, resolve } = Promise.withResolvers<Step[]>();
  const steps: Step[] = [];
  const end = () => resolve(steps);
  const collect = (step: Step) => {
    if (steps.push(step) < actions.length) return;
    child.off('message', collect).off('exit', end);
    end();
  };
  child.on('message', collect).once('exit', end);
  child.send(work);
  return promise;
}
