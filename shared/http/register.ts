/** Registration with Azure Functions: one function per path of every API, and one that answers where there is nothing. */

import { app, type HttpMethod, type HttpRequest, type HttpResponseInit } from '@azure/functions';
import type { Config } from '../config.ts';
import type { Api } from './api.ts';
import { decodedSlashes, routeTemplate } from './context.ts';
import type { Endpoint } from './endpoint.ts';
import { handle, type Route, type ServiceOptions } from './handle.ts';
import { logFailure } from './log.ts';
import { bodyBytes, type Reply } from './reply.ts';
import type { IncomingRequest } from './request.ts';

const methods: HttpMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Registers every path of an API, in every version, and a function for all other paths below each root. */
export function registerApi<Caller>(api: Api<Caller>, options: ServiceOptions): void {
  for (const mount of api.mounts) {
    for (const [path, endpoints] of byPath(api.endpoints))
      registerRoute({ api, mount, path, endpoints }, options);
    registerRoute({ api, mount, path: '/{*rest}', endpoints: [] }, options);
  }
}

/** Asks the host for HTTP streams where the setting says so. A setting that is unusable leaves them off and is logged. */
export function setUpStreaming(config: Config): void {
  try {
    if (config.HTTP_STREAMING) app.setup({ enableHttpStream: true });
  } catch (error) {
    logFailure(undefined, error);
  }
}

/** Runs work once the app has started, without holding up the start; a failure is logged. */
export function afterStart(work: () => Promise<void>): void {
  app.hook.appStart(() => {
    setImmediate(() => work().catch((error: unknown) => logFailure(undefined, error)));
  });
}

/** Runs work when the host ends the app, within the few seconds it gives. */
export function onTerminate(work: () => Promise<void>): void {
  app.hook.appTerminate(work);
}

function registerRoute<Caller>(route: Route<Caller>, options: ServiceOptions): void {
  app.http(functionName(route), {
    route: routeTemplate(route),
    methods,
    authLevel: 'anonymous',
    handler: async (request) => toResponse(request, await handle(route, toIncoming(request), options)),
  });
}

function byPath<Caller>(endpoints: readonly Endpoint<Caller>[]): Map<string, Endpoint<Caller>[]> {
  return Map.groupBy(endpoints, ({ path }) => path);
}

/**
 * Names the function of a route after its path. The host tries routes in the order of the functions' names, without regard
 * to case, and takes the first that matches, so the names put literals before parameters before catch-alls: of the
 * characters that a name may hold (letters, digits, `-`, `_`) the underscore comes last.
 */
function functionName<Caller>(route: Route<Caller>): string {
  return ['http', ...routeTemplate(route).split('/').filter(Boolean).map(partOfName)].join('-');
}

function partOfName(segment: string): string {
  const [, stars = '', parameter] = /^\{(\**)(\w+)\}$/.exec(segment) ?? [];
  if (parameter === undefined) return segment.replace(/[^A-Za-z0-9]+/g, '-');
  return `${stars === '' ? '_' : '__'}${parameter}`;
}

function toIncoming(request: HttpRequest): IncomingRequest {
  return {
    method: request.method.toUpperCase(),
    url: new URL(request.url),
    headers: request.headers as unknown as Headers,
    parameters: decodedSlashes(request.params),
    body: isBodySent(request.headers) ? (request.body as AsyncIterable<Uint8Array> | null) : null,
  };
}

/** Checks whether a body was sent (RFC 9112, section 6.3): with HTTP streams there is an empty one even where none was. */
function isBodySent(headers: HttpRequest['headers']): boolean {
  return headers.has('transfer-encoding') || (headers.get('content-length') ?? '0') !== '0';
}

function toResponse({ method }: HttpRequest, reply: Reply): HttpResponseInit {
  const { status, headers = {} } = reply;
  const body = bodyBytes(reply);
  if (body === undefined || method === 'HEAD') return { status, headers };
  return { status, headers, body };
}
