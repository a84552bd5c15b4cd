/** Many instances of one calendar, a few in each process, as their parent sees them. */

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { LogSettings } from '../../../functions/calendar/log/log.ts';
import { ask, messageOf } from '../message-of.ts';

/** What a process is called in errors. */
const processName = 'A process of instances';

/** Instances in one process, at most. */
const perProcess = 8;

export interface LoadOrder {
  readonly settings: LogSettings;
  /** Connection string of the blobs with the snapshots. Without it all is loaded from the tables. */
  readonly blobs?: string | undefined;
  /** Milliseconds for which reads share what one of them has found. */
  readonly staleness: number;
}

export interface ServeOrder {
  readonly seconds: number;
  /** Reads a second of each instance. */
  readonly readsPerSecond: number;
  /** Whether one of the instances writes once a second. */
  readonly writes: boolean;
}

/** What a process is told to do. */
export type Order =
  | (LoadOrder & { readonly kind: 'load'; readonly instances: number })
  | (ServeOrder & { readonly kind: 'serve' });

export interface Loaded {
  /** Requests of callers that were refused meanwhile. */
  readonly refused: number;
}

export interface Served {
  readonly reads: number;
  /** Reads that were answered as stale, without the tables. */
  readonly stale: number;
  readonly refused: number;
  /** When each version was acknowledged. */
  readonly acknowledged: readonly (readonly [version: number, at: number])[];
  /** For each instance, when the last read began that showed a version. */
  readonly shown: readonly (readonly (readonly [version: number, at: number])[])[];
}

export interface CalendarInstances {
  /** Opens so many instances in place of those before, and resolves once all have answered a list. */
  load(count: number, order: LoadOrder): Promise<Loaded & { readonly seconds: number }>;
  /** Has all instances answer reads, and resolves once the last is answered. */
  serve(order: ServeOrder): Promise<Served>;
  stop(): void;
}

/** Starts the processes for so many instances, at most. */
export async function startInstances(most: number): Promise<CalendarInstances> {
  const children = await Promise.all(Array.from({ length: Math.ceil(most / perProcess) }, startProcess));
  let open: readonly ChildProcess[] = [];
  return {
    async load(count, order) {
      // Those that are open already close their instances.
      await Promise.all(open.map((child) => tell(child, { kind: 'load', instances: 0, ...order })));
      open = children.slice(0, Math.ceil(count / perProcess));
      const startedAt = performance.now();
      const loads = open.map((child, index) => {
        const instances = Math.min(perProcess, count - index * perProcess);
        return tell<Loaded>(child, { kind: 'load', instances, ...order });
      });
      const refused = sumOf(await Promise.all(loads), ({ refused }) => refused);
      return { refused, seconds: (performance.now() - startedAt) / 1_000 };
    },
    async serve({ writes, ...order }) {
      const served = await Promise.all(
        open.map((child, index) =>
          tell<Served>(child, { kind: 'serve', ...order, writes: writes && index === 0 }),
        ),
      );
      return {
        reads: sumOf(served, ({ reads }) => reads),
        stale: sumOf(served, ({ stale }) => stale),
        refused: sumOf(served, ({ refused }) => refused),
        acknowledged: served.flatMap(({ acknowledged }) => acknowledged),
        shown: served.flatMap(({ shown }) => shown),
      };
    },
    stop() {
      for (const child of children) if (child.connected) child.disconnect();
    },
  };
}

/** Returns the most milliseconds for which a read showed less than had been acknowledged before it began. */
export function stalenessOf({ acknowledged, shown }: Served): number {
  const late = acknowledged.flatMap(([version, acknowledgedAt]) =>
    shown.flat().map(([older, shownAt]) => (older < version ? shownAt - acknowledgedAt : 0)),
  );
  return Math.max(0, ...late);
}

async function startProcess(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'calendar-process.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  await messageOf(child, processName);
  return child;
}

async function tell<T extends object>(child: ChildProcess, order: Order): Promise<T> {
  const answer = await ask<T | { readonly failure: string }>(child, processName, order);
  if ('failure' in answer) throw new Error(answer.failure);
  return answer;
}

function sumOf<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0);
}
