/** The roots at which an API stands, and their URLs. */

/** One root of an API. */
export interface Mount {
  /** Without slashes at its ends, such as `v7`; empty for what it is below. */
  readonly path: string;
  /** What the path is below: the base path of the service (default), or the root of the site, whatever the base path is. */
  readonly below?: 'base-path' | 'site';
  /** Returns the configured public URL of a root below the site, or nothing: links then name the host of the request. Roots below the base path have theirs from it. */
  readonly publicUrl?: () => string;
  /** The name of the API that would stand here, where this app does not serve it. */
  readonly notServed?: string;
}

/** Where the service stands. */
export interface BaseUrl {
  /** The configured public URL of the base path, or empty. */
  readonly publicBaseUrl: () => string;
  /** The path below which the service stands, such as `/api`; empty for none. */
  readonly basePath: string;
}

/** Returns the path of a root with a slash at its start and none at its end: `/api/v7`; empty for the root of the site. */
export function rootPath({ path, below }: Mount, basePath: string): string {
  return (below === 'site' ? '' : basePath) + (path === '' ? '' : `/${path}`);
}

/** Returns the absolute URL of the site that the service stands in, without a slash at its end: what the public URL has before the base path, else the origin by which the request came. */
export function siteUrl(origin: string, { publicBaseUrl, basePath }: BaseUrl): string {
  const url = publicBaseUrl();
  if (url === '') return origin;
  const isBelow = url.toLowerCase().endsWith(basePath.toLowerCase());
  return isBelow ? url.slice(0, url.length - basePath.length) : new URL(url).origin;
}

/** Returns the absolute URL of a root without a slash at its end: its public one when that is configured, else below the origin by which the request came. */
export function rootUrl(origin: string, mount: Mount, { publicBaseUrl, basePath }: BaseUrl): string {
  if (mount.below === 'site') return mount.publicUrl?.() || origin + rootPath(mount, basePath);
  return (publicBaseUrl() || origin + basePath) + rootPath(mount, '');
}
