/** The audit of changes: their target and fields are recorded before the handler runs, and one line is written for each. */

import type { TSchema } from 'typebox';
import { logChange } from '../telemetry/log.ts';
import type { Trace } from '../telemetry/measurement.ts';
import { noteChange } from '../telemetry/trace.ts';
import type { EndpointDescription } from './description.ts';
import type { Reply } from './reply.ts';
import type { RequestContext } from './request-context.ts';

interface RawInput {
  readonly query: unknown;
  readonly body: unknown;
}

/** Notes what a call of an endpoint that changes something is about: the kind, and the id in its path. */
export function noteTarget<Caller>(
  endpoint: EndpointDescription<Caller>,
  { id, slug }: { readonly id?: string; readonly slug?: string },
): void {
  if (!isChange(endpoint)) return;
  const isCreation = endpoint.method === 'POST' && !endpoint.path.endsWith('}');
  const object = isCreation ? undefined : (id ?? slug);
  noteChange({ kind: endpoint.change, ...(object === undefined ? {} : { id: object }) });
}

/** Notes which fields a call sends. */
export function noteFields<Caller>(endpoint: EndpointDescription<Caller>, { query, body }: RawInput): void {
  if (!isChange(endpoint)) return;
  noteChange({ names: namesOf(endpoint, [...Object.keys(objectOr(query)), ...Object.keys(objectOr(body))]) });
}

function isChange<Caller>(
  endpoint: EndpointDescription<Caller>,
): endpoint is EndpointDescription<Caller> & { readonly change: string } {
  return endpoint.change !== undefined && endpoint.method !== 'GET';
}

/** Returns the names of fields that the endpoint knows; others are text of the caller's. */
function namesOf<Caller>(endpoint: EndpointDescription<Caller>, names: readonly string[]): readonly string[] {
  const { properties = {} } = (fieldsOf(endpoint) ?? {}) as { readonly properties?: object };
  return [...new Set(names.filter((name) => name in properties))];
}

/** Returns the schema of the fields that a change may set: that of the body, or of the query where fields come in either. A deletion sets none. */
function fieldsOf<Caller>({ method, body, query }: EndpointDescription<Caller>): TSchema | undefined {
  return method === 'DELETE' ? undefined : (body?.schema ?? query);
}

function objectOr(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** Writes the audit line of a request that has changed something, or was to; one for each object where it is about many. */
export function audit<Caller>(
  { change }: Trace,
  { id, request, identity, error, ifMatch }: RequestContext<Caller>,
  route: string,
  { status, headers = {} }: Reply,
): void {
  if (change.kind === undefined) return;
  const matchedTag =
    Array.isArray(ifMatch) && ifMatch.length === 1 && status < 300 ? String(ifMatch[0]) : undefined;
  const { objects, ...facts } = change;
  const entry = { requestId: id, method: request.method, route, identity, ...facts };
  if (objects !== undefined) for (const object of objects) logChange({ ...entry, ...object });
  if (objects !== undefined && objects.length > 0) return;
  logChange({
    ...entry,
    status,
    code: error?.code,
    before: change.before ?? matchedTag,
    after: change.after ?? (status < 300 ? headers['ETag'] : undefined),
  });
}
