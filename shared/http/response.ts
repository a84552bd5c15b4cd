/** From a reply to what the library hands to the host: whole, or as a stream. */

import { type HttpRequest, HttpResponse, type HttpResponseInit } from '@azure/functions';
import { endOfSlice, isLong, pause } from '../waiting.ts';
import { bodyBytes, type Reply } from './reply.ts';

const encoder = new TextEncoder();

/** Turns a reply into what the library sends. */
export function toResponse({ method }: HttpRequest, reply: Reply, isStreaming: boolean): HttpResponseInit {
  const { status, headers = {}, onHandedOver = () => {} } = reply;
  const body = method === 'HEAD' ? undefined : bodyBytes(reply);
  if (!isStreaming) return new WholeResponse({ ...reply, onHandedOver }, body) as unknown as HttpResponse;
  if (body !== undefined && isLong(body)) return { status, headers, body: inSlices(body, onHandedOver) };
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
    const bytes = typeof body === 'string' && isLong(body) ? await encodeInSlices(body) : bufferOf(body);
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
async function encodeInSlices(text: string): Promise<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  let written = 0;
  for (let at = 0; at < text.length; ) {
    await pause();
    const end = endOfSlice(text, at);
    written += bytes.write(text.slice(at, end), written);
    at = end;
  }
  return bytes.buffer;
}

/** Hands over a large body piece by piece, so that others are served meanwhile. */
function inSlices(whole: string | Uint8Array, onHandedOver: () => void): ReadableStream<Uint8Array> {
  let body = whole;
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await pause();
        const end = endOfSlice(body, at);
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
