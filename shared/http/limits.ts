/** What a request passes before its work and while it is done: the number of those in flight, the share of its caller, and the bytes of bodies that it holds. */

import { getHeapStatistics } from 'node:v8';
import { createCache } from '../cache.ts';
import type { Config } from '../config.ts';
import { CodedError } from '../errors.ts';
import { bodyLimit, heldBytes } from './body.ts';
import type { IncomingRequest } from './request.ts';
import { createShares, type RunWithin, type Taken } from './shares.ts';

/** Runs a piece of work, or refuses it. */
export type Run = <T>(work: () => Promise<T>) => Promise<T>;

/** The bytes that the bodies of a request and its reply take, until the reply is handed over. */
export interface BytesHeld {
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

/** Creates the function that runs work while fewer than `limit` pieces are in flight, and throws `overloaded` (503, retry in a second) otherwise. Keep the limit below the host's own, whose refusal has no body. */
export function createConcurrencyLimit(limit: number): Run {
  const shares = createShares(limit, limit, { what: 'too many requests are', budget: 'requests' });
  return (work) => shares.run('', 1, work);
}

/** Creates the function that runs requests of callers, `limit` at once and `ofOne` of each. */
export function createRequestShares(limit: number, ofOne: number): RunWithin {
  return createShares(limit, ofOne).run;
}

/** A body takes some ten times its bytes while it is parsed, stored and sent, and half of the heap is for other things. */
const heapPerByte = 24;

/** Bytes of a reply that are not counted. */
const smallReply = 64 * 1024;

/** Paths whose last reply was large are remembered so long, in milliseconds, and so many of them. */
const memory = { ttl: 60_000, maxEntries: 10_000 };

/** Creates the count of bytes of bodies within the setting's bytes, or within what fits the memory; one body of the largest size always does, for each of two callers. */
export function createBytesInFlight({ BODY_BYTES_IN_FLIGHT: bytes }: Config): HoldBytes {
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
    return {
      // What a write has changed is changed, so its reply is not refused.
      add: (size) => reply.add(size, !isRead),
      addReply: (size) => reply.add(size - reply.size(), true),
      release() {
        if (isRead && reply.size() > smallReply) lastSizes.set(pathname, Math.min(reply.size(), max));
        else if (expected > 0) lastSizes.delete(pathname);
        taken.release();
      },
    };
  };
}

/** Counts a reply, of which so many bytes are taken already. */
function countReply(taken: Taken, free: number, max: number) {
  let size = 0;
  let covered = free;
  return {
    size: () => size,
    add(bytes: number, owed: boolean): void {
      size += Math.max(0, bytes);
      if (size > max && !owed) throw tooLarge(max);
      if (size <= covered) return;
      taken.add(size - covered, owed);
      covered = size;
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
