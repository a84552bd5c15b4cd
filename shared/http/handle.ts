/** One request in five steps: authenticate, read the input, handle, reply, log. */

import { statusOf } from '../errors/kinds.ts';
import { CodedError, isCodedError, isFailure } from '../errors.ts';
import type { AdmissionControl } from '../limits/admission.ts';
import { logFailure, logRequest } from '../telemetry/log.ts';
import type { Trace } from '../telemetry/measurement.ts';
import { compute, createTrace, endTrace, inTrace, measure, serverTiming } from '../telemetry/trace.ts';
import type { Api } from './api.ts';
import { audit, noteFields, noteTarget } from './audit.ts';
import { budgetedBytes } from './body.ts';
import { notModified } from './conditional.ts';
import type { Access, Mount } from './description.ts';
import type { Call, Endpoint } from './endpoint.ts';
import type { NoSuchPath } from './no-such-path.ts';
import { allow } from './problem.ts';
import { empty, isShared, largeReplyBytes, RawJson, type Reply } from './reply.ts';
import type { IncomingRequest } from './request.ts';
import { callerKey, createContext, type OpenContext, type RequestContext } from './request-context.ts';
import { type BaseUrl, routeTemplate } from './urls.ts';

/** A path of an API: what the pipeline needs of it. */
export interface Route<Caller> {
  readonly api: Api<Caller>;
  readonly mount: Mount;
  readonly path: string;
  readonly endpoints: readonly Endpoint<Caller>[];
}

/** Finds the URL at which a page is now that was at the address of a request before; undefined for none. */
export type MovedTo = (
  context: Pick<RequestContext<unknown>, 'request' | 'siteLink'>,
) => Promise<string | undefined> | undefined;

/** What all APIs of the service have alike. */
export interface ServiceOptions extends BaseUrl {
  readonly admission: Pick<AdmissionControl, 'run'>;
  /** Proxies in front of the app that append to X-Forwarded-For. Default 0: all clients without a token are one caller. */
  readonly trustedProxies?: number;
  /** Why the whole service refuses, such as an unusable base path. Default: it does not. */
  readonly refusal?: CodedError | undefined;
  readonly noSuchPath: NoSuchPath;
  /** Asked for addresses at the root of the site at which there is nothing. Default: no page has moved. */
  readonly movedTo?: MovedTo;
  /** Whether replies say where their time went. Default: no. */
  readonly serverTiming?: boolean;
}

/** Creates the handler of the requests of a path. It never throws: an error becomes the error reply of the API. */
export function createHandler<Caller>(
  route: Route<Caller>,
  options: ServiceOptions,
): (request: IncomingRequest) => Promise<Reply> {
  const template = routeTemplate(route, options.basePath);
  return (request) => {
    const trace = createTrace(request.invocation);
    const context = createContext(route, request, options);
    return inTrace(trace, async () => {
      const answer = await runEndpoint(route, context, options).catch(async (error: unknown) =>
        completeReply(route.api, await errorReply(route.api, error, context), context),
      );
      const reply = (await movedReply(answer, route, context, options)) ?? answer;
      logOutcome(trace, context, template, { ...reply, status: reply.envelopedStatus ?? reply.status });
      if (!options.serverTiming || isShared(reply)) return reply;
      const seesSources = context.caller !== undefined && route.api.seesSources?.(context.caller);
      return { ...reply, headers: { ...reply.headers, 'Server-Timing': serverTiming(trace, seesSources) } };
    });
  };
}

/** Leads to where a page is now, in place of a reply that there is nothing at its address. */
async function movedReply<Caller>(
  { status, onHandedOver }: Reply,
  { api, mount }: Route<Caller>,
  context: OpenContext<Caller>,
  { movedTo }: ServiceOptions,
): Promise<Reply | undefined> {
  const isRead = context.request.method === 'GET' || context.request.method === 'HEAD';
  if (status !== 404 || mount.below !== 'site' || !isRead || movedTo === undefined) return undefined;
  try {
    const location = await movedTo(context);
    if (location === undefined) return undefined;
    onHandedOver?.();
    delete context.error;
    return completeReply(api, empty(301, { Location: location }), context);
  } catch (error) {
    if (isCodedError(error) && ![410, 503].includes(statusOf(error.kind))) return undefined;
    // What is in the trash is gone, in words. Where nobody knows for now whether there was a page, its address is not forgotten.
    onHandedOver?.();
    return completeReply(api, await errorReply(api, error, context), context);
  }
}

/** Writes the lines of a request whose reply is ready. */
function logOutcome<Caller>(
  trace: Trace,
  context: RequestContext<Caller>,
  route: string,
  reply: Reply,
): void {
  const { id, request, identity, error } = context;
  audit(trace, context, route, reply);
  const entry = {
    requestId: id,
    method: request.method,
    route,
    path: request.url.pathname,
    status: reply.status,
    identity,
    error,
  };
  logRequest(entry, trace);
  endTrace(trace, { ...entry, code: error?.code });
}

/** Turns a body that is a value into its text, where its time is measured. */
function render(reply: Reply): Reply {
  if (reply.body === undefined || !('json' in reply.body) || reply.body.json instanceof RawJson) return reply;
  const { json } = reply.body;
  return {
    ...reply,
    body: { json: new RawJson(compute('render', 'write JSON', () => JSON.stringify(json))) },
  };
}

/** Finds the endpoint, authenticates the caller, and runs the call once it is admitted. */
async function runEndpoint<Caller>(
  route: Route<Caller>,
  context: OpenContext<Caller>,
  { refusal, noSuchPath, admission }: ServiceOptions,
): Promise<Reply> {
  const { api, mount, endpoints } = route;
  const { request } = context;
  if (refusal !== undefined) throw refusal;
  if (api.authenticatesFirst) await authenticate(api, 'optional', context);
  if (endpoints.length === 0) throw noSuchPath(request.url, mount);
  const method = api.methodOf?.(request) ?? request.method;
  if (method === 'OPTIONS')
    return completeReply(api, api.options?.(context) ?? empty(204, { Allow: allow(endpoints) }), context);
  const endpoint = endpointOf(endpoints, method);
  if (!api.authenticatesFirst) await authenticate(api, endpoint.access, context);
  return admission.run(callerKey(context), budgetedBytes(endpoint, request), async (bytes) => {
    const completedReply = completeReply(api, await reply(api, endpoint, context), context);
    // The reply to a change is sent in any case.
    bytes.add(largeReplyBytes(completedReply), { force: endpoint.method !== 'GET' });
    return { ...completedReply, onHandedOver: bytes.release };
  });
}

/** Reads the input, and handles the call. */
async function reply<Caller>(
  api: Api<Caller>,
  endpoint: Endpoint<Caller>,
  context: OpenContext<Caller>,
): Promise<Reply> {
  noteTarget(endpoint, context.request.parameters);
  const call = await callOf(api, endpoint, context);
  noteFields(endpoint, call);
  const reply = await endpoint.handle(call as Call<Caller, never, never, never>);
  return endpoint.method === 'GET' ? notModified(reply, context.request.headers) : reply;
}

function endpointOf<Caller>(endpoints: readonly Endpoint<Caller>[], method: string): Endpoint<Caller> {
  const endpoint = endpoints.find((endpoint) => endpoint.method === (method === 'HEAD' ? 'GET' : method));
  if (endpoint !== undefined) return endpoint;
  throw new CodedError('method-not-allowed', `Cannot answer: this path has no ${method}.`);
}

async function authenticate<Caller>(
  api: Api<Caller>,
  access: Access,
  context: OpenContext<Caller>,
): Promise<void> {
  if (access === 'public') return;
  const authenticated = await measure('auth', 'authenticate', {}, () => api.authenticate(context, access));
  Object.assign(context, authenticated);
}

/** Reads the input. The time in which the caller sends the body does not count. */
async function callOf<Caller>(
  api: Api<Caller>,
  endpoint: Endpoint<Caller>,
  context: OpenContext<Caller>,
): Promise<Call<Caller, unknown, unknown, unknown>> {
  const startedAt = Date.now();
  const input = await api.readInput(endpoint, context);
  context.deadline += Date.now() - startedAt;
  // Without authentication the API has an anonymous caller.
  const caller = context.caller ?? (api.anonymous as Caller);
  return { ...context, caller, ...input };
}

async function errorReply<Caller>(
  api: Api<Caller>,
  error: unknown,
  context: OpenContext<Caller>,
): Promise<Reply> {
  const coded = isCodedError(error) ? error : internalError(error, context);
  const status = statusOf(coded.kind);
  context.error = coded;
  if (isFailure(coded)) logFailure(context.id, error);
  return api.errorReply(coded, status, context);
}

function internalError<Caller>(cause: unknown, { id }: RequestContext<Caller>): CodedError {
  const message = 'The service failed; the failure is in its log under the id of this request.';
  return new CodedError('internal-error', message, { cause, facts: { requestId: id } });
}

/** Adds what every reply of an API has, and writes its body. */
function completeReply<Caller>(api: Api<Caller>, reply: Reply, context: RequestContext<Caller>): Reply {
  const type = reply.body !== undefined && 'json' in reply.body ? { 'Content-Type': 'application/json' } : {};
  const ofRequest = isShared(reply) ? {} : { 'X-Request-Id': context.id };
  const withHeaders: Reply = { ...reply, headers: { ...type, ...ofRequest, ...reply.headers } };
  return render(api.decorateReply?.(withHeaders, context) ?? withHeaders);
}
