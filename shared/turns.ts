/** Turns: so many pieces of work at once, a bounded queue of those that wait, and a share of both for each of those who ask. */

import { measure } from './telemetry/trace.ts';

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
   * Runs work in its turn, and rejects when that has not come in `timeout` milliseconds, or at once where that can be told. `keys` name those whose shares it
   * takes, such as the caller. Of those who wait the one goes next whose first key has been served least recently. Where the
   * queue is full, the key that waits with the most loses its last to one that waits with fewer.
   */
  run<T>(keys: readonly string[], timeout: number, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly keys: readonly string[];
  readonly start: () => void;
  readonly refuse: () => void;
}

/** Creates turns of which none is taken. */
export function createTurns({ name, running: maxRunning, runningOfOne, inAll, refusal }: TurnLimits): Turns {
  const running = new Map<string, number>();
  const lastServed = new Map<string, number>();
  /** Milliseconds that work of a key takes, while there is any. */
  const durations = new Map<string, number>();
  const queue = new Set<Waiting>();
  let inFlight = 0;
  let served = 0;

  function mayRun(keys: readonly string[]): boolean {
    return inFlight < maxRunning && keys.every((key) => (running.get(key) ?? 0) < runningOfOne);
  }

  function begin(keys: readonly string[]): void {
    inFlight += 1;
    for (const key of keys) running.set(key, (running.get(key) ?? 0) + 1);
    const [first] = keys;
    if (first !== undefined) lastServed.set(first, ++served);
  }

  function end(keys: readonly string[], duration: number): void {
    inFlight -= 1;
    for (const key of keys) {
      const left = (running.get(key) ?? 1) - 1;
      const average = durations.get(key) ?? duration;
      durations.set(key, average + (duration - average) / 4);
      if (left > 0) running.set(key, left);
      else for (const map of [running, durations]) map.delete(key);
    }
    startNext();
    if (inFlight === 0) lastServed.clear();
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
      return ((before + 1) / runningOfOne) * (durations.get(key) ?? 0) > timeout;
    });
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

  function waitForTurn(keys: readonly string[], timeout: number): Promise<void> {
    if (isHopeless(keys, timeout)) throw refusal();
    if (queue.size + inFlight >= inAll) makePlace(keys);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => waiting.refuse(), timeout);
    const leave = () => {
      clearTimeout(timer);
      queue.delete(waiting);
    };
    const waiting: Waiting = {
      keys,
      start() {
        leave();
        begin(keys);
        resolve();
      },
      refuse() {
        leave();
        reject(refusal());
      },
    };
    queue.add(waiting);
    return promise;
  }

  return {
    get waiting() {
      return queue.size;
    },
    async run(keys, timeout, work) {
      if (mayRun(keys)) begin(keys);
      else await measure('queue', name, {}, () => waitForTurn(keys, timeout));
      const start = performance.now();
      try {
        return await work();
      } finally {
        end(keys, performance.now() - start);
      }
    },
  };
}
