/** Cross-origin requests (Fetch, section 3.2) as the host answers them on Flex Consumption, by the site's `cors`. */

import type { HeaderField, Reply } from '../http/reply.ts';
import type { RequestHead } from '../http/request-head.ts';

export interface CorsSettings {
  readonly origins: readonly string[];
  readonly credentials: boolean;
}

/** Answers a preflight; undefined for any other request. */
export function answerPreflight({ method, headers }: RequestHead, settings: CorsSettings): Reply | undefined {
  const requested = headers.get('access-control-request-method');
  if (method.toUpperCase() !== 'OPTIONS' || !headers.has('origin') || requested === undefined)
    return undefined;
  const allowed = allowedOrigin(headers.get('origin'), settings);
  if (allowed.length === 0) return { status: 204, headers: [] };
  const requestedHeaders = headers.get('access-control-request-headers');
  const fields: HeaderField[] = [...allowed, ['Access-Control-Allow-Methods', requested]];
  if (requestedHeaders !== undefined) fields.push(['Access-Control-Allow-Headers', requestedHeaders]);
  return { status: 204, headers: fields };
}

/** Puts the host's headers in the place of the app's, where the host has any for this origin. */
export function withCorsHeaders(reply: Reply, { headers }: RequestHead, settings: CorsSettings): Reply {
  const allowed = headers.has('origin') ? allowedOrigin(headers.get('origin'), settings) : [];
  if (allowed.length === 0) return reply;
  const rest = reply.headers.filter(([name]) => !/^access-control-/i.test(name));
  return { ...reply, headers: [...rest, ...allowed] };
}

function allowedOrigin(origin: string | undefined, { origins, credentials }: CorsSettings): HeaderField[] {
  const any = origins.includes('*');
  const found = origins.find((allowed) => allowed.toLowerCase() === origin?.toLowerCase());
  if (origin === undefined || (!any && found === undefined)) return [];
  const fields: HeaderField[] = [['Access-Control-Allow-Origin', any ? '*' : origin]];
  if (credentials && !any) fields.push(['Access-Control-Allow-Credentials', 'true']);
  if (!any && origins.length > 1) fields.push(['Vary', 'Origin']);
  return fields;
}
