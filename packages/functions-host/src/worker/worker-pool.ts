/** The worker's processes: started, used in turn, replaced when they end or hang. */

import { setTimeout as delay } from 'node:timers/promises';
import { type LoadResult, WorkerProcess } from './worker-process.ts';

/** Ends of a worker within this many milliseconds that the host puts up with; one more and it stops. */
const crashWindow = 30 * 60_000;
const maxCrashes = 2;
/** Milliseconds between two restarts after a crash. */
const restartInterval = 10_000;
/** Milliseconds that a function has after its time-out before the worker is replaced. */
const timeoutGrace = 2_000;

export interface WorkerPoolOptions {
  readonly app: string;
  /** Where Node's debugger listens in a worker: a port, or `host:port`. */
  readonly inspect: string | undefined;
  readonly count: number;
  /** Takes what an operator should know. */
  readonly log: (line: string) => void;
  /** Told in words when the worker has ended too often. */
  readonly onGivenUp: (reason: string) => void;
}

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #all = new Set<WorkerProcess>();
  #ready: WorkerProcess[] = [];
  #turn = 0;
  #waiting: ((worker: WorkerProcess) => void)[] = [];
  #crashes: number[] = [];
  #lastRestart = Number.NEGATIVE_INFINITY;
  #loadedOnce = false;
  #stopping = false;
  /** Processes that are ended on purpose. */
  readonly #replaced = new Set<WorkerProcess>();

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Starts the processes and resolves with what the first one has loaded. One that fails to load is not started again. */
  start(): Promise<LoadResult> {
    const first = Promise.withResolvers<LoadResult>();
    for (let index = 0; index < this.#options.count; index++) this.#startProcess(first.resolve);
    return first.promise;
  }

  /** Returns the next process in turn; waits until one is ready. */
  acquire(): WorkerProcess | Promise<WorkerProcess> {
    const worker = this.#ready[this.#turn++ % Math.max(1, this.#ready.length)];
    return worker ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Replaces a process in which an invocation has run out of time, unless that ends within the grace. */
  async replaceUnlessDone(worker: WorkerProcess, id: string): Promise<void> {
    await delay(timeoutGrace, undefined, { ref: false });
    if (!worker.runs(id) || this.#replaced.has(worker)) return;
    this.#options.log('A function does not end after its time-out: the worker is replaced.');
    this.#replaced.add(worker);
    worker.kill();
  }

  /** Lets the hooks of the app run and ends the processes. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #startProcess(onLoaded: (result: LoadResult) => void): void {
    const worker = new WorkerProcess(this.#options.app, this.#options.inspect);
    this.#all.add(worker);
    void worker.loaded.then((result) => {
      if (!('failure' in result)) this.#add(worker);
      else if (this.#loadedOnce) this.#options.log(`The app did not load: ${result.failure}`);
      onLoaded(result);
    });
    void worker.ended.then((how) => this.#ended(worker, how, onLoaded));
  }

  #add(worker: WorkerProcess): void {
    this.#loadedOnce = true;
    this.#ready.push(worker);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve(worker);
  }

  #ended(worker: WorkerProcess, how: string, onLoaded: (result: LoadResult) => void): void {
    this.#all.delete(worker);
    this.#ready = this.#ready.filter((ready) => ready !== worker);
    if (this.#stopping) return;
    if (this.#replaced.delete(worker)) this.#startProcess(onLoaded);
    else if (worker.failed && !this.#loadedOnce) return;
    else this.#restart(how, onLoaded);
  }

  #restart(how: string, onLoaded: (result: LoadResult) => void): void {
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((time) => time > now - crashWindow), now];
    const times = `${this.#crashes.length} of ${maxCrashes + 1} times within 30 minutes`;
    if (this.#crashes.length > maxCrashes) {
      this.#options.onGivenUp(`The worker ${how}, ${times}: the host stops.`);
      return;
    }
    const wait = Math.max(0, this.#lastRestart + restartInterval - now);
    const when = wait === 0 ? 'now' : `in ${Math.ceil(wait / 1000)} s`;
    this.#options.log(
      `The worker ${how}, ${times}: requests in flight are answered 500, it restarts ${when}.`,
    );
    this.#lastRestart = now + wait;
    setTimeout(() => this.#stopping || this.#startProcess(onLoaded), wait);
  }
}
