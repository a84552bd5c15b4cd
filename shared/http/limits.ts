/** What a request passes before its work and while it is done: the number of those in flight, the share of its caller, and the bytes of bodies that it holds. */

import { setTimeout as delay } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { createCache } from '../cache.ts';
import type { Config } from '../config.ts';
import { CodedError, isCodedError, isForNumber } from '../errors.ts';
import { createFairStart } from '../fair-start.ts';
import { HalfTime } from '../half-time.ts';
import { bodyLimit, heldBytes } from './body.ts';
import type { IncomingRequest } from './request.ts';
import { createShares, type RunWithin, type Taken } from './shares.ts';

/** Runs a piece of work, or refuses it. */
export type Run = <T>(work: () => Promise<T>) => Promise<T>;

/** The bytes that the bodies of a request and its reply take, until the reply is handed over. */
export interface BytesHeld {
  /** Takes what the reply is expected to be, by the size that its path had last. Throws `overloaded`. */
  readonly reserve: () => void;
  /** Counts bytes of a reply as they come. Throws `overloaded` where those in flight are too many, and `reply-too-large`. */
  readonly add: (bytes: number) => void;
  /** Counts a reply that is ready. */
  readonly addReply: (bytes: number) => void;
  readonly release: () => void;
}

/** Begins to count the bytes that a request of the caller holds; throws `overloaded` where its body, or the reply that its path had last, is too much now. */
export type HoldBytes = (
  caller: string,
  endpoint: { readonly method: string; readonly body?: unknown },
  request: IncomingRequest,
) => BytesHeld;

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
  /** Runs work of a caller, which waits for its turn where it begins to compute. */
  readonly runInTurn: <T>(
    caller: string,
    work: (awaitStart: () => Promise<void>) => Promise<T>,
  ) => Promise<T>;
  /** Waits before a refusal is sent, where callers are refused more often than others can bear; not before any other error. */
  readonly awaitRefusal: (caller: string, error: unknown) => Promise<void>;
}

/** Milliseconds for which a request waits to begin, at most. */
const maxWait = 4_000;

/** Milliseconds from one refusal to the next while others ask, and for which one waits at most: so that who asks again at once costs them little. */
const refusals = { interval: 1, maxWait: 150, timer: 2 };

/** Creates the turns of requests: callers begin one after the other, and who has many rests for half of the time while others ask. */
function createRequestTurns(): RequestTurns {
  const fairStart = createFairStart();
  const halfTime = new HalfTime();
  let nextRefusal = 0;
  return {
    async runInTurn(caller, work) {
      const request = halfTime.add(caller);
      const awaitStart = async () => {
        if (halfTime.waitOf(caller, fairStart.waiting(caller)) > maxWait)
          throw new CodedError('overloaded', 'Cannot answer now: too many requests wait.', { retryAfter: 1 });
        await fairStart.awaitTurn(caller, request.begin);
      };
      try {
        return await work(awaitStart);
      } finally {
        request.end();
      }
    },
    async awaitRefusal(caller, error) {
      if (!isRefusal(error)) return;
      const now = performance.now();
      nextRefusal = Math.min(Math.max(now, nextRefusal + refusals.interval), now + refusals.maxWait);
      const wait = nextRefusal - now;
      if (wait > refusals.timer && halfTime.hasOthers(caller)) await delay(wait);
    },
  };
}

/** Checks whether an error says that the caller is not known, or asks for too much. */
function isRefusal(error: unknown): boolean {
  if (!isCodedError(error)) return false;
  return error.kind === 'unauthenticated' || error.kind === 'too-many-requests' || isForNumber(error);
}

/** A body takes some ten times its bytes while it is parsed, stored and sent, and half of the heap is for other things. */
const heapPerByte = 24;

/** Bytes of a reply that are not counted. */
const smallReply = 64 * 1024;

/** Paths whose last reply was large are remembered so long, in milliseconds, and so many of them. */
const memory = { ttl: 60_000, maxEntries: 10_000 };

/** Creates the count of bytes of bodies within the setting's bytes, or within what fits the memory; one body of the largest size always does, for each of two callers. */
function createBytesInFlight({ BODY_BYTES_IN_FLIGHT: bytes }: Config): HoldBytes {
  const wanted = bytes === 0 ? getHeapStatistics().heap_size_limit / heapPerByte : bytes;
  const max = Math.max(wanted, 2 * bodyLimit);
  const shares = createShares(max, max / 2, { budget: 'bytes of bodies', insists: true });
  const lastSizes = createCache<string, number>(memory);

  return (caller, endpoint, request) => {
    const { pathname } = request.url;
    const isRead = endpoint.method === 'GET';
    const expected = isRead ? (lastSizes.get(pathname) ?? 0) : 0;
    const taken = shares.take(caller, heldBytes(endpoint, request) + expected);
    const reply = countReply(taken, Math.max(smallReply, expected), max);
    const note = () =>
      isRead && reply.size() > smallReply && lastSizes.set(pathname, Math.min(reply.size(), max));
    return {
      reserve: () => isRead && reply.reserve(lastSizes.get(pathname) ?? 0),
      add(size) {
        try {
          // What a write has changed is changed, so its reply is not refused.
          reply.add(size, !isRead);
        } finally {
          note();
        }
      },
      addReply: (size) => reply.add(size - reply.size(), true),
      release() {
        if (isRead && reply.size() <= smallReply) lastSizes.delete(pathname);
        note();
        taken.release();
      },
    };
  };
}

/** Counts a reply, of which so many bytes are taken already. */
function countReply(taken: Taken, free: number, max: number) {
  let size = 0;
  let covered = free;
  function cover(bytes: number, owed: boolean): void {
    if (bytes <= covered) return;
    taken.add(bytes - covered, owed);
    covered = bytes;
  }
  return {
    size: () => size,
    /** Takes what the reply is expected to be. */
    reserve: (bytes: number) => cover(bytes, false),
    add(bytes: number, owed: boolean): void {
      size += Math.max(0, bytes);
      if (size > max && !owed) throw tooLarge(max);
      cover(size, owed);
    },
  };
}

function tooLarge(max: number): CodedError {
  return new CodedError(
    'reply-too-large',
    `Cannot answer: the reply is larger than ${Math.floor(max)} bytes.`,
    {
      facts: { limit: Math.floor(max) },
      hint: 'Ask for less at once, where the operation has pages. Operators: raise BODY_BYTES_IN_FLIGHT, with the memory for it.',
    },
  );
}
