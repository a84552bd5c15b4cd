/** URLs and path templates of the service: below its base path, and at the root of the site. */

import type { Config } from '../config.ts';
import type { Mount } from './description.ts';

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
