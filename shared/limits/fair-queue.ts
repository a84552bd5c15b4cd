/** A fair queue: bounded, round robin by key, earliest deadline first within a key, with a concurrency limit in all and for each key, and a timeout. */

import { measure } from '../telemetry/trace.ts';

export interface FairQueueOptions {
  /** What waiting in the queue is called in telemetry. */
  readonly name: string;
  /** Pieces of work that run at once, at most. Default: unlimited. */
  readonly concurrency?: number;
  /** Pieces of work of one key that run at once, at most, by the position of the key. Default: unlimited. */
  readonly concurrencyPerKey?: readonly number[];
  /** Whether one piece of work starts per turn of the event loop, so that new arrivals are read in between. Default false. */
  readonly perTurn?: boolean;
  /** Pieces of work that wait, at most. */
  readonly maxQueued: number;
  /** Milliseconds that a piece of work waits, at most. */
  readonly timeoutMs: number;
  /** Creates the error of work that is rejected: the queue is full, or its timeout has passed. */
  readonly rejection: (reason: 'full' | 'timeout') => Error;
}

export interface WorkOptions {
  /** Milliseconds that the work waits, at most. Default: that of the queue. */
  readonly timeoutMs?: number;
  /**
   * Deadline in milliseconds since epoch. Among the work of a key, the earliest deadline goes first, and equal ones go in order of arrival,
   * so that a request that has begun is finished before another begins. Default: none.
   */
  readonly deadline?: number;
}

interface QueuedWork {
  readonly keys: readonly string[];
  readonly deadline: number;
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

export class FairQueue {
  readonly #options: FairQueueOptions;
  /** By first key in round-robin order; the work of a key by deadline. */
  readonly #queues = new Map<string, QueuedWork[]>();
  readonly #runningOfKey = new Map<string, number>();
  #running = 0;
  #queued = 0;
  #hasStartedThisTurn = false;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Pieces of work that wait. */
  get queued(): number {
    return this.#queued;
  }

  /**
   * Runs work when its turn has come, and resolves with its result. `keys` name whose work it is: the first one in the round robin,
   * all of them in the concurrency limits. Rejects with `rejection` after the timeout, or when the queue is full: then the key with
   * most work in the queue loses its last (longest-queue drop).
   */
  async run<T>(keys: readonly string[], work: () => Promise<T>, options: WorkOptions = {}): Promise<T> {
    if (this.#mayStart(keys)) this.#start(keys);
    else await measure('queue', this.#options.name, {}, () => this.#wait(keys, options));
    try {
      return await work();
    } finally {
      this.#end(keys);
    }
  }

  #mayStart(keys: readonly string[]): boolean {
    const { concurrency = Number.POSITIVE_INFINITY, concurrencyPerKey = [] } = this.#options;
    if (this.#hasStartedThisTurn || this.#running >= concurrency) return false;
    return keys.every((key, at) => {
      const limit = concurrencyPerKey[at] ?? Number.POSITIVE_INFINITY;
      return (this.#runningOfKey.get(key) ?? 0) < limit;
    });
  }

  #start(keys: readonly string[]): void {
    this.#running += 1;
    for (const key of keys) this.#runningOfKey.set(key, (this.#runningOfKey.get(key) ?? 0) + 1);
    if (!this.#options.perTurn) return;
    this.#hasStartedThisTurn = true;
    setImmediate(() => {
      this.#hasStartedThisTurn = false;
      this.#startQueued();
    });
  }

  #end(keys: readonly string[]): void {
    this.#running -= 1;
    for (const key of keys) {
      const running = (this.#runningOfKey.get(key) ?? 0) - 1;
      if (running > 0) this.#runningOfKey.set(key, running);
      else this.#runningOfKey.delete(key);
    }
    this.#startQueued();
  }

  #wait(keys: readonly string[], options: WorkOptions): Promise<void> {
    const { timeoutMs = this.#options.timeoutMs, deadline = Number.POSITIVE_INFINITY } = options;
    const [key = ''] = keys;
    if (this.#queued >= this.#options.maxQueued) this.#dropFromLongest(key);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#remove(key, queued);
      reject(this.#options.rejection('timeout'));
    }, timeoutMs);
    const queued: QueuedWork = {
      keys,
      deadline,
      start: () => {
        clearTimeout(timer);
        this.#start(keys);
        resolve();
      },
      reject: (error) => {
        clearTimeout(timer);
        reject(error);
      },
    };
    const queue = this.#queues.get(key) ?? [];
    queue.splice(queue.findLastIndex((other) => other.deadline <= deadline) + 1, 0, queued);
    this.#queues.set(key, queue);
    this.#queued += 1;
    return promise;
  }

  #startQueued(): void {
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) next.start();
  }

  /** Takes the first work that may start, and moves its key to the end of the round. */
  #takeNext(): QueuedWork | undefined {
    for (const [key, queue] of this.#queues) {
      const next = queue.find(({ keys }) => this.#mayStart(keys));
      if (next === undefined) continue;
      this.#remove(key, next);
      this.#moveToEnd(key);
      return next;
    }
    return undefined;
  }

  #moveToEnd(key: string): void {
    const queue = this.#queues.get(key);
    if (queue === undefined) return;
    this.#queues.delete(key);
    this.#queues.set(key, queue);
  }

  #remove(key: string, queued: QueuedWork): void {
    const queue = this.#queues.get(key) ?? [];
    queue.splice(queue.indexOf(queued), 1);
    if (queue.length === 0) this.#queues.delete(key);
    this.#queued -= 1;
  }

  /** Rejects the last work of the key that has most in the queue; throws where that is the key of the new work. */
  #dropFromLongest(newKey: string): void {
    const lengthOf = (key: string) => this.#queues.get(key)?.length ?? 0;
    const longest = [...this.#queues.keys()].reduce(
      (found, key) => (lengthOf(key) > lengthOf(found) ? key : found),
      newKey,
    );
    const last = this.#queues.get(longest)?.at(-1);
    const error = this.#options.rejection('full');
    if (last === undefined || longest === newKey) throw error;
    this.#remove(longest, last);
    last.reject(error);
  }
}
