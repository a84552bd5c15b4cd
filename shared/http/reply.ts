/** Replies: plain values until the last step turns them into bytes, and into what the library hands to the host, whole or as a stream; 304 for a representation that the caller has (RFC 9110 13). */

import { type HttpRequest, HttpResponse, type HttpResponseInit } from '@azure/functions';
import { isLong, nextChunkEnd, yieldToEventLoop } from '../limits/chunks.ts';
import type { RequestHeaders } from './request.ts';

/** JSON that is already text, or bytes in UTF-8; it goes out as it is. */
export class RawJson {
  readonly content: string | Uint8Array;
  constructor(content: string | Uint8Array) {
    this.content = content;
  }

  get text(): string {
    return typeof this.content === 'string' ? this.content : new TextDecoder().decode(this.content);
  }
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A plain value or `RawJson` is sent as JSON; a string or bytes as they are, with the `Content-Type` of `headers`. */
  readonly body?: { readonly json: unknown } | { readonly raw: string | Uint8Array };
  /** Called when the host has taken the reply, or when it is dropped. */
  readonly onHandedOver?: () => void;
}

type HeaderValues = Readonly<Record<string, string>>;

/** Creates a JSON reply; status 200 unless told. */
export function json(
  value: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: HeaderValues } = {},
): Reply {
  return { status, headers, body: { json: value } };
}

/** Creates a reply to a creation: 201 with the URL of what is new. */
export function created(location: string, value: unknown, headers: HeaderValues = {}): Reply {
  return json(value, { status: 201, headers: { ...headers, Location: location } });
}

/** Creates a reply that is not JSON, such as a page or a style sheet. */
export function raw(contentType: string, content: string | Uint8Array, headers: HeaderValues = {}): Reply {
  return { status: 200, headers: { ...headers, 'Content-Type': contentType }, body: { raw: content } };
}

/** Creates a reply without a body. */
export function empty(status: number, headers: HeaderValues = {}): Reply {
  return { status, headers };
}

/** Returns the body of a reply as it goes over the wire. */
export function bodyBytes({ body }: Reply): string | Uint8Array | undefined {
  if (body === undefined) return undefined;
  if ('raw' in body) return body.raw;
  return body.json instanceof RawJson ? body.json.content : JSON.stringify(body.json);
}

/** Bytes up to which a reply does not count in the byte budget. */
const smallReply = 64 * 1024;

/** Returns the bytes of a reply that count in the byte budget: 0 for one that is small. */
export function largeReplyBytes(reply: Reply): number {
  const size = bodyBytes(reply)?.length ?? 0;
  return size > smallReply ? size : 0;
}

const entityTag = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Reads a list of entity tags, or `*`; undefined when the header is absent. */
export function entityTags(value: string | null): readonly string[] | '*' | undefined {
  if (value === null) return undefined;
  return value.trim() === '*' ? '*' : (value.match(entityTag) ?? []);
}

/** Turns a 200 into a 304 when the caller already has the representation that its `ETag` names (weak comparison). */
export function notModified(reply: Reply, requestHeaders: RequestHeaders): Reply {
  const current = reply.headers?.['ETag'];
  const tags = entityTags(requestHeaders.get('if-none-match'));
  if (reply.status !== 200 || current === undefined || tags === undefined) return reply;
  if (tags !== '*' && !tags.some((tag) => opaque(tag) === opaque(current))) return reply;
  const { 'Content-Type': _, ...headers } = reply.headers ?? {};
  return { status: 304, headers };
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}

const encoder = new TextEncoder();

/** Turns a reply into what the library sends. */
export function toResponse({ method }: HttpRequest, reply: Reply, isStreaming: boolean): HttpResponseInit {
  const { status, headers = {}, onHandedOver = () => {} } = reply;
  const body = method === 'HEAD' ? undefined : bodyBytes(reply);
  if (!isStreaming) return new WholeResponse({ ...reply, onHandedOver }, body) as unknown as HttpResponse;
  if (body !== undefined && isLong(body)) return { status, headers, body: inChunks(body, onHandedOver) };
  onHandedOver();
  return body === undefined ? { status, headers } : { status, headers, body };
}

type Whole = Reply & Required<Pick<Reply, 'onHandedOver'>>;

/** What a header may hold (RFC 9110 5.5). */
const wellFormedValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * A response whose bytes are at hand, as far as the library looks at one. The library's own makes a Response of fetch of it, which costs
 * as much as all of ours for a small one; makes a stream of a body and copies it three times to take it out again; and is kept as the key
 * of a weak map, which holds it until all of the heap is collected. Here the body is taken once, and let go of then.
 */
class WholeResponse {
  readonly status: number;
  readonly headers = new Map<string, string>();
  readonly cookies = [];
  readonly enableContentNegotiation = false;
  readonly #onHandedOver: () => void;
  #body: string | Uint8Array;

  constructor({ status, headers = {}, onHandedOver }: Whole, body: string | Uint8Array = '') {
    this.status = status;
    this.#onHandedOver = onHandedOver;
    this.#body = body;
    for (const [name, value] of Object.entries(headers)) {
      if (!wellFormedValue.test(value)) throw new TypeError(`Cannot reply: the header ${name} is malformed.`);
      this.headers.set(name.toLowerCase(), value);
    }
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const body = this.#body;
    this.#body = '';
    const bytes = typeof body === 'string' && isLong(body) ? await encodeInChunks(body) : bufferOf(body);
    this.#onHandedOver();
    return bytes;
  }
}

// The library takes a response as it is where it is one of its own.
Object.setPrototypeOf(WholeResponse.prototype, HttpResponse.prototype);

function bufferOf(body: string | Uint8Array): ArrayBuffer {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const { buffer, byteLength } = bytes;
  return buffer.byteLength === byteLength ? (buffer as ArrayBuffer) : new Uint8Array(bytes).buffer;
}

/** Turns a long text into bytes piece by piece, so that others are served meanwhile. */
async function encodeInChunks(text: string): Promise<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  let written = 0;
  for (let at = 0; at < text.length; ) {
    await yieldToEventLoop();
    const end = nextChunkEnd(text, at);
    written += bytes.write(text.slice(at, end), written);
    at = end;
  }
  return bytes.buffer;
}

/** Hands over a large body piece by piece, so that others are served meanwhile. */
function inChunks(whole: string | Uint8Array, onHandedOver: () => void): ReadableStream<Uint8Array> {
  let body = whole;
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await yieldToEventLoop();
        const end = nextChunkEnd(body, at);
        controller.enqueue(
          typeof body === 'string' ? Buffer.from(body.slice(at, end)) : body.subarray(at, end),
        );
        at = end;
        if (at < body.length) return;
        controller.close();
        body = '';
        onHandedOver();
      },
      cancel: onHandedOver,
    },
    { highWaterMark: 0 },
  );
}
