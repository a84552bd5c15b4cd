/** The response that the library of Azure Functions takes for its own, whole or as a stream. Why: README.md beside this file. */

import { type HttpRequest, HttpResponse, type HttpResponseInit } from '@azure/functions';
import { isLong, nextChunkEnd, yieldToEventLoop } from '../../limits/chunks.ts';
import { bodyBytes, type Reply } from '../reply.ts';

const encoder = new TextEncoder();

/** Turns a reply into what the library sends. */
export function toResponse({ method }: HttpRequest, reply: Reply, isStreaming: boolean): HttpResponseInit {
  const { status, headers = {}, onHandedOver = () => {} } = reply;
  if (reply.body !== undefined && 'stream' in reply.body) {
    onHandedOver();
    return { status, headers, body: reply.body.stream };
  }
  const body = method === 'HEAD' ? undefined : bodyBytes(reply);
  if (!isStreaming) return new WholeResponse({ ...reply, onHandedOver }, body) as unknown as HttpResponse;
  if (body !== undefined && isLong(body)) return { status, headers, body: inChunks(body, onHandedOver) };
  onHandedOver();
  return body === undefined ? { status, headers } : { status, headers, body };
}

type Whole = Reply & Required<Pick<Reply, 'onHandedOver'>>;

/** What a header may hold (RFC 9110 5.5). */
const wellFormedValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A response that is in memory, with the properties that the library reads. Its body is taken once, and released then. */
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

// The library passes on a response that is an instance of its class.
Object.setPrototypeOf(WholeResponse.prototype, HttpResponse.prototype);

function bufferOf(body: string | Uint8Array): ArrayBuffer {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const { buffer, byteLength } = bytes;
  return buffer.byteLength === byteLength ? (buffer as ArrayBuffer) : new Uint8Array(bytes).buffer;
}

/** Encodes a long text in chunks. */
async function encodeInChunks(text: string): Promise<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  let offset = 0;
  for (let at = 0; at < text.length; ) {
    await yieldToEventLoop();
    const end = nextChunkEnd(text, at);
    offset += bytes.write(text.slice(at, end), offset);
    at = end;
  }
  return bytes.buffer;
}

/** Streams a large body in chunks. */
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
