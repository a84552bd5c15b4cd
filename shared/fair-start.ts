/** The order in which pieces of work begin. There is one thread, and who has many of them waiting must not keep others behind all of them. */

import { orRefused } from './time-limit.ts';

/** Milliseconds of work that begins before what has arrived meanwhile is looked at. */
const slice = 5;

/** Pieces of work that begin in one slice, at most. */
const maxBatch = 8;

/** Milliseconds after which those who wait are asked again where none of them may begin. */
const pause = 2;

export interface FairStart {
  /** Waits for the turn of a piece of work of the caller, until `begin` says that it begins, or the signal refuses it. */
  awaitTurn(caller: string, begin?: () => boolean, refused?: AbortSignal): Promise<void>;
  /** Pieces of work of a caller that wait. */
  waiting(caller: string): number;
}

interface Waiting {
  readonly begin: () => boolean;
  readonly resolve: () => void;
}

/** Creates the queue in which callers begin by turns. */
export function createFairStart(): FairStart {
  /** By caller, those of whom it is the turn first. */
  const queue = new Map<string, Waiting[]>();
  let isRunning = false;
  let resting: NodeJS.Timeout | undefined;
  let batch = 0;
  let sliceStart = 0;

  /** Lets the first one begin who may; false where nobody may. */
  function startNext(): boolean {
    for (const [caller, own] of queue) {
      if (!own[0]?.begin()) continue;
      queue.delete(caller);
      own.shift()?.resolve();
      if (own.length > 0) queue.set(caller, own);
      return true;
    }
    return false;
  }

  function leave(caller: string, waiting: Waiting): void {
    const own = queue.get(caller)?.filter((one) => one !== waiting) ?? [];
    if (own.length > 0) queue.set(caller, own);
    else queue.delete(caller);
  }

  function startSlice(): void {
    const now = performance.now();
    resting = undefined;
    batch = now - sliceStart > slice ? 1 : Math.min(maxBatch, batch + 1);
    sliceStart = now;
    isRunning = queue.size > 0;
    let started = 0;
    while (started < batch && startNext()) started++;
    // Another round of the event loop, in which others arrive.
    if (isRunning && started > 0) setImmediate(startSlice);
    else if (isRunning) resting = setTimeout(startSlice, pause);
  }

  function run(): void {
    if (isRunning && resting === undefined) return;
    clearTimeout(resting);
    resting = undefined;
    isRunning = true;
    batch = 0;
    sliceStart = performance.now();
    setImmediate(startSlice);
  }

  return {
    awaitTurn(caller, begin = () => true, refused) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiting = { begin, resolve };
      const own = queue.get(caller);
      if (own === undefined) queue.set(caller, [waiting]);
      else own.push(waiting);
      run();
      return orRefused(promise, refused, (reason) => {
        leave(caller, waiting);
        reject(reason);
      });
    },
    waiting: (caller) => queue.get(caller)?.length ?? 0,
  };
}
