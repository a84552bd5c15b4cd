/** Serves the functions of an app over HTTP, by the rules of the Functions host. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { FunctionCallback, FunctionMetadata, Registrations } from './functions-core.ts';
import type { HostSettings } from './host-settings.ts';
import { invoke, type RpcRequest, type RpcResponse } from './invoke.ts';
import { matchRoute, parseRouteTemplate, type RouteTemplate, splitPath } from './route-template.ts';

interface HttpFunction {
  readonly metadata: FunctionMetadata;
  readonly callback: FunctionCallback;
  readonly template: RouteTemplate;
  readonly methods: ReadonlySet<string>;
}

/** An answer of the host itself: a status and no body. */
class HostAnswer extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`The host answers ${status}.`);
    this.status = status;
  }
}

/** Makes the HTTP server of an app; it does not listen yet. */
export function createHttpServer(registrations: Registrations, settings: HostSettings): Server {
  const functions = httpFunctions(registrations);
  let outstanding = 0;

  return createServer({ maxHeaderSize: 32_768, requestTimeout: 60_000 }, (request, response) => {
    outstanding++;
    const underWay =
      outstanding > settings.maxOutstandingRequests ? Promise.reject(new HostAnswer(429)) : serve(request);
    underWay
      .then((answer) => write(response, answer, settings, request.method))
      .catch((error: unknown) => fail(response, error))
      .finally(() => outstanding--);
  });

  async function serve(request: IncomingMessage): Promise<RpcResponse> {
    const url = requestUrl(request);
    const found = find(functions, settings, url.pathname, request.method ?? 'GET');
    if (found === undefined) throw new HostAnswer(404);
    return invoke(
      registrations,
      found.target,
      await toRpcRequest(request, url, found.params, settings.bodyLimit),
    );
  }
}

/** The functions in the order in which the host tries them: there is no precedence of literals over parameters. */
function httpFunctions({ functions }: Registrations): HttpFunction[] {
  const inOrder = [...functions.values()].toSorted((a, b) => compareNames(a.metadata.name, b.metadata.name));
  return inOrder.map(({ metadata, callback }) => {
    const trigger = Object.values(metadata.bindings).find(({ type }) => type === 'httpTrigger');
    const { route = metadata.name, methods = ['GET', 'POST'] } = trigger ?? {};
    return {
      metadata,
      callback,
      template: parseRouteTemplate(route),
      methods: new Set(methods.map((one) => one.toUpperCase())),
    };
  });
}

/** The host sorts functions by name, ordinally and without regard to case, and tries their routes in that order. */
function compareNames(a: string, b: string): number {
  const [first, second] = [a.toUpperCase(), b.toUpperCase()];
  return first < second ? -1 : first > second ? 1 : 0;
}

function find(
  functions: readonly HttpFunction[],
  { routePrefix }: HostSettings,
  pathname: string,
  method: string,
) {
  const prefix = routePrefix === '' ? '/' : `/${routePrefix}/`;
  if (!`${pathname}/`.toLowerCase().startsWith(prefix.toLowerCase())) return undefined;
  const segments = splitPath(pathname.slice(prefix.length));
  for (const target of functions) {
    const params = target.methods.has(method) ? matchRoute(target.template, segments) : undefined;
    if (params !== undefined) return { target, params };
  }
  return undefined;
}

function requestUrl({ headers, url = '/' }: IncomingMessage): URL {
  const parsed = URL.parse(`http://${headers.host ?? 'localhost'}${url.startsWith('/') ? url : '/'}`);
  if (parsed === null) throw new HostAnswer(400);
  return parsed;
}

async function toRpcRequest(
  request: IncomingMessage,
  url: URL,
  params: Record<string, string>,
  limit: number,
): Promise<RpcRequest> {
  return {
    method: request.method ?? 'GET',
    url: url.href,
    headers: joined(request),
    params,
    body: await readBody(request, limit),
  };
}

/** Repeated headers reach the worker as one value with commas. */
function joined({ headersDistinct }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headersDistinct).map(([name, values = []]) => [
    name,
    values.join(name === 'cookie' ? '; ' : ','),
  ]);
  return Object.fromEntries(entries);
}

/** Reads the body. One without a Content-Length, sent in chunks, is read and dropped: the host hands it to no worker. */
async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw new HostAnswer(413);
    chunks.push(chunk);
  }
  return Number(request.headers['content-length'] ?? 0) > 0 ? Buffer.concat(chunks) : undefined;
}

function write(
  response: ServerResponse,
  { statusCode, headers, body }: RpcResponse,
  { customHeaders }: HostSettings,
  method = 'GET',
): void {
  response.writeHead(statusCode, { ...customHeaders, ...headers, ...lengthOf(body, statusCode, method) });
  response.end(body);
}

function lengthOf(body: RpcResponse['body'], statusCode: number, method: string): Record<string, number> {
  if (statusCode === 204 || statusCode === 304 || method === 'HEAD') return {};
  return { 'content-length': body === undefined ? 0 : Buffer.byteLength(body) };
}

function fail(response: ServerResponse, error: unknown): void {
  const status = error instanceof HostAnswer ? error.status : 500;
  if (status === 500)
    process.stderr.write(
      `[error] host: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
  if (response.headersSent) response.destroy();
  else
    response
      .writeHead(status, { 'content-length': 0, ...(status === 413 ? { connection: 'close' } : {}) })
      .end();
}
