/** The bytes that bodies of requests and replies take in memory, from when they are known until they are handed over. */

import { getHeapStatistics } from 'node:v8';
import { createCache } from '../cache.ts';
import type { Config } from '../config.ts';
import { CodedError } from '../errors.ts';
import { createShares, type Taken } from '../shares.ts';
import { bodyLimit, heldBytes } from './body.ts';
import type { IncomingRequest } from './request.ts';

/** A request that may be refused while it waits. */
export interface Refusable {
  /** Returns the signal that it is refused, whose reason is the error, for what is about to wait; undefined where it waits in any case. */
  readonly refused: () => AbortSignal | undefined;
}

/** The bytes that the bodies of a request and its reply take, until the reply is handed over. */
export interface BytesHeld extends Refusable {
  /** Takes what the reply is expected to be, by the size that its path had last. Throws `overloaded`. */
  readonly reserve: () => void;
  /** Counts bytes of a reply as they come. Throws `overloaded` where those in flight are too many, and `reply-too-large`. */
  readonly add: (bytes: number) => void;
  /** Counts a reply that is ready: what the path had last. Not for errors, which say nothing of what the path has. */
  readonly addReply: (bytes: number) => void;
  readonly release: () => void;
}

/** Begins to count the bytes that a request of the caller holds; throws `overloaded` where its body, or the reply that its path had last, is too much now. */
export type HoldBytes = (
  caller: string,
  endpoint: { readonly method: string; readonly body?: unknown },
  request: IncomingRequest,
) => BytesHeld;

/** A body takes some ten times its bytes while it is parsed, stored and sent, and half of the heap is for other things. */
const heapPerByte = 24;

/** Bytes of a reply that are not counted. */
export const smallReply = 64 * 1024;

/** Paths whose last reply was large are remembered so long, in milliseconds, and so many of them. */
const memory = { ttl: 60_000, maxEntries: 10_000 };

/** Creates the count of bytes of bodies within the setting's bytes, or within what fits the memory; one body of the largest size always does, for each of two callers. */
export function createBytesInFlight({ BODY_BYTES_IN_FLIGHT: bytes }: Config): HoldBytes {
  const wanted = bytes === 0 ? getHeapStatistics().heap_size_limit / heapPerByte : bytes;
  const max = Math.max(wanted, 2 * bodyLimit);
  const shares = createShares(max, max / 2, { budget: 'bytes of bodies', insists: true });
  const lastSizes = createCache<string, number>(memory);
  const waiting = createWaiting();

  return (caller, endpoint, request) => {
    const { pathname } = request.url;
    const isRead = endpoint.method === 'GET';
    const expected = isRead ? (lastSizes.get(pathname) ?? 0) : 0;
    const taken = shares.take(caller, heldBytes(endpoint, request) + expected);
    const reply = countReply(taken, Math.max(smallReply, expected), max);
    const note = () =>
      isRead && reply.size() > smallReply && lastSizes.set(pathname, Math.min(reply.size(), max));
    const wait = isRead && expected === 0 ? waiting.of(`${caller} ${pathname}`) : undefined;
    let isReady = false;
    /** Counts more, and where that is too much, it is for those, too, who wait for the same. */
    function count(more: () => void): void {
      try {
        more();
      } catch (error) {
        wait?.refuseAll(error);
        throw error;
      } finally {
        note();
      }
    }
    return {
      refused: () => wait?.signal(),
      reserve() {
        wait?.end();
        count(() => isRead && reply.reserve(lastSizes.get(pathname) ?? 0));
      },
      // What a write has changed is changed, so its reply is not refused.
      add: (size) => count(() => reply.add(size, !isRead)),
      addReply(size) {
        isReady = true;
        reply.add(size - reply.size(), true);
      },
      release() {
        if (isRead && isReady && reply.size() <= smallReply) lastSizes.delete(pathname);
        note();
        wait?.end();
        taken.release();
      },
    };
  };
}

/** Creates the list of requests that wait, each under the name of what it waits for. */
function createWaiting() {
  const lists = new Map<string, Set<AbortController>>();
  return {
    of(name: string) {
      let controller: AbortController | undefined;
      return {
        signal(): AbortSignal {
          controller ??= new AbortController();
          const list = lists.get(name) ?? new Set();
          lists.set(name, list.add(controller));
          return controller.signal;
        },
        refuseAll(reason: unknown): void {
          for (const one of lists.get(name) ?? []) one.abort(reason);
          lists.delete(name);
        },
        end(): void {
          const list = lists.get(name);
          if (controller === undefined || list === undefined) return;
          list.delete(controller);
          if (list.size === 0) lists.delete(name);
        },
      };
    },
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
