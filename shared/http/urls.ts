/** URLs and path templates of the service: below its base path, at the root of the site, and as proxies report them (X-Forwarded-Host, -Proto and -Prefix). */

import type { Config } from '../config.ts';
import type { Mount } from './description.ts';
import type { IncomingRequest } from './request.ts';

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

/**
 * Writes a value as one segment of a path. A slash is encoded twice: Azure decodes a path once more than others before
 * it looks for the route, so that `%2F` would be two segments there.
 */
export function pathSegment(value: string): string {
  return encodeURIComponent(value).replaceAll('%2F', '%252F');
}

/**
 * Returns a request under the URL by which it came to the proxy. A header that is missing or malformed changes nothing; of a list, the first
 * entry counts.
 */
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
