/** HTTP streams: the host forwards a request to the HTTP server of the library within the worker, and passes its reply on. */

import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isHostUsable } from '../http/host-header.ts';
import { Agent, httpRequest } from '../http/node-http.ts';
import type { HeaderField, Reply } from '../http/reply.ts';
import type { ServerRequest } from '../http/server.ts';
import { type Origin, requestUrl } from './http-values.ts';

const agent = new Agent({ keepAlive: true });

/** Headers of one connection (RFC 9110, section 7.6.1), which are not passed on. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Checks whether the host's HTTP client sends a request: ASCII only, to a host of which it can make a URL. */
export function isForwardable({ head }: ServerRequest, { host }: Origin): boolean {
  return isHostUsable(host) && [...head.headers.values()].every((value) => !/[\u0080-\uffff]/.test(value));
}

/** What the library reads beside the stream: all headers, and the parameters of the route. */
export function triggerMetadata(
  { head }: ServerRequest,
  params: Readonly<Record<string, string>>,
): Record<string, { readonly json?: string; readonly string?: string }> {
  return {
    ...Object.fromEntries(Object.entries(params).map(([name, value]) => [name, { string: value }])),
    Headers: { json: JSON.stringify(Object.fromEntries(head.headers)) },
  };
}

/** Forwards a request and resolves with the reply as soon as it begins. Rejects when the signal aborts before, and when the body cannot be read. */
export async function forward(
  request: ServerRequest,
  origin: Origin,
  target: { readonly uri: string; readonly invocation: string },
  signal: AbortSignal,
): Promise<Reply & { readonly body: IncomingMessage }> {
  const { head, body } = request;
  const url = new URL(requestUrl(head, origin));
  const outgoing = httpRequest(target.uri, {
    agent,
    signal,
    method: head.method,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...forwardedHeaders(head.headers),
      'x-forwarded-host': origin.host,
      'x-forwarded-proto': origin.scheme,
      'x-ms-invocation-id': target.invocation,
      ...(body.length === 'chunked' ? { 'transfer-encoding': 'chunked' } : {}),
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.once('response', resolve).on('error', reject);
  // The worker learns of a request whose body does not begin, and of its end.
  outgoing.flushHeaders();
  const sending = body.length === 0 ? outgoing.end() : pipeline(body.parts(), outgoing).catch(reject);
  const response = await promise;
  void sending;
  return { status: response.statusCode ?? 500, headers: replyHeaders(response), body: response };
}

function forwardedHeaders(headers: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => !hopByHop.has(name) && /^[\w!#$%&'*+.^`|~-]+$/.test(name)),
  );
}

function replyHeaders({ rawHeaders }: IncomingMessage): HeaderField[] {
  const fields: HeaderField[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!hopByHop.has(name.toLowerCase())) fields.push([name, value]);
  }
  return fields;
}
