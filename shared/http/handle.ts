/** One request from start to reply: find the endpoint, learn the caller, read the input, handle, reply. */

import { CodedError, isCodedError } from '../errors.ts';
import type { Api, Circumstances, Identity, IncomingRequest } from './api.ts';
import { entityTags, notModified } from './conditional.ts';
import type { Access, Call, Endpoint } from './endpoint.ts';
import { links } from './links.ts';
import { logFailure, logRequest } from './log.ts';
import { allow } from './problem.ts';
import { empty, type Reply } from './reply.ts';
import { requestId } from './request-id.ts';
import { statusOf } from './status.ts';

/** Milliseconds in which a reply must be out. */
const timeBudget = 10_000;

/** What a path leads to: the endpoints that stand there, one per method. No endpoints: no such path. */
export interface Route<Caller> {
  readonly api: Api<Caller>;
  readonly mount: string;
  readonly path: string;
  readonly endpoints: readonly Endpoint<Caller>[];
}

/** Gives the route template of a path, without a leading slash. */
export function routeTemplate({ mount, path }: { readonly mount: string; readonly path: string }): string {
  return `${mount}${path}`.replace(/^\//, '');
}

export interface Surroundings {
  /** The configured public address of the base path, or empty. */
  readonly publicBaseUrl: () => string;
  /** The path under which the host serves the app, such as `/api`. */
  readonly basePath: string;
  /** A condition that makes the whole service refuse, such as a wrong base path. */
  readonly refusal: () => CodedError | undefined;
  /** Runs the work of a request, or refuses it when there is too much. */
  readonly admit: <T>(work: () => Promise<T>) => Promise<T>;
}

/** What has been found out about a request so far. */
interface Progress {
  identity?: Identity;
  error?: CodedError;
}

/** Answers a request. Never throws: what goes wrong becomes the error reply of the API. */
export async function handle<Caller>(
  route: Route<Caller>,
  request: IncomingRequest,
  surroundings: Surroundings,
): Promise<Reply> {
  const started = performance.now();
  const id = requestId(request.headers);
  const progress: Progress = {};
  const circumstances: Circumstances = {
    request,
    requestId: id,
    endpoints: route.endpoints,
    get signedIn() {
      return progress.identity !== undefined;
    },
  };
  const reply = await surroundings
    .admit(() => answer(route, circumstances, surroundings, progress))
    .catch((error: unknown) => errorReply(route.api, error, circumstances, progress));
  const finished = finish(route.api, reply, circumstances);
  logRequest({
    requestId: id,
    method: request.method,
    route: routeTemplate(route),
    status: finished.status,
    milliseconds: performance.now() - started,
    ...progress,
  });
  return finished;
}

async function answer<Caller>(
  { api, mount, endpoints }: Route<Caller>,
  circumstances: Circumstances,
  surroundings: Surroundings,
  progress: Progress,
): Promise<Reply> {
  const { request } = circumstances;
  const refusal = surroundings.refusal();
  if (refusal !== undefined) throw refusal;
  const started = Date.now();
  const deadline = started + timeBudget;
  const learn = (access: Access) => learnCaller(api, access, request, progress, deadline);
  const known = api.learnsCallerFirst ? await learn('optional') : undefined;
  if (endpoints.length === 0)
    throw new CodedError('not-found', 'no-such-path', 'Cannot answer: there is nothing at this path.');
  const method = api.methodOf?.(request) ?? request.method;
  if (method === 'OPTIONS')
    return api.describe?.(endpoints, circumstances) ?? empty(204, { Allow: allow(endpoints) });
  const endpoint = endpointOf(endpoints, method);
  const caller = known ?? (await learn(endpoint.access));
  // The time in which the caller sends the body does not count.
  const remaining = timeBudget - (Date.now() - started);
  const input = await api.readInput(endpoint, request);
  const call: Call<Caller, unknown, unknown, unknown> = {
    ...input,
    caller,
    ifMatch: entityTags(request.headers.get('if-match')),
    link: links(request, mount, surroundings),
    requestId: circumstances.requestId,
    deadline: Date.now() + remaining,
    request: { method, url: request.url, headers: request.headers },
  };
  const reply = await endpoint.handle(call as Call<Caller, never, never, never>);
  return endpoint.method === 'GET' ? notModified(reply, request.headers) : reply;
}

function endpointOf<Caller>(endpoints: readonly Endpoint<Caller>[], method: string): Endpoint<Caller> {
  const endpoint = endpoints.find((one) => one.method === (method === 'HEAD' ? 'GET' : method));
  if (endpoint !== undefined) return endpoint;
  const message = `Cannot answer: this path has no ${method}.`;
  throw new CodedError('method-not-allowed', 'method-not-allowed', message);
}

async function learnCaller<Caller>(
  api: Api<Caller>,
  access: Access,
  request: IncomingRequest,
  progress: Progress,
  deadline: number,
): Promise<Caller> {
  if (access === 'public') return api.anonymous;
  const { caller, ...found } = await api.authenticate(request, access, deadline);
  Object.assign(progress, found);
  return caller;
}

function errorReply<Caller>(
  api: Api<Caller>,
  error: unknown,
  circumstances: Circumstances,
  progress: Progress,
): Reply {
  const coded = isCodedError(error) ? error : internalError(error, circumstances);
  const status = isCodedError(error) ? statusOf(coded.kind) : 500;
  progress.error = coded;
  if (status >= 500) logFailure(circumstances.requestId, error);
  return api.errorReply(coded, status, circumstances);
}

function internalError(cause: unknown, { requestId: id }: Circumstances): CodedError {
  return new CodedError(
    'misconfigured',
    'internal-error',
    'The service failed; the failure is in its log under the id of this request.',
    {
      cause,
      facts: { requestId: id },
    },
  );
}

function finish<Caller>(api: Api<Caller>, reply: Reply, circumstances: Circumstances): Reply {
  const common = { 'X-Request-Id': circumstances.requestId };
  const type = reply.body !== undefined && 'json' in reply.body ? { 'Content-Type': 'application/json' } : {};
  const complete: Reply = { ...reply, headers: { ...type, ...common, ...reply.headers } };
  return api.finish?.(complete, circumstances) ?? complete;
}
