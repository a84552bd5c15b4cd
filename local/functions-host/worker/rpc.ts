/**
 * What the host and its worker tell each other over a pipe: JSON with an optional body of bytes, each with its length before it.
 * The real ones speak gRPC.
 */

import type { Duplex } from 'node:stream';
import type { FunctionMetadata } from './functions-core.ts';

/** A value of RPC that may be empty. */
type Nullable = Readonly<Record<string, { readonly value: string }>>;

/** An HTTP request as the host hands it to the worker (RpcHttp); the body comes behind it. */
export interface RpcRequest {
  readonly method: string;
  readonly url: string;
  readonly nullableHeaders: Nullable;
  readonly nullableQuery: Nullable;
  readonly nullableParams: Nullable;
}

/** A cookie as the library hands it over (RpcHttpCookie). */
export interface RpcCookie {
  readonly name: string;
  readonly value: string;
  readonly domain?: { readonly value: string };
  readonly path?: { readonly value: string };
  readonly expires?: { readonly value: { readonly seconds: number } };
  readonly secure?: { readonly value: boolean };
  readonly httpOnly?: { readonly value: boolean };
  readonly sameSite?: 'none' | 'lax' | 'strict' | 'explicitNone';
  readonly maxAge?: { readonly value: number };
}

export interface RpcReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly RpcCookie[];
}

export interface Invocation {
  readonly id: string;
  readonly function: string;
  /** The name of its HTTP trigger. */
  readonly trigger: string;
  /** The request; none where the app takes it as an HTTP stream. */
  readonly http: RpcRequest | undefined;
  readonly triggerMetadata: Readonly<Record<string, { readonly json?: string; readonly string?: string }>>;
  readonly traceParent: string | undefined;
  readonly traceState: string | undefined;
}

export type ToWorker =
  | { readonly type: 'invoke'; readonly invocation: Invocation }
  | { readonly type: 'terminate' };

export type FromWorker =
  | { readonly type: 'loaded'; readonly functions: readonly FunctionMetadata[]; readonly httpUri?: string }
  | { readonly type: 'not loaded'; readonly reason: string }
  /** So many invocations have arrived. */
  | { readonly type: 'taken'; readonly count: number }
  | { readonly type: 'done'; readonly id: string; readonly reply?: RpcReply }
  | { readonly type: 'failed'; readonly id: string; readonly reason: string };

const lengths = 8;

/** Bytes up to which parts are copied into one, which is cheaper than to write many; to copy bodies would not be. */
const copied = 64 * 1024;

/** Creates a sender of messages; those of one turn of the event loop go out together. */
export function frameSender<Message extends ToWorker | FromWorker>(
  pipe: Duplex,
): (message: Message, body?: Uint8Array) => void {
  let parts: Uint8Array[] = [];
  let size = 0;
  const flush = () => {
    pipe.cork();
    for (const part of size <= copied ? [Buffer.concat(parts)] : parts) pipe.write(part);
    pipe.uncork();
    parts = [];
    size = 0;
  };
  return (message, body) => {
    if (parts.length === 0) setImmediate(flush);
    const json = JSON.stringify(message);
    const jsonSize = Buffer.byteLength(json);
    const frame = Buffer.allocUnsafe(lengths + jsonSize);
    frame.writeUInt32LE(jsonSize, 0);
    frame.writeUInt32LE(body?.length ?? 0, 4);
    frame.write(json, lengths);
    parts.push(frame);
    if (body !== undefined && body.length > 0) parts.push(body);
    size += frame.length + (body?.length ?? 0);
  };
}

/** Returns a function that takes bytes as they arrive, keeps none of them uncopied, and calls back with every message. */
export function frameReceiver<Message>(
  onMessage: (message: Message, body: Buffer | undefined) => void,
): (chunk: Buffer) => void {
  /** Too few bytes to tell the size of a frame. */
  let start = Buffer.alloc(0);
  /** A frame of which `filled` bytes have arrived. */
  let frame: Buffer | undefined;
  let filled = 0;

  function take(bytes: Buffer, isOurs: boolean): void {
    const jsonEnd = lengths + bytes.readUInt32LE(0);
    const message = JSON.parse(bytes.toString('utf8', lengths, jsonEnd)) as Message;
    const body = jsonEnd === bytes.length ? undefined : bytes.subarray(jsonEnd);
    onMessage(message, isOurs || body === undefined ? body : Buffer.from(body));
  }

  /** Adds to the frame that has begun; returns what does not belong to it. */
  function fill(begun: Buffer, bytes: Buffer): Buffer {
    const used = bytes.copy(begun, filled);
    filled += used;
    if (filled === begun.length) {
      frame = undefined;
      take(begun, true);
    }
    return bytes.subarray(used);
  }

  return (chunk) => {
    let bytes = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    if (frame !== undefined) bytes = fill(frame, bytes);
    for (let size = frameSize(bytes); bytes.length >= size; size = frameSize(bytes)) {
      take(bytes.subarray(0, size), false);
      bytes = bytes.subarray(size);
    }
    const isBegun = bytes.length >= lengths;
    start = isBegun ? Buffer.alloc(0) : Buffer.from(bytes);
    if (!isBegun) return;
    frame = Buffer.allocUnsafeSlow(frameSize(bytes));
    filled = bytes.copy(frame);
  };
}

/** The size of the frame at the start of the bytes; at least that of its lengths. */
function frameSize(bytes: Buffer): number {
  return bytes.length < lengths ? lengths : lengths + bytes.readUInt32LE(0) + bytes.readUInt32LE(4);
}
