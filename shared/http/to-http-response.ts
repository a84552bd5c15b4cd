/** Replies as the library of Azure Functions takes them, whole or in chunks. */

import { HttpResponse, type HttpResponseInit } from '@azure/functions';
import { isLong, nextChunkEnd, yieldToEventLoop } from '../limits/chunks.ts';
import { bodyBytes, type Reply } from './reply.ts';

const encoder = new TextEncoder();

/** Turns a reply to a method into what the library sends. With HTTP streams a long body is sent in chunks. */
export function toHttpResponse(method: string, reply: Reply, isStreaming: boolean): HttpResponseInit {
  const { status, headers = {}, onHandedOver = () => {} } = reply;
  const body = method === 'HEAD' ? undefined : bodyBytes(reply);
  if (!isStreaming) return new WholeResponse({ status, headers }, body, onHandedOver);
  if (body !== undefined && isLong(body)) return { status, headers, body: inChunks(body, onHandedOver) };
  onHandedOver();
  return body === undefined ? { status, headers } : { status, headers, body };
}

/**
 * A response whose body is in memory. The library asks for its bytes once; its own response would make a stream of them and copy them three
 * times to read it again, which is a third of what a list of 24 kB costs (docs/decisions/functions-and-streaming.md, "What is sent").
 */
class WholeResponse extends HttpResponse {
  override readonly arrayBuffer: () => Promise<ArrayBuffer>;

  constructor(init: HttpResponseInit, body: string | Uint8Array = '', onHandedOver: () => void) {
    super(init);
    this.arrayBuffer = async () => {
      const bytes = typeof body === 'string' && isLong(body) ? await encodeInChunks(body) : bufferOf(body);
      onHandedOver();
      return bytes;
    };
  }
}

function bufferOf(body: string | Uint8Array): ArrayBuffer {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const { buffer, byteLength } = bytes;
  return buffer.byteLength === byteLength ? (buffer as ArrayBuffer) : new Uint8Array(bytes).buffer;
}

/** Encodes a long text in chunks, so that other requests are served in between. */
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
