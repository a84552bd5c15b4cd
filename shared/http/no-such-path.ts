/** Errors for a path without an endpoint. */

import { CodedError } from '../errors.ts';
import type { ApiDescription, Mount } from './description.ts';

/** Returns why a root has nothing at the path of a URL. */
export type NoSuchPath = (url: URL, mount: Mount) => CodedError;

/**
 * Creates the error for a path without an endpoint. A path that would be right under another base path gets an error of its own. An API at
 * another root has no base path.
 */
export function createNoSuchPath(apis: readonly ApiDescription[], basePath: string): NoSuchPath {
  const underBasePath = endOfPaths(apis);
  const whereHosted = `the service is hosted under ${basePath || '/'}`;
  return ({ pathname }, { path, below, notServed }) => {
    if (notServed !== undefined)
      return new CodedError('api-not-served', `Cannot answer: the ${notServed} API is not served here.`);
    const other = path === '' ? underBasePath.exec(pathname)?.[1]?.replace(/\/+$/, '') : undefined;
    if (other !== undefined && other.toLowerCase() !== basePath.toLowerCase())
      return new CodedError(
        'base-url-mismatch',
        `Cannot answer: this path has another base path; ${whereHosted}.`,
      );
    const hosted = below === 'site' ? `; ${whereHosted}` : '';
    const version = path === '' ? versionLike(pathname.slice(basePath.length)) : undefined;
    const hint =
      hintOfMissing(pathname.slice(basePath.length + 1)) ??
      (version === undefined ? undefined : `Did you mean ${basePath}/${version}/...?`);
    return new CodedError(
      'no-such-path',
      `Cannot answer: no endpoint is at this path${hosted}.`,
      hint === undefined ? {} : { hint },
    );
  };

  function hintOfMissing(path: string): string | undefined {
    for (const api of apis)
      for (const mount of api.mounts)
        if (mount.below !== 'site' && path.startsWith(`${mount.path}/`)) {
          const hint = api.hintOfMissing?.(path.slice(mount.path.length));
          if (hint !== undefined) return hint;
        }
    return undefined;
  }

  /** The version that a path such as /v8/... may mean. */
  function versionLike(below: string): string | undefined {
    const [, major] = /^\/v(\d+)(?:\.\d+)*(?:\/|$)/i.exec(below) ?? [];
    return apis
      .flatMap(({ mounts }) => mounts.map(({ path }) => path))
      .find((path) => major !== undefined && new RegExp(`^v${major}(?:\\.|$)`).test(path));
  }
}

/** Matches a path that ends as one of the service does; what stands before is its base path. */
function endOfPaths(apis: readonly ApiDescription[]): RegExp {
  const pathEnds = apis.flatMap(({ mounts, endpoints }) =>
    mounts.flatMap(({ path, below }) => {
      if (below === 'site') return [];
      if (path !== '') return [`/${escaped(path)}(?:/.*)?`];
      return endpoints.flatMap((endpoint) => (endpoint.path === '' ? [] : [escaped(endpoint.path)]));
    }),
  );
  return new RegExp(`^(.*?)(?:${[...new Set(pathEnds)].join('|')})/?$`, 'i');
}

/** Writes a path as an expression, in which a parameter is any one segment. */
function escaped(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '[^/]+' : segment.replaceAll('.', '\\.')))
    .join('/');
}
