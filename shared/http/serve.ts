/**
 * The paths of an API and what answers them, with the types of its callers forgotten. A path may stand in the query of the site's root, as
 * sites without rewritten addresses have it: `/?rest_route=/tribe/events/v1/events`.
 */

import type { Api } from './api.ts';
import type { Mount } from './description.ts';
import type { Endpoint } from './endpoint.ts';
import { createHandler, type ServiceOptions } from './handle.ts';
import type { IncomingRequest } from './request.ts';
import { decodedSlashes, rootPath, routeTemplate } from './urls.ts';

export type Handler = ReturnType<typeof createHandler>;

/** A path of an API, as a route template without a slash at its start; empty for the root of the site. */
export interface ServedPath {
  readonly template: string;
  readonly handler: Handler;
}

/** A root of an API, such as `/api/v7`. */
export interface ServedRoot {
  readonly path: string;
  /** Answers the paths below the root at which there is nothing. */
  readonly answerOthers: Handler;
}

export interface ServedApi {
  readonly paths: readonly ServedPath[];
  readonly roots: readonly ServedRoot[];
}

/** Returns every path of an API below each of its roots. */
export function serve<Caller>(api: Api<Caller>, options: ServiceOptions): ServedApi {
  const handlerOf = (mount: Mount, path: string, endpoints: readonly Endpoint<Caller>[]) =>
    createHandler({ api, mount, path, endpoints }, options);
  const byPath = [...Map.groupBy(api.endpoints, ({ path }) => path)];
  return {
    paths: api.mounts.flatMap((mount) =>
      byPath.map(([path, endpoints]) => ({
        template: routeTemplate({ mount, path }, options.basePath),
        handler: handlerOf(mount, path, endpoints),
      })),
    ),
    roots: api.mounts.map((mount) => ({
      path: rootPath(mount, options.basePath),
      answerOthers: handlerOf(mount, '/{*rest}', []),
    })),
  };
}

/** Returns the first words of the paths of APIs, in lower case. Those that begin with a parameter have none. */
export function firstWords(apis: readonly ServedApi[]): ReadonlySet<string> {
  const words = apis.flatMap(({ paths }) => paths.map(({ template }) => template.split('/', 1)[0] ?? ''));
  return new Set(
    words.filter((word) => word !== '' && !word.startsWith('{')).map((word) => word.toLowerCase()),
  );
}

/**
 * Answers what is at none of the paths as the API does below whose root it stands, so that errors have the shape of that API; of two
 * at one root as the first. The root of the site comes here too, since an empty template is no route of the host.
 */
export function answerOthers(apis: readonly ServedApi[], queryRoute?: QueryRoute): Handler {
  const home = apis.flatMap(({ paths }) => paths).find(({ template }) => template === '');
  const roots = apis.flatMap((api) => api.roots).toSorted((a, b) => b.path.length - a.path.length);
  const otherHandler: Handler = (request) => {
    const { pathname } = request.url;
    if (home !== undefined && pathname === '/') return home.handler(request);
    const root = roots.find(({ path }) => isBelow(pathname, path));
    if (root === undefined) throw new TypeError('No API stands at the root of the site');
    return root.answerOthers(request);
  };
  const paths = apis.flatMap((api) => api.paths);
  return (request) => {
    const routed = queryRoute && withQueryRoute(request, queryRoute);
    if (routed === undefined) return otherHandler(request);
    for (const { template, handler } of paths) {
      const parameters = matchTemplate(template, routed.url.pathname);
      if (parameters !== undefined) return handler({ ...routed, parameters });
    }
    return otherHandler(routed);
  };
}

function isBelow(pathname: string, root: string): boolean {
  return `${pathname}/`.toLowerCase().startsWith(`${root}/`.toLowerCase());
}

/** Returns the URL that one at the site's root stands for; undefined when it stands for none. */
export type QueryRoute = (url: URL) => URL | undefined;

/** Returns a request as if it had come by the path that its query names; undefined when it names none. */
export function withQueryRoute(
  request: IncomingRequest,
  queryRoute: QueryRoute,
): IncomingRequest | undefined {
  const url = request.url.pathname === '/' ? queryRoute(request.url) : undefined;
  return url && { ...request, url };
}

/** Returns the parameters of a path that a route template matches; undefined when it does not. */
export function matchTemplate(template: string, pathname: string): Record<string, string> | undefined {
  const templateSegments = template.split('/');
  const pathSegments = pathname.split('/').filter(Boolean);
  if (templateSegments.length !== pathSegments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of templateSegments.entries()) {
    const value = pathSegments[index] ?? '';
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (name !== undefined) parameters[name] = decoded(value);
    else if (segment.toLowerCase() !== value.toLowerCase()) return undefined;
  }
  return decodedSlashes(parameters);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}
