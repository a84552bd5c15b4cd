/** The little HTTP that the issuer needs: a table of endpoints, forms in, text out. */

import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request, read whole. */
export interface Call {
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  /** Fields of an `application/x-www-form-urlencoded` body; empty for other requests. */
  readonly form: URLSearchParams;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Handler = (call: Call) => Reply;

/** Names of the endpoints, as counted and intercepted by tests. */
export type EndpointName = 'metadata' | 'keys' | 'authorize' | 'token' | 'clients' | 'managed-identity';

export interface Endpoint {
  readonly name: EndpointName;
  readonly handle: Handler;
  /** Checks whether pages of other origins on this machine (the explorer) may read the replies. */
  readonly crossOrigin: boolean;
}

/** Endpoints by method and path, for example `GET /tenant/discovery/keys`. */
export type Endpoints = ReadonlyMap<string, Endpoint>;

const maximumFormBytes = 64 * 1024;

/** A reply with a JSON body. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** Reads a request and finds its endpoint; undefined without one. */
export function endpointFor(endpoints: Endpoints, request: IncomingMessage): Endpoint | undefined {
  const { pathname } = requestUrl(request);
  const methods = request.method === 'OPTIONS' ? ['GET', 'POST'] : [request.method];
  return methods.map((method) => endpoints.get(`${method} ${pathname}`)).find((found) => found !== undefined);
}

/** Answers a request with an endpoint's reply. */
export async function handle(
  endpoint: Endpoint | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const shared = endpoint?.crossOrigin ? crossOriginHeaders(request) : {};
  const { status, headers, body } = await replyOf(endpoint, request);
  response.writeHead(status, { 'x-content-type-options': 'nosniff', ...shared, ...headers });
  response.end(body);
}

async function replyOf(endpoint: Endpoint | undefined, request: IncomingMessage): Promise<Reply> {
  if (endpoint === undefined) return json(404, { error: 'not_found' });
  if (request.method === 'OPTIONS') return { status: 204 };
  const form = await readForm(request);
  if (form === undefined)
    return json(413, { error: 'invalid_request', error_description: 'The form is too large.' });
  return endpoint.handle({ url: requestUrl(request), headers: request.headers, form });
}

function requestUrl({ url = '/' }: IncomingMessage): URL {
  return new URL(url, 'http://issuer.invalid');
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maximumFormBytes) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

/** Only pages of this machine: no site on the internet gets tokens from a developer's issuer. */
function crossOriginHeaders({ headers: { origin = '' } }: IncomingMessage): Record<string, string> {
  if (!isLoopback(origin)) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'authorization, content-type, x-requested-with',
  };
}

/** Checks whether an address is on this machine. */
export function isLoopback(ip: string): boolean {
  const url = URL.parse(ip);
  return (
    url !== null && /^https?:$/.test(url.protocol) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  );
}
