/** Which media type, language or encoding a caller prefers (RFC 9110 12.5; the only importer of negotiator). */

import Negotiator from 'negotiator';
import type { RequestHeaders } from './request.ts';

/** Creates what reads the preferences in `Accept`, `Accept-Language` and `Accept-Encoding`. */
export function preferencesOf(headers: RequestHeaders): Negotiator {
  const names = ['accept', 'accept-language', 'accept-encoding'];
  return new Negotiator({
    headers: Object.fromEntries(names.map((name) => [name, headers.get(name) ?? undefined])),
  });
}

/** Checks whether a caller prefers a media type to the one that is replied otherwise. */
export function prefers(headers: RequestHeaders, wanted: string, fallback: string): boolean {
  const offered = [fallback, wanted].flatMap((type) => [type, `${type};charset=utf-8`]);
  return preferencesOf(headers).mediaType(offered)?.startsWith(wanted) ?? false;
}
