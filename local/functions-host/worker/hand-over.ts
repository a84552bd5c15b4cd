/**
 * When a request is handed to a worker, which has one thread at the end of one pipe. Few are on their way at once, callers have turns,
 * and large bodies go one by one, with a rest between them, so that nobody waits behind all that somebody else sends.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { CallerQueue } from './caller-queue.ts';
import { takenTogether } from './rpc.ts';

/** Requests that a worker has not taken yet, at most. */
const maxUntaken = 2 * takenTogether;
/** Bytes above which a body is large. */
export const largeBody = 64 * 1024;
/** Milliseconds after which the next large body may follow though the last one is still worked on. */
const maxWait = 250;
/** How long the worker is spared large bodies after one, as a part of the time that this one took; at least that of its bytes, which cost the host more than the worker. */
const rest = 3;
const bytesPerMillisecond = 128 * 1024;
/** Milliseconds since the last other request in which it is. */
const othersAreThere = 1_000;

/** A request that waits for its turn. */
interface Waiting {
  readonly bytes: number;
  /** Lets it be sent. */
  readonly send: (release: Release) => void;
  readonly reject: (error: Error) => void;
}

/** Told when the request has come back. */
export type Release = () => void;

export class HandOver {
  readonly #small = new CallerQueue<Waiting>();
  readonly #large = new CallerQueue<Waiting>();
  #untaken = 0;
  #hasLarge = false;
  #lastSmall = Number.NEGATIVE_INFINITY;
  #end: Error | undefined;

  /** Waits until a request of a caller may be sent, which it then has to be at once; call the function that it resolves with when the request has come back. */
  next(caller: string, bytes: number): Promise<Release> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    (bytes > largeBody ? this.#large : this.#small).add(caller, { bytes, send: resolve, reject });
    this.#go();
    return promise;
  }

  /** Notes that the worker has taken some. */
  taken(count: number): void {
    this.#untaken -= count;
    this.#go();
  }

  /** Rejects those who wait, since the worker has ended. */
  end(error: Error): void {
    this.#end = error;
    for (const turns of [this.#small, this.#large])
      for (let one = turns.next(); one !== undefined; one = turns.next()) one.reject(error);
  }

  #go(): void {
    const large = this.#hasLarge ? undefined : this.#large.next();
    if (large !== undefined) this.#sendLarge(large);
    while (this.#untaken < maxUntaken) {
      const one = this.#small.next();
      if (one === undefined) break;
      this.#untaken++;
      this.#lastSmall = performance.now();
      one.send(() => {});
    }
  }

  #sendLarge({ bytes, send }: Waiting): void {
    this.#untaken++;
    this.#hasLarge = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    send(resolve);
    void this.#rest(promise, bytes).then(() => {
      this.#hasLarge = false;
      this.#go();
    });
  }

  /** Waits until the worker is done with a large body, and longer where it has others to serve. */
  async #rest(done: Promise<void>, bytes: number): Promise<void> {
    const start = performance.now();
    const late = new AbortController();
    await Promise.race([done, delay(maxWait, undefined, { signal: late.signal }).catch(() => {})]);
    late.abort();
    const end = performance.now();
    if (end - this.#lastSmall < othersAreThere)
      await delay(Math.max((end - start) * rest, bytes / bytesPerMillisecond));
  }
}
