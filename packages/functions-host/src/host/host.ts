/** What the host does with a request, stage by stage: limit, preflights, its own paths, routes, the function, custom headers. */

import type { HostSettings } from '../host-settings.ts';
import type { HeaderField, Reply } from '../http/reply.ts';
import type { Handler, ServerRequest } from '../http/server.ts';
import type { FunctionTable } from '../routing/function-table.ts';
import { RequestLimit } from './concurrency.ts';
import { answerPreflight, withCorsHeaders } from './cors.ts';
import type { Origin } from './http-values.ts';
import type { Invoker } from './invoker.ts';
import { answerOwnPath, homePage } from './own-paths.ts';

export interface HostOptions {
  readonly settings: HostSettings;
  readonly functions: FunctionTable;
  readonly invoke: Invoker;
  /** Whether to do what the host does on Flex Consumption: answer preflights, and believe the headers of Azure's front end. */
  readonly flex: boolean;
}

const tooMany: Reply = { status: 429, headers: [['X-FUNCTION-SCALEOUT', '1']] };

/** Creates the handler of all requests. */
export function createHost({ settings, functions, invoke, flex }: HostOptions): Handler {
  const limit = new RequestLimit(settings.maxOutstandingRequests, settings.maxConcurrentRequests);
  const customHeaders = Object.entries(settings.customHeaders);

  return async (request) => {
    const reply = await limit.run(() => respond(request));
    return reply === undefined ? tooMany : reply;
  };

  async function respond(request: ServerRequest): Promise<Reply> {
    const origin = originOf(request, flex);
    const reply = flex ? await shareCrossOrigin(request, origin) : await route(request, origin);
    return withDefaults(reply, hstsHeader(origin));
  }

  async function shareCrossOrigin(request: ServerRequest, origin: Origin): Promise<Reply> {
    const preflight = answerPreflight(request.head, settings.cors);
    return preflight ?? withCorsHeaders(await route(request, origin), request.head, settings.cors);
  }

  async function route(request: ServerRequest, origin: Origin): Promise<Reply> {
    const { method, target } = request.head;
    const hostReply = answerOwnPath(target.path, method, settings.routePrefix);
    if (hostReply !== undefined) return hostReply;
    const found = functions.find(target.path, method);
    if (found !== undefined) return call({ request, origin, found });
    return target.path === '/' ? homePage(settings.homePage) : { status: 404, headers: [] };
  }

  async function call(functionCall: Parameters<Invoker>[0]): Promise<Reply> {
    try {
      return await invoke(functionCall);
    } catch {
      // The body is too large, too slow, or ends early.
      return { status: 500, headers: [], close: true };
    }
  }

  function hstsHeader({ scheme, host }: Origin): HeaderField[] {
    const excluded = /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/i.test(host);
    if (settings.hsts === undefined || scheme === 'http' || excluded) return [];
    return [['Strict-Transport-Security', settings.hsts]];
  }

  /** Adds what the app has not set itself, whatever the case of its names. */
  function withDefaults(reply: Reply, more: readonly HeaderField[]): Reply {
    const names = new Set(reply.headers.map(([name]) => name.toLowerCase()));
    const added = [...customHeaders, ...more].filter(([name]) => !names.has(name.toLowerCase()));
    return added.length === 0 ? reply : { ...reply, headers: [...reply.headers, ...added] };
  }
}

/** On Flex, Azure's front end says how the caller has addressed it. */
function originOf({ head: { headers } }: ServerRequest, flex: boolean): Origin {
  const host = headers.get('host') ?? '';
  if (!flex) return { scheme: 'http', host };
  const scheme = headers.get('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http';
  return { scheme, host: headers.get('disguised-host') ?? host };
}
