/** URLs in replies. */

import type { IncomingRequest } from './request.ts';

interface Base {
  readonly publicBaseUrl: () => string;
  readonly basePath: string;
}

/** Creates the function that turns a path below an API's root into an absolute URL: under the public base URL when one is set, else under the host that the request names itself. */
export function links(
  { url }: Pick<IncomingRequest, 'url'>,
  mount: string,
  { publicBaseUrl, basePath }: Base,
): (path: string) => string {
  const root = `${publicBaseUrl() || url.origin + basePath}${mount === '' ? '' : `/${mount}`}`;
  return (path) => root + path;
}

/**
 * Writes a value as one segment of a path. A slash is encoded twice: Azure decodes a path once more than others before
 * it looks for the route, so that `%2F` would be two segments there.
 */
export function pathSegment(value: string): string {
  return encodeURIComponent(value).replaceAll('%2F', '%252F');
}

/** Returns path parameters as they are meant: the host decodes them, but for an encoded slash. */
export function decodedSlashes(parameters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, value.replace(/%2f/gi, '/')]),
  );
}
