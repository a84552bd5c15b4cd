/** Paths that stand in the query of the site's root, as sites without rewritten addresses have them: `/?rest_route=/tribe/events/v1/events`. */

import type { IncomingRequest } from './request.ts';
import { decodedSlashes } from './urls.ts';

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
