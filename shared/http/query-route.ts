/** Paths that stand in the query of the site's root, as sites without rewritten addresses have them: `/?rest_route=/tribe/events/v1/events`. */

import { decodedSlashes } from './context.ts';
import type { IncomingRequest } from './request.ts';

export interface QueryRoute {
  /** Name of the parameter that holds the path. */
  readonly name: string;
  /** The path below which it stands, such as `/wp-json`. */
  readonly root: string;
}

/** Returns a request as if it had come by the path that its query names; undefined when it names none. */
export function withQueryRoute(
  request: IncomingRequest,
  { name, root }: QueryRoute,
): IncomingRequest | undefined {
  const path = request.url.searchParams.get(name);
  if (path === null || request.url.pathname !== '/') return undefined;
  const url = new URL(request.url);
  url.searchParams.delete(name);
  url.pathname = `${root}/${path}`.replace(/\/+/g, '/').replace(/\/$/, '');
  return { ...request, url };
}

/** Returns the parameters of a path that a route template matches; undefined when it does not. */
export function matchTemplate(template: string, pathname: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = pathname.split('/').filter(Boolean);
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? '';
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
