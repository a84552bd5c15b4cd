/** Replies, and what Kestrel adds to them on the wire. */

import type { ServerResponse } from 'node:http';
import { type Readable, Stream } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sizeOf } from '../bytes.ts';

export type HeaderField = readonly [name: string, value: string];

export interface Reply {
  readonly status: number;
  readonly headers: readonly HeaderField[];
  /** In parts, or as it comes. */
  readonly body?: readonly Uint8Array[] | Readable | undefined;
  /** Whether the connection closes after it. Default false. */
  readonly close?: boolean;
}

/** Sends a reply. A body that is longer than its Content-Length makes it a bare 500; a shorter one ends the connection. Resolves when all is handed over, or the client is gone. */
export async function sendReply(reply: Reply, response: ServerResponse): Promise<void> {
  const { status, headers, body = [], close = false } = reply;
  const { method, httpVersion } = response.req;
  const mayHaveBody = method !== 'HEAD' && ![204, 205, 304].includes(status);
  const declared = declaredLength(reply);
  const size = body instanceof Stream ? undefined : sizeOf(body);
  if (mayHaveBody && declared !== undefined && size !== undefined) {
    const isTooLong = size === 0 ? declared > 0 : size > declared;
    if (isTooLong) return sendReply({ status: 500, headers: [], close: true }, response);
    if (size < declared) response.shouldKeepAlive = false;
  }
  if (close) response.shouldKeepAlive = false;
  response.statusCode = status;
  for (const [name, value] of headers) response.appendHeader(name, value);
  if (!response.hasHeader('Server')) response.setHeader('Server', 'Kestrel');
  // Kestrel says nothing of a connection that HTTP/1.1 keeps open.
  if (response.shouldKeepAlive && httpVersion === '1.1' && !response.hasHeader('Connection'))
    response.removeHeader('Connection');
  if (!mayHaveBody || size === 0) {
    if (body instanceof Stream) body.resume();
    const mayHaveLength = method !== 'HEAD' && status !== 204 && status !== 304;
    if (mayHaveLength && declared === undefined) response.setHeader('Content-Length', 0);
    response.end();
    return;
  }
  // Node would write the length of a body that is there.
  if (declared === undefined && httpVersion === '1.1') response.setHeader('Transfer-Encoding', 'chunked');
  if (body instanceof Stream) await pipeline(body, response);
  else response.end(Buffer.concat(body));
}

function declaredLength({ headers }: Reply): number | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  return value === undefined ? undefined : Number(value);
}
