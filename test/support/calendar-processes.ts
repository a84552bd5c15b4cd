/** Several processes on one calendar, each with a log of its own. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LogSettings } from '../../shared/calendar/log/log.ts';
import type { Action, Step } from './history.ts';

export interface CalendarProcess {
  /** Does the actions one after the other and resolves with what it told of them: all, unless it ends before. */
  run(actions: readonly Action[]): Promise<Step[]>;
  /** Called for each step that it tells. */
  onStep(listener: (step: Step) => void): void;
  /** Ends it with SIGKILL, in the middle of whatever it does. */
  kill(): Promise<void>;
}

/** Starts processes on a calendar and resolves when all are ready. */
export function startProcesses(count: number, settings: LogSettings): Promise<CalendarProcess[]> {
  return Promise.all(Array.from({ length: count }, () => startProcess(settings)));
}

async function startProcess(settings: LogSettings): Promise<CalendarProcess> {
  const child = fork(join(import.meta.dirname, 'calendar-process.ts'), [JSON.stringify(settings)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  await once(child, 'message');
  return {
    run: (actions) => run(child, actions),
    onStep: (listener) => child.on('message', listener),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

function run(child: ChildProcess, actions: readonly Action[]): Promise<Step[]> {
  const { promise, resolve } = Promise.withResolvers<Step[]>();
  const steps: Step[] = [];
  const end = () => resolve(steps);
  const collect = (step: Step) => {
    if (steps.push(step) < actions.length) return;
    child.off('message', collect).off('exit', end);
    end();
  };
  child.on('message', collect).once('exit', end);
  child.send(actions);
  return promise;
}
