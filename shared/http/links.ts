/** Addresses in replies. */

import type { IncomingRequest } from './api.ts';

interface Base {
  readonly publicBaseUrl: () => string;
  readonly basePath: string;
}

/** Makes the function that turns a path below an API's root into an absolute address: under the public base address when one is set, else under the host that the request names itself. */
export function links(
  { url }: Pick<IncomingRequest, 'url'>,
  mount: string,
  { publicBaseUrl, basePath }: Base,
): (path: string) => string {
  const root = `${publicBaseUrl() || url.origin + basePath}${mount === '' ? '' : `/${mount}`}`;
  return (path) => root + path;
}
