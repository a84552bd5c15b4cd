/** Which pages of other origins may call an API (Fetch, section 3.2), by a list of origins. Callers are known by their tokens, so credentials of browsers never count. */

import { allow } from './problem.ts';
import { empty, type Reply } from './reply.ts';
import type { RequestHeaders } from './request.ts';
import type { RequestContext } from './request-context.ts';

/** Headers that pages may send. */
const requestHeaders =
  'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Prefer, X-Request-Id, traceparent, tracestate';
/** Headers that pages may read, besides those that they always may. */
const exposedHeaders =
  'Allow, ETag, Idempotent-Replayed, Link, Location, Preference-Applied, Retry-After, Server-Timing, WWW-Authenticate, X-Request-Id, X-Total-Count';

/** Seconds for which a browser need not ask again. */
const maxAge = 600;

export interface Cors {
  /** Adds to a reply what lets the page read it. */
  readonly decorate: <Caller>(reply: Reply, context: RequestContext<Caller>) => Reply;
  /** Answers OPTIONS, and so the preflight of a browser. */
  readonly options: <Caller>(context: RequestContext<Caller>) => Reply;
}

/** Creates the answers for pages of the origins; `*` is any. */
export function createCors(origins: readonly string[]): Cors {
  function headersFor({ headers }: { readonly headers: RequestHeaders }): Record<string, string> {
    if (origins.length === 0) return {};
    if (origins.includes('*')) return { 'Access-Control-Allow-Origin': '*' };
    const origin = headers.get('origin')?.toLowerCase();
    const isAllowed = origin !== undefined && origins.includes(origin);
    return { Vary: 'Origin', ...(isAllowed ? { 'Access-Control-Allow-Origin': origin } : {}) };
  }

  return {
    decorate(reply, { request }) {
      const { Vary: vary, ...added } = headersFor(request);
      const varyHeader = [reply.headers?.['Vary'], vary].filter((item) => item !== undefined).join(', ');
      const isReadable = 'Access-Control-Allow-Origin' in added;
      return {
        ...reply,
        headers: {
          ...reply.headers,
          ...(varyHeader === '' ? {} : { Vary: varyHeader }),
          ...added,
          ...(isReadable ? { 'Access-Control-Expose-Headers': exposedHeaders } : {}),
        },
      };
    },
    options({ request, route: { endpoints } }) {
      const methods = allow(endpoints);
      const isAllowed = 'Access-Control-Allow-Origin' in headersFor(request);
      const isPreflight = request.headers.has('access-control-request-method');
      if (!isAllowed || !isPreflight) return empty(204, { Allow: methods });
      return empty(204, {
        Allow: methods,
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': requestHeaders,
        'Access-Control-Max-Age': String(maxAge),
      });
    },
  };
}
