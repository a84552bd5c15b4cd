/** Turns: so many pieces of work at once, a bounded queue of those that wait, and a share of both for each of those who ask. */

import { type OffThread, onThread } from './rests.ts';
import { type Running, RunningWork } from './shares.ts';
import { measure } from './telemetry/trace.ts';
import { inOrder, KeyCounts, type Turn } from './turn-order.ts';
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
  /** Of those who wait so many of one key stay while its work is held up and nobody knows for how long. Default: all. */
  readonly behindHeldUp?: number;
  /** Creates the error of work that is refused: at once where the queue is full, or when its time is over. */
  readonly refusal: () => Error;
}

export interface Turns {
  /** Pieces of work that wait. */
  readonly waiting: number;
  /**
   * Runs work in its turn, and rejects when that has not come in `timeout` milliseconds, as soon as that can be told, or when the signal
   * refuses it while it waits. `keys` name those whose shares it takes, such as the caller. Of those who wait the one goes next whose
   * first key has been served least recently; of one key, work that `continues` a request goes first, and is not refused for its time before
   * that is over: what was waited for already would be in vain. Where the queue is full, the one whose turn would come last loses its place.
   */
  run<T>(keys: readonly string[], timeout: number, work: () => Promise<T>, options?: WaitOptions): Promise<T>;
}

export interface WaitOptions {
  /** Returns the signal that refuses work while it waits. Default: none does. */
  readonly refused?: (() => AbortSignal | undefined) | undefined;
  /** Whether work of the same request has run before. Default false. */
  readonly continues?: boolean;
  /** Waits for the turn, for which the thread does nothing. */
  readonly offThread?: OffThread | undefined;
}

interface Waiting extends Turn {
  /** Milliseconds on the clock at which its time is over. */
  readonly end: number;
  readonly start: () => void;
  readonly refuse: (reason?: unknown) => void;
}

/** Milliseconds from one look at who waits in vain to the next. */
const interval = 40;

/** The part of the time to wait in which a turn has to be expected at first: what takes a little longer than before must not be refused late. */
const expected = 3 / 4;

/** Creates turns of which none is taken. */
export function createTurns({
  name,
  running: maxRunning,
  runningOfOne,
  inAll,
  behindHeldUp = Number.POSITIVE_INFINITY,
  refusal,
}: TurnLimits): Turns {
  const running = new RunningWork(runningOfOne);
  const lastServed = new Map<string, number>();
  const queue = new Set<Waiting>();
  let served = 0;
  let nextLook: NodeJS.Timeout | undefined;

  function mayRun(keys: readonly string[]): boolean {
    return running.count < maxRunning && !keys.some((key) => running.isFull(key));
  }

  function begin(keys: readonly string[]): Running {
    const [first] = keys;
    if (first !== undefined) lastServed.set(first, ++served);
    return running.begin(keys);
  }

  function end(one: Running): void {
    running.end(one);
    startNext();
    if (running.count === 0) lastServed.clear();
  }

  function startNext(): void {
    // Work that continues goes half a turn earlier.
    const turnOf = ({ keys: [first = ''], continues }: Waiting) =>
      (lastServed.get(first) ?? 0) - (continues ? 0.5 : 0);
    let next: Waiting | undefined;
    for (const one of queue)
      if (mayRun(one.keys) && (next === undefined || turnOf(one) < turnOf(next))) next = one;
    next?.start();
  }

  /** Checks whether one behind so many of a key waits in vain: for so many rounds, by the time that its work takes now. */
  function isInVain(key: string, before: number, rounds: number, left: number): boolean {
    return (before >= behindHeldUp && running.isHeldUp(key)) || rounds * running.durationOf(key) > left;
  }

  /** Checks whether one that has just come would, in the order of all. */
  function isHopeless(newcomer: Turn, order: readonly Turn[], timeout: number): boolean {
    const counts = new KeyCounts();
    for (const one of order) {
      if (one === newcomer) break;
      counts.add(one);
    }
    return newcomer.keys.some((key) => {
      const before = counts.of(key);
      return isInVain(key, before, (before + 1) / runningOfOne, timeout * expected);
    });
  }

  /** Refuses those whose turn cannot come in time any more, by the time that is known now: a slow source is known as one only while it runs. */
  function refuseHopeless(): void {
    const now = performance.now();
    const counts = new KeyCounts();
    for (const one of inOrder(queue)) {
      const isOneInVain =
        !one.continues &&
        one.keys.some((key) => {
          const before = counts.of(key);
          return isInVain(key, before, Math.floor(before / runningOfOne), one.end - now);
        });
      if (isOneInVain) one.refuse();
      else counts.add(one);
    }
  }

  /** Looks at who waits, again and again while anybody does. */
  function watch(): void {
    if (nextLook !== undefined || queue.size === 0) return;
    nextLook = setTimeout(() => {
      nextLook = undefined;
      running.look();
      refuseHopeless();
      watch();
    }, interval);
  }

  /** Takes the place in a full queue of the one whose turn would come last; throws where that is the newcomer's. */
  function makePlace(newcomer: Turn, order: readonly (Turn | Waiting)[]): void {
    const last = order.at(-1);
    if (newcomer.keys.length === 0 || last === undefined || !('refuse' in last)) throw refusal();
    last.refuse();
  }

  function waitForTurn(
    keys: readonly string[],
    timeout: number,
    { refused, continues = false }: WaitOptions,
  ): Promise<Running> {
    const newcomer: Turn = { keys, continues };
    const order = inOrder<Turn | Waiting>([...queue, newcomer]);
    if (!continues && isHopeless(newcomer, order, timeout)) throw refusal();
    if (queue.size + running.count >= inAll) makePlace(newcomer, order);
    const { promise, resolve, reject } = Promise.withResolvers<Running>();
    const timer = setTimeout(() => waiting.refuse(), timeout);
    const leave = () => {
      clearTimeout(timer);
      queue.delete(waiting);
    };
    const waiting: Waiting = {
      ...newcomer,
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
    watch();
    return orRefused(promise, refused?.(), waiting.refuse);
  }

  return {
    get waiting() {
      return queue.size;
    },
    async run(keys, timeout, work, options = {}) {
      const { offThread = onThread } = options;
      const one = mayRun(keys)
        ? begin(keys)
        : await measure('queue', name, {}, () => offThread(async () => waitForTurn(keys, timeout, options)));
      try {
        return await work();
      } finally {
        end(one);
      }
    },
  };
}
