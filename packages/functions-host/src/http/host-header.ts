/** Which Host headers the server takes, and of which the host can make a URL. */

import { isIPv6 } from 'node:net';

/** Checks a Host header as Kestrel does before any code of the host runs; empty is allowed. */
export function isHostHeaderValid(host: string): boolean {
  return /^(|\[[0-9a-f:.]{3,}\](:\d+)?|[\w!$&'().~-]+(:\d+)?)$/i.test(host);
}

/**
 * Checks whether a URL of this host can be made, by the host (.NET: a name of labels that begin with a letter or a digit) and
 * by the worker (WHATWG: what ends in a number is an IPv4 address).
 */
export function isHostUsable(host: string): boolean {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(host);
  if (match === null) return false;
  const [, ipv6, name = '', port = '0'] = match;
  if (Number(port) > 65_535) return false;
  if (ipv6 !== undefined) return isIPv6(ipv6);
  return /^[a-z\d][\w-]{0,62}(\.[a-z\d][\w-]{0,62})*\.?$/i.test(name) && URL.canParse(`http://${host}/`);
}
