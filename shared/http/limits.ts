/** What a request passes before its work and while it is done: the number of those in flight, the share of its caller, and its turn. */

import type { Config } from '../config.ts';
import { CodedError, isCodedError, isForNumber } from '../errors.ts';
import { type OffThread, Rests } from '../rests.ts';
import { createShares, type RunWithin } from '../shares.ts';
import { createFairStart } from '../waiting.ts';
import { createBytesInFlight, type HoldBytes, type Refusable } from './bytes-in-flight.ts';

/** Runs a piece of work, or refuses it. */
export type Run = <T>(work: () => Promise<T>) => Promise<T>;

/** What limits the requests of all APIs. */
export interface Limits {
  /** Runs the work of a request, or refuses it when there is too much. */
  readonly run: Run;
  /** Runs the work of a request whose caller is known, within the caller's share of those in flight. Default: without a limit. */
  readonly runInShare?: RunWithin;
  /** When requests of callers begin their work. Default: at once. */
  readonly turns?: RequestTurns;
  /** Counts the bytes of bodies that requests hold in memory. Default: does not. */
  readonly holdBytes?: HoldBytes;
}

/** Creates the limits of an app that takes `requests` at once, and `ofOne` of one caller. */
export function createLimits(config: Config, requests: number, ofOne: number): Limits {
  return {
    run: createConcurrencyLimit(requests),
    runInShare: createShares(requests, ofOne).run,
    turns: createRequestTurns(),
    holdBytes: createBytesInFlight(config),
  };
}

/** Creates the function that runs work while fewer than `limit` pieces are in flight, and throws `overloaded` (503, retry in a second) otherwise. Keep the limit below the host's own, whose refusal has no body. */
export function createConcurrencyLimit(limit: number): Run {
  const shares = createShares(limit, limit, { what: 'too many requests are', budget: 'requests' });
  return (work) => shares.run('', 1, work);
}

export interface RequestTurns {
  /** Runs work of a caller, which waits for its turn where it begins to compute, unless it is refused meanwhile. */
  readonly runInTurn: <T>(
    caller: string,
    work: (awaitStart: () => Promise<void>, offThread?: OffThread) => Promise<T>,
    refusable?: Refusable,
  ) => Promise<T>;
  /** Waits before a refusal of a request that has begun at such a time is sent, where callers are refused more often than others can bear; not before any other error. */
  readonly awaitRefusal: (caller: string, error: unknown, started?: number) => Promise<void>;
}

/** Requests of a caller that wait, up to which one more begins so soon that it need not be refused before. */
const soon = 8;

/** Milliseconds for which a request waits to begin, at most. */
const maxWait = 4_000;

/**
 * Milliseconds from one refusal to the next while others ask, after the start of its request at which one need not wait any more, and of those
 * that are sent together: who asks again at once with hundreds of connections must not cost the others more, the more connections there are.
 */
const refusals = { interval: 1, maxWait: 750, batch: 10 };

/** Creates the turns of requests: callers begin one after the other, and who has many rests while others ask. */
function createRequestTurns(): RequestTurns {
  const fairStart = createFairStart();
  const rests = new Rests();
  const fairRefusals = createFairStart();
  const mayRefuse = createRefusalPace();
  return {
    async runInTurn(caller, work, refusable) {
      const request = rests.add(caller);
      const awaitStart = async () => {
        const waiting = fairStart.waiting(caller);
        if (rests.waitOf(caller, waiting) > maxWait)
          throw new CodedError('overloaded', 'Cannot answer now: too many requests wait.', { retryAfter: 1 });
        await fairStart.awaitTurn(caller, request.begin, waiting < soon ? undefined : refusable?.refused());
      };
      try {
        return await work(awaitStart, request.offThread);
      } finally {
        request.end();
      }
    },
    async awaitRefusal(caller, error, started = performance.now()) {
      if (isRefusal(error) && rests.hasOthers(caller))
        await fairRefusals.awaitTurn(caller, () => mayRefuse(started));
    },
  };
}

/** Creates the pace of refusals: those of the same few milliseconds go out at once, since what is written together costs hardly more than one. */
function createRefusalPace(): (started: number) => boolean {
  let next = 0;
  return (started) => {
    const now = performance.now();
    if (now - started >= refusals.maxWait) return true;
    const start = Math.floor(now / refusals.batch) * refusals.batch;
    if (next >= start + refusals.batch) return false;
    next = Math.max(start, next) + refusals.interval;
    return true;
  };
}

/** Checks whether an error says that the caller is not known, or asks for too much. */
function isRefusal(error: unknown): boolean {
  if (!isCodedError(error)) return false;
  return error.kind === 'unauthenticated' || error.kind === 'too-many-requests' || isForNumber(error);
}
