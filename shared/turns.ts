/** Turns: so many pieces of work at once, a bounded queue of those that wait, and a share of both for each of those who ask. */

import { measure } from './telemetry/trace.ts';
import { orRefused } from './waiting.ts';

export interface TurnLimits {
  /** What waiting for a turn is called in telemetry. */
  readonly name: string;
  /** Pieces of work that run at once, at most. */
  readonly running: number;
  /** Of these, at most so many of one key. */
  readonly runningOfOne: number;
  /** Pieces of work that run or wait, at most. */
  readonly inAll: number;
  /** Creates the error of work that is refused: at once where the queue is full, or when its time is over. */
  readonly refusal: () => Error;
}

export interface Turns {
  /** Pieces of work that wait. */
  readonly waiting: number;
  /**
   * Runs work in its turn, and rejects when that has not come in `timeout` milliseconds, as soon as that can be told, or when the signal
   * refuses it while it waits. `keys` name those whose shares it takes, such as the caller. Of those who wait the one goes next whose
   * first key has been served least recently. Where the queue is full, the key that waits with the most loses its last to one that waits with fewer.
   */
  run<T>(
    keys: readonly string[],
    timeout: number,
    work: () => Promise<T>,
    refused?: () => AbortSignal | undefined,
  ): Promise<T>;
}

interface Waiting {
  readonly keys: readonly string[];
  /** Milliseconds on the clock at which its time is over. */
  readonly end: number;
  readonly start: () => void;
  readonly refuse: (reason?: unknown) => void;
}

/** Work that runs. */
interface Running {
  readonly keys: readonly string[];
  /** Milliseconds on the clock at which it began. */
  readonly start: number;
}

/** Milliseconds from one look at who waits in vain to the next. */
const interval = 20;

/** Creates turns of which none is taken. */
export function createTurns({ name, running: maxRunning, runningOfOne, inAll, refusal }: TurnLimits): Turns {
  /** By key, the oldest first. */
  const running = new Map<string, Set<Running>>();
  const lastServed = new Map<string, number>();
  /** Milliseconds that work of a key takes, while there is any. */
  const durations = new Map<string, number>();
  const queue = new Set<Waiting>();
  let inFlight = 0;
  let served = 0;
  let lastLook = Number.NEGATIVE_INFINITY;

  function mayRun(keys: readonly string[]): boolean {
    return inFlight < maxRunning && keys.every((key) => (running.get(key)?.size ?? 0) < runningOfOne);
  }

  function begin(keys: readonly string[]): Running {
    const one: Running = { keys, start: performance.now() };
    inFlight += 1;
    for (const key of keys) running.set(key, (running.get(key) ?? new Set()).add(one));
    const [first] = keys;
    if (first !== undefined) lastServed.set(first, ++served);
    return one;
  }

  function end(one: Running): void {
    const duration = performance.now() - one.start;
    inFlight -= 1;
    for (const key of one.keys) {
      const average = durations.get(key) ?? duration;
      durations.set(key, average + (duration - average) / 4);
      running.get(key)?.delete(one);
      if (running.get(key)?.size === 0) for (const map of [running, durations]) map.delete(key);
    }
    startNext();
    refuseHopeless();
    if (inFlight === 0) lastServed.clear();
  }

  /** Returns the milliseconds that work of a key takes, as far as can be told: that of what runs since longest, at least. */
  function durationOf(key: string): number {
    const [oldest] = running.get(key) ?? [];
    const elapsed = oldest === undefined ? 0 : performance.now() - oldest.start;
    return Math.max(elapsed, durations.get(key) ?? 0);
  }

  function startNext(): void {
    const turnOf = ({ keys: [first = ''] }: Waiting) => lastServed.get(first) ?? 0;
    let next: Waiting | undefined;
    for (const one of queue)
      if (mayRun(one.keys) && (next === undefined || turnOf(one) < turnOf(next))) next = one;
    next?.start();
  }

  /** Checks whether one more of these keys would wait for too long, by the time that theirs take now. */
  function isHopeless(keys: readonly string[], timeout: number): boolean {
    return keys.some((key) => {
      const before = [...queue].filter((one) => one.keys.includes(key)).length;
      return ((before + 1) / runningOfOne) * durationOf(key) > timeout;
    });
  }

  /** Refuses those whose turn cannot come in time any more, by the time that is known now: a slow source is known as one only while it runs. */
  function refuseHopeless(): void {
    const now = performance.now();
    if (now - lastLook < interval) return;
    lastLook = now;
    const before = new Map<string, number>();
    for (const one of queue) {
      const rounds = (key: string) => Math.floor((before.get(key) ?? 0) / runningOfOne);
      if (one.keys.some((key) => rounds(key) * durationOf(key) > one.end - now)) one.refuse();
      else for (const key of one.keys) before.set(key, (before.get(key) ?? 0) + 1);
    }
  }

  /** Makes a place in a full queue for one who waits with fewer than another; throws where nobody does. */
  function makePlace(keys: readonly string[]): void {
    const counts = new Map<string, number>();
    for (const key of [...queue].flatMap((one) => one.keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
    const [greediest = '', max = 0] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
    const own = Math.max(...keys.map((key) => counts.get(key) ?? 0));
    if (keys.length === 0 || max <= own + 1) throw refusal();
    [...queue].findLast((one) => one.keys.includes(greediest))?.refuse();
  }

  function waitForTurn(keys: readonly string[], timeout: number, refused?: AbortSignal): Promise<Running> {
    refuseHopeless();
    if (isHopeless(keys, timeout)) throw refusal();
    if (queue.size + inFlight >= inAll) makePlace(keys);
    const { promise, resolve, reject } = Promise.withResolvers<Running>();
    const timer = setTimeout(() => waiting.refuse(), timeout);
    const leave = () => {
      clearTimeout(timer);
      queue.delete(waiting);
    };
    const waiting: Waiting = {
      keys,
      end: performance.now() + timeout,
      start() {
        leave();
        resolve(begin(keys));
      },
      refuse(reason = refusal()) {
        leave();
        reject(reason);
      },
    };
    queue.add(waiting);
    return orRefused(promise, refused, waiting.refuse);
  }

  return {
    get waiting() {
      return queue.size;
    },
    async run(keys, timeout, work, refused) {
      const running = mayRun(keys)
        ? begin(keys)
        : await measure('queue', name, {}, () => waitForTurn(keys, timeout, refused?.()));
      try {
        return await work();
      } finally {
        end(running);
      }
    },
  };
}
