/** What is known about a request. One context passes through all stages: authenticate, read input, handle, reply. What is known of a change before its handler runs is noted, and leaves its line in the audit. */

import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Identity } from '../errors/codes.ts';
import type { CodedError } from '../errors.ts';
import { logChange } from '../telemetry/log.ts';
import type { Trace } from '../telemetry/measurement.ts';
import { noteChange } from '../telemetry/trace.ts';
import { clientAddress } from './client-address.ts';
import type { ApiDescription, EndpointDescription, Mount } from './description.ts';
import { entityTags, type Reply } from './reply.ts';
import type { IncomingRequest, RequestHeaders } from './request.ts';

/** Milliseconds in which a reply must be out. */
const timeBudget = 10_000;

const wellFormedId = /^[A-Za-z0-9._-]{1,64}$/;

/** What a path leads to: the endpoints that stand there, one per method. No endpoints: no such path. */
export interface RouteDescription<Caller> {
  readonly api: ApiDescription<Caller>;
  readonly mount: Mount;
  readonly path: string;
  readonly endpoints: readonly EndpointDescription<Caller>[];
}

export interface RequestContext<Caller> {
  readonly request: IncomingRequest;
  readonly id: string;
  /** Milliseconds since epoch at which the reply must be out. It moves while the caller sends the body, which does not count. */
  readonly deadline: number;
  readonly route: RouteDescription<Caller>;
  /** Returns the absolute URL of a path below the root of this API by which the request came. */
  readonly link: (path: string) => string;
  /** Returns the absolute URL of a path of the site, by which API the request came or not. */
  readonly siteLink: (path: string) => string;
  /** The entity tags of `If-Match` (RFC 9110 13.1.1), with their quotes, or `*`; undefined without the header. */
  readonly ifMatch: readonly string[] | '*' | undefined;
  /** The client's address where the proxies in front report it; else one name for all clients. */
  readonly client: string;
  /** Once the caller is known. */
  readonly caller?: Caller;
  /** Once the caller has shown a good token. */
  readonly identity?: Identity;
  /** Once the request has failed. */
  readonly error?: CodedError;
}

/** The context as the pipeline alone may change it. */
export type OpenContext<Caller> = {
  -readonly [Name in keyof RequestContext<Caller>]: RequestContext<Caller>[Name];
};

/** Creates the context of a request that has just arrived. */
export function createContext<Caller>(
  route: RouteDescription<Caller>,
  request: IncomingRequest,
  { trustedProxies = 0, ...base }: BaseUrl & { readonly trustedProxies?: number },
): OpenContext<Caller> {
  return {
    request,
    id: requestId(request.headers),
    deadline: Date.now() + timeBudget,
    client: clientAddress(request.headers, trustedProxies) ?? 'unknown address',
    route,
    link: (path) => rootUrl(request.url.origin + (request.prefix ?? ''), route.mount, base) + path,
    siteLink: (path) => siteUrl(request.url.origin + (request.prefix ?? ''), base) + path,
    ifMatch: entityTags(request.headers.get('if-match')),
  };
}

/** Returns the key of the caller in budgets and queues: the account of the token, or the client where no good token was sent. */
export function callerKey<Caller>({
  identity,
  client,
}: Pick<RequestContext<Caller>, 'identity' | 'client'>): string {
  return identity?.objectId ?? client;
}

/** Returns the id of a request: the one in `X-Request-Id` when it is well-formed, else a new one. */
export function requestId(headers: RequestHeaders): string {
  const given = headers.get('x-request-id');
  return given !== null && wellFormedId.test(given) ? given : randomUUID();
}

/** Returns path parameters as they are meant: the host decodes them, but for an encoded slash. */
export function decodedSlashes(parameters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, value.replace(/%2f/gi, '/')]),
  );
}

/** Returns the route template of a path, without a leading slash. */
export function routeTemplate(
  { mount, path }: { readonly mount: Mount; readonly path: string },
  basePath: string,
): string {
  return (rootPath(mount, basePath) + path).replace(/^\//, '');
}

/** Where the service stands. */
export interface BaseUrl {
  /** The public URL of the base path, or empty. */
  readonly config: Pick<Config, 'PUBLIC_BASE_URL'>;
  /** The path below which the service stands, such as `/api`; empty for none. */
  readonly basePath: string;
}

/** Returns the path of a root with a slash at its start and none at its end: `/api/v7`; empty for the root of the site. */
export function rootPath({ path, below }: Mount, basePath: string): string {
  return (below === 'site' ? '' : basePath) + (path === '' ? '' : `/${path}`);
}

/**
 * Returns the absolute URL of the site of the service, without a slash at its end: the part of the public URL before the base path, else
 * the origin of the request.
 */
export function siteUrl(origin: string, { config, basePath }: BaseUrl): string {
  const url = config.PUBLIC_BASE_URL;
  if (url === '') return origin;
  const isBelow = url.toLowerCase().endsWith(basePath.toLowerCase());
  return isBelow ? url.slice(0, url.length - basePath.length) : new URL(url).origin;
}

/** Returns the absolute URL of a root without a slash at its end: its public one when that is configured, else below the origin by which the request came. */
export function rootUrl(origin: string, mount: Mount, { config, basePath }: BaseUrl): string {
  if (mount.below === 'site') return mount.publicUrl?.() || origin + rootPath(mount, basePath);
  return (config.PUBLIC_BASE_URL || origin + basePath) + rootPath(mount, '');
}

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
function namesOf<Caller>({ body }: EndpointDescription<Caller>, names: readonly string[]): readonly string[] {
  const { properties = {} } = (body?.schema ?? {}) as { readonly properties?: object };
  return [...new Set(names.filter((name) => name in properties))];
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
  const matchedTag =
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
    before: change.before ?? matchedTag,
    after: change.after ?? (status < 300 ? headers['ETag'] : undefined),
  });
}
