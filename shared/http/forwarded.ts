/** What the proxies in front of the app report: the address that was called, and that of the client (X-Forwarded-For, -Host, -Proto and -Prefix). */

import { isIPv4, isIPv6 } from 'node:net';
import type { IncomingRequest, RequestHeaders } from './request.ts';

/** Returns a request under the URL by which it came to the proxy. A header that is missing, or no such thing, changes nothing; of a list the first item counts. */
export function withForwarded(request: IncomingRequest): IncomingRequest {
  const first = (name: string) => request.headers.get(`x-forwarded-${name}`)?.split(',', 1)[0]?.trim() ?? '';
  const { protocol, host, pathname, search } = request.url;
  const scheme = /^https?$/i.test(first('proto')) ? first('proto') : protocol.replace(':', '');
  // Names, addresses and ports alone: what else an authority may hold changes the rest of a URL.
  const name = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(first('host')) ? first('host') : host;
  const url = URL.parse(`${scheme}://${name}${pathname}${search}`) ?? request.url;
  const prefix = /^(?:\/[\w.~-]+)+\/?$/.test(first('prefix')) ? first('prefix').replace(/\/$/, '') : '';
  return { ...request, url, prefix };
}

/**
 * Returns the address of the client, an IPv6 one as its /64; undefined when it is not known. Each proxy appends the address that it was
 * called from. So with `trustedProxies` proxies in front, the entry that the outermost one wrote is that many from the end, and entries
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
