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

/** Calls back with every message that arrives. */
export function receiveFrames<Message>(
  pipe: Duplex,
  onMessage: (message: Message, body: Buffer | undefined) => void,
): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let needed = lengths;
  pipe.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size < needed) return;
    let bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    for (needed = frameSize(bytes); bytes.length >= needed; needed = frameSize(bytes)) {
      const jsonEnd = lengths + bytes.readUInt32LE(0);
      const message = JSON.parse(bytes.toString('utf8', lengths, jsonEnd)) as Message;
      onMessage(message, jsonEnd === needed ? undefined : bytes.subarray(jsonEnd, needed));
      bytes = bytes.subarray(needed);
    }
    chunks = bytes.length === 0 ? [] : [bytes];
    size = bytes.length;
  });
}

/** The size of the frame at the start of the bytes; at least that of its lengths. */
function frameSize(bytes: Buffer): number {
  return bytes.length < lengths ? lengths : lengths + bytes.readUInt32LE(0) + bytes.readUInt32LE(4);
}
