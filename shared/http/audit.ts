/** Audit: what is known of a change before its handler runs, and the line that each leaves. */

import { logChange } from '../telemetry/log.ts';
import type { Trace } from '../telemetry/measurement.ts';
import { noteChange } from '../telemetry/trace.ts';
import type { RequestContext } from './context.ts';
import type { EndpointDescription } from './description.ts';
import type { Reply } from './reply.ts';

interface Sent {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Notes what a call of an endpoint that changes something is about: the kind, the id in its path, and the fields that it sends. */
export function noteCall<Caller>(endpoint: EndpointDescription<Caller>, { path, query, body }: Sent): void {
  if (endpoint.change === undefined || endpoint.method === 'GET') return;
  const { id, slug } = path as { readonly id?: string; readonly slug?: string };
  const isCreation = endpoint.method === 'POST' && !endpoint.path.endsWith('}');
  const object = isCreation ? undefined : (id ?? slug);
  noteChange({
    kind: endpoint.change,
    ...(object === undefined ? {} : { id: object }),
    names: namesOf(endpoint, [...Object.keys(objectOr(query)), ...Object.keys(objectOr(body))]),
  });
}

/** Returns the names of fields that the endpoint knows; others are text of the caller's. */
function namesOf<Caller>({ body }: EndpointDescription<Caller>, sent: readonly string[]): readonly string[] {
  const { properties = {} } = (body?.schema ?? {}) as { readonly properties?: object };
  return [...new Set(sent.filter((name) => name in properties))];
}

function objectOr(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** Writes the audit line of a request that has changed something, or was to. */
export function audit<Caller>(
  { change }: Trace,
  { id, request, identity, error, ifMatch }: RequestContext<Caller>,
  route: string,
  { status, headers = {} }: Reply,
): void {
  if (change.kind === undefined) return;
  const named =
    Array.isArray(ifMatch) && ifMatch.length === 1 && status < 300 ? String(ifMatch[0]) : undefined;
  logChange({
    requestId: id,
    givenId: request.headers.get('x-request-id'),
    method: request.method,
    route,
    status,
    code: error?.code,
    identity,
    ...change,
    before: change.before ?? named,
    after: change.after ?? (status < 300 ? headers['ETag'] : undefined),
  });
}
