/** Registration with Azure Functions: one function per path of every API, and one for all other paths. */

import { app, type HttpMethod, type HttpRequest, type InvocationContext } from '@azure/functions';
import type { Config } from '../config.ts';
import { CodedError } from '../errors.ts';
import { logFailure } from '../telemetry/log.ts';
import type { Invocation } from '../telemetry/measurement.ts';
import type { IncomingRequest } from './request.ts';
import { answerOthers, type Handler, type QueryRoute, type ServedApi } from './serve.ts';
import { toHttpResponse } from './to-http-response.ts';
import { decodedSlashes, withForwarded } from './urls.ts';

const methods: HttpMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export interface Registration {
  readonly queryRoute?: QueryRoute | undefined;
  /** Whether a proxy says by which address a request came. Default false. */
  readonly trustForwarded?: boolean;
  /** Whether replies go out as HTTP streams. Default false. */
  readonly isStreaming?: boolean;
}

/** Registers a function for every path of the APIs, and one for all other paths. Where two have the same path, the first has it. */
export function registerApis(
  apis: readonly ServedApi[],
  { queryRoute, trustForwarded = false, isStreaming = false }: Registration = {},
): void {
  const register = (template: string, handler: Handler) =>
    registerRoute(
      nameOf(template),
      template,
      trustForwarded ? (request) => handler(withForwarded(request)) : handler,
      isStreaming,
    );
  const templates = new Set<string>();
  const nameOf = createFunctionNames();
  for (const { template, handler } of apis.flatMap(({ paths }) => paths)) {
    const route = template.toLowerCase();
    if (template !== '' && !templates.has(route)) register(template, handler);
    templates.add(route);
  }
  register('{*rest}', answerOthers(apis, queryRoute));
}

/** Asks the host for HTTP streams where the setting says so, and returns whether it does. */
export function setUpStreaming({ HTTP_STREAMING: isStreaming }: Config): boolean {
  if (isStreaming) app.setup({ enableHttpStream: true });
  return isStreaming;
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

function registerRoute(name: string, template: string, handler: Handler, isStreaming: boolean): void {
  app.http(name, {
    route: template,
    methods,
    authLevel: 'anonymous',
    handler: async (request, context) => {
      const reply = await handler(toIncoming(request, context));
      if (isStreaming) void passOver(request.body);
      return toHttpResponse(request.method, reply, isStreaming);
    },
  });
}

type Body = HttpRequest['body'];

/** Reads what a handler has left of a body. It would stand before the next request of the connection between the host and the worker. */
async function passOver(body: Body): Promise<void> {
  try {
    for await (const _ of body ?? []);
  } catch {
    // The caller has hung up: there is nobody to tell, and the connection is not used again.
  }
}

/**
 * Returns the chunks of a body. A reader that leaves early leaves the rest of them. They end with `body-incomplete` where the caller hangs
 * up, which with HTTP streams the app notices before the host does.
 */
async function* chunksOf(body: NonNullable<Body>): AsyncGenerator<Uint8Array> {
  try {
    yield* body.values({ preventCancel: true });
  } catch (cause) {
    throw new CodedError('body-incomplete', 'Cannot read the body: it broke off.', { cause });
  }
}

function toIncoming(request: HttpRequest, context: InvocationContext): IncomingRequest {
  return {
    method: request.method.toUpperCase(),
    url: new URL(request.url),
    headers: request.headers,
    parameters: decodedSlashes(request.params),
    body: request.body !== null && isBodySent(request.headers) ? chunksOf(request.body) : null,
    invocation: toInvocation(context, request.headers),
  };
}

/** LOG_LEVEL has chosen already: the host, whose own level is information, would drop what is written as debug. */
const writers = { debug: 'info', information: 'info', error: 'error' } as const;

/** Lines that are written through the context carry the id of the invocation in the host's log; those on standard output would not. */
function toInvocation(context: InvocationContext, headers: HttpRequest['headers']): Invocation {
  return {
    traceParent: context.traceContext?.traceParent,
    traceState: context.traceContext?.traceState,
    callerTraceParent: headers.get('traceparent') ?? undefined,
    callerTraceState: headers.get('tracestate') ?? undefined,
    log: (level, line) => context[writers[level]](line),
  };
}

/** Checks whether a body was sent (RFC 9112, section 6.3): with HTTP streams there is an empty one even where none was. */
function isBodySent(headers: HttpRequest['headers']): boolean {
  return headers.has('transfer-encoding') || (headers.get('content-length') ?? '0') !== '0';
}

/**
 * Names the function of a route after its template. The host tries routes in the order of their functions' names, without regard to case,
 * and takes the first match. So the names put literals before parameters before catch-alls: of the characters of a name (letters, digits,
 * `-`, `_`) the underscore is last.
 */
export function functionName(template: string): string {
  return ['http', ...template.split('/').filter(Boolean).map(partOfName)].join('-');
}

/** Names functions after their templates. Of two that would have the same name (`a-b` and `a/b`), the second has a dash at its end. */
export function createFunctionNames(): (template: string) => string {
  const usedNames = new Set<string>();
  return (template) => {
    let name = functionName(template);
    while (usedNames.has(name.toLowerCase())) name += '-';
    usedNames.add(name.toLowerCase());
    return name;
  };
}

function partOfName(segment: string): string {
  const [, stars = '', parameter] = /^\{(\**)(\w+)\}$/.exec(segment) ?? [];
  if (parameter === undefined) return segment.replace(/[^A-Za-z0-9]+/g, '-');
  return `${stars === '' ? '_' : '__'}${parameter}`;
}
