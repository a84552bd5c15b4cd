/** The context of a request, which passes through all stages: authenticate, read the input, handle, reply. */

import { randomUUID } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import type { Identity } from '../errors/codes.ts';
import type { CodedError } from '../errors.ts';
import { entityTags } from './conditional.ts';
import type { ApiDescription, EndpointDescription, Mount } from './description.ts';
import type { IncomingRequest, RequestHeaders } from './request.ts';
import { type BaseUrl, rootUrl, siteUrl } from './urls.ts';

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
  /** Those of `If-None-Match` (RFC 9110 13.1.2). */
  readonly ifNoneMatch: readonly string[] | '*' | undefined;
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
    ifNoneMatch: entityTags(request.headers.get('if-none-match')),
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
  const sentId = headers.get('x-request-id');
  return sentId !== null && wellFormedId.test(sentId) ? sentId : randomUUID();
}

/**
 * Returns the address of the client by X-Forwarded-For, an IPv6 address as its /64; undefined when it is not known. Each proxy appends the
 * address that called it. With `trustedProxies` proxies in front, the entry that the outermost one wrote is that many from the end; entries
 * that a client makes up stand before it.
 */
export function clientAddress(headers: RequestHeaders, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return undefined;
  const entries = (headers.get('x-forwarded-for') ?? '').split(',');
  return normalizedAddress(entries.at(-trustedProxies)?.trim() ?? '');
}

function normalizedAddress(entry: string): string | undefined {
  const address = withoutPort(entry);
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  return mapped ?? networkOf(address);
}

/** `192.0.2.1:443` and `[2001:db8::1]:443` carry a port. */
function withoutPort(entry: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}

/** Returns the /64 of an IPv6 address: its first four groups. One subscriber has at least that many addresses. */
function networkOf(address: string): string {
  const [start = '', end] = address.replace(/%.*$/, '').split('::');
  const groups = start === '' ? [] : start.split(':');
  const lastGroups = end === undefined || end === '' ? [] : end.split(':');
  const zeros = end === undefined ? 0 : 8 - groups.length - lastGroups.length;
  const allGroups = [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...lastGroups];
  const network = allGroups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
