/** What a request passes before its work and while it is done: the number of those in flight, the share of its caller, and its turn. */

import type { Config } from '../config.ts';
import { CodedError } from '../errors.ts';
import { type OffThread, onThread, Rests } from '../rests.ts';
import { createShares, type RunWithin } from '../shares.ts';
import { createFairStart } from '../waiting.ts';
import { createBytesInFlight, type HoldBytes, type Refusable, smallReply } from './bytes-in-flight.ts';
import { createQuestions } from './questions.ts';

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
    turns: createRequestTurns(ofOne),
    holdBytes: createBytesInFlight(config),
  };
}

/** Creates the function that runs work while fewer than `limit` pieces are in flight, and throws `overloaded` (503, retry in a second) otherwise. Keep the limit below the host's own, whose refusal has no body. */
export function createConcurrencyLimit(limit: number): Run {
  const shares = createShares(limit, limit, { what: 'too many requests are', budget: 'requests' });
  return (work) => shares.run('', 1, work);
}

/** The turn of a request. */
export interface RequestTurn {
  /** Waits until the request may begin to compute, unless it is refused meanwhile. */
  readonly awaitStart: () => Promise<void>;
  readonly offThread: OffThread;
  /** Counts what it costs to hand over a reply of so many bytes. */
  readonly addReply: (bytes: number) => void;
}

type Work<T> = (turn: RequestTurn) => Promise<T>;

export interface TurnOptions {
  /** What may refuse the request while it waits. Default: nothing. */
  readonly refusable?: Refusable | undefined;
  /** What is asked, where those who ask cannot be told apart. Default: they can. */
  readonly question?: string | undefined;
}

export interface RequestTurns {
  /** Runs work of a caller in its turn. */
  readonly runInTurn: <T>(caller: string, work: Work<T>, options?: TurnOptions) => Promise<T>;
  /** Waits before a reply that took no turn, or that refuses a request, is sent, where a caller has more of them than others can bear. `started` is when the request began. */
  readonly awaitPace: (caller: string, started: number) => Promise<void>;
}

/** Lets everybody begin at once. */
export const atOnce: RequestTurns = {
  runInTurn: (_caller, work) => work({ awaitStart: async () => {}, offThread: onThread, addReply: () => {} }),
  awaitPace: async () => {},
};

/** Requests of a caller that wait, up to which one more begins so soon that it need not be refused before. */
const soon = 8;

/** Milliseconds for which a request waits to begin, at most. */
const maxWait = 4_000;

/**
 * Milliseconds from one reply without a turn, such as a refusal, to the next while others ask, after the start of its request at which one need
 * not wait any more, and of those that are sent together: who asks again at once with hundreds of connections must not cost the others more, the
 * more connections there are.
 */
const pace = { interval: 1, maxWait: 750, batch: 10 };

/** Milliseconds for which a caller rests after a mebibyte of large replies, since they cost the host's processor more than ours. */
const restPerMebibyte = 12;
const mebibyte = 1024 * 1024;

/** Creates the turns of requests: callers begin one after the other, and who has many rests while others ask. */
function createRequestTurns(ofOne: number): RequestTurns {
  const fairStart = createFairStart();
  const rests = new Rests();
  const fairReplies = createFairStart();
  const mayReply = createPace();
  const questions = createQuestions(ofOne);

  async function run<T>(caller: string, work: Work<T>, refusable: Refusable | undefined): Promise<T> {
    const request = rests.add(caller);
    const awaitStart = async () => {
      const waiting = fairStart.waiting(caller);
      if (rests.waitOf(caller, waiting) > maxWait)
        throw new CodedError('overloaded', 'Cannot answer now: too many requests wait.', { retryAfter: 1 });
      await fairStart.awaitTurn(caller, request.begin, waiting < soon ? undefined : refusable?.refused());
    };
    const addReply = (bytes: number) => {
      if (bytes > smallReply) request.addRest((bytes / mebibyte) * restPerMebibyte);
    };
    try {
      return await work({ awaitStart, offThread: request.offThread, addReply });
    } finally {
      request.end();
    }
  }

  return {
    async runInTurn(caller, work, { refusable, question } = {}) {
      if (question === undefined) return run(caller, work, refusable);
      return questions.run(question, caller, (one) => run(one, work, refusable));
    },
    async awaitPace(caller, started) {
      if (rests.hasOthers(caller)) await fairReplies.awaitTurn(caller, () => mayReply(started));
    },
  };
}

/** Creates the pace of replies: those of the same few milliseconds go out at once, since what is written together costs hardly more than one. */
function createPace(): (started: number) => boolean {
  let next = 0;
  return (started) => {
    const now = performance.now();
    if (now - started >= pace.maxWait) return true;
    const start = Math.floor(now / pace.batch) * pace.batch;
    if (next >= start + pace.batch) return false;
    next = Math.max(start, next) + pace.interval;
    return true;
  };
}
