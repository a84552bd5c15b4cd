/** Requests and replies between HTTP and RPC. */

import type { HeaderField, Reply } from '../http/reply.ts';
import type { RequestHead } from '../http/request-head.ts';
import { encodePath, parseQuery } from '../http/target.ts';
import type { RpcCookie, RpcRequest } from '../worker/rpc.ts';
import type { InvocationOutcome } from '../worker/worker-process.ts';

/** Writes the URL of a request: the path decoded and encoded again. */
export function requestUrl({ target }: RequestHead, { scheme, host }: Origin): string {
  return `${scheme}://${host}${encodePath(target.path)}${target.query.replaceAll('#', '%23')}`;
}

/** How the caller has addressed the host. */
export interface Origin {
  readonly scheme: 'http' | 'https';
  readonly host: string;
}

/** Converts a request to what the worker takes. */
export function toRpcRequest(
  head: RequestHead,
  origin: Origin,
  params: Readonly<Record<string, string>>,
): RpcRequest {
  return {
    method: head.method,
    url: requestUrl(head, origin),
    nullableHeaders: nullable(head.headers),
    nullableQuery: nullable(parseQuery(head.target.query)),
    nullableParams: nullable(Object.entries(params)),
  };
}

function nullable(entries: Iterable<readonly [string, string]>): Record<string, { readonly value: string }> {
  const values: Record<string, { readonly value: string }> = Object.create(null);
  for (const [name, value] of entries) values[name] = { value };
  return values;
}

/** Converts what came back. A header that Kestrel does not send makes it a 500 with the headers before it. */
export function toReply({ reply, body }: InvocationOutcome): Reply {
  if (reply === undefined) return { status: 204, headers: [] };
  const headers: HeaderField[] = [];
  const fields = [...Object.entries(reply.headers), ...reply.cookies.map(toSetCookie)];
  for (const [name, value] of fields) {
    if (!isSendable(name, value)) return { status: 500, headers };
    headers.push([name, value]);
  }
  return { status: reply.status, headers, body };
}

function isSendable(name: string, value: string): boolean {
  if (name.toLowerCase() === 'content-length') return /^\+?\d+$/.test(value);
  return /^[\t\x20-\x7e]*$/.test(value);
}

const sameSiteTokens = { lax: 'lax', strict: 'strict', explicitNone: 'none', none: undefined } as const;

/** Writes a cookie as ASP.NET does. */
function toSetCookie(cookie: RpcCookie): HeaderField {
  const { name, value, expires, maxAge, domain, path, secure, sameSite = 'none', httpOnly } = cookie;
  const site = sameSiteTokens[sameSite];
  const parts = [
    `${name}=${encodeURIComponent(value)}`,
    expires && `expires=${new Date(expires.value.seconds * 1000).toUTCString()}`,
    maxAge && `max-age=${Math.trunc(maxAge.value)}`,
    domain && `domain=${domain.value}`,
    `path=${path?.value ?? '/'}`,
    secure?.value === true && 'secure',
    site && `samesite=${site}`,
    httpOnly?.value === true && 'httponly',
  ];
  return ['Set-Cookie', parts.filter((part) => typeof part === 'string').join('; ')];
}
