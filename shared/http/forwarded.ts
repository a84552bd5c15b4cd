/** What a proxy in front says about the address by which a request came (X-Forwarded-Host, -Proto and -Prefix). */

import type { IncomingRequest } from './request.ts';

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
