/** Requests to a site that stay within it: wherever it leads, no other host is asked. */

import type { IsOwn } from './source-name.ts';

const maxRedirects = 3;

/** A redirection that is not followed. */
export class RedirectError extends Error {}

/**
 * Requests an address, and follows redirections within the site: those to http, https and `www.`. `send` sends the request to an address, and
 * follows nothing. Throws a RedirectError where it leads elsewhere, or on and on.
 */
export async function fetchWithin(
  url: string,
  isOwn: IsOwn,
  send: (address: string) => Promise<Response>,
): Promise<Response> {
  let address = url;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    if (!isOwn(address)) throw new RedirectError(`it leads to another site: ${address}`);
    const response = await send(address);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    const next = URL.parse(location, address);
    if (next === null) throw new RedirectError(`it leads to no address: ${location.slice(0, 200)}`);
    address = next.href;
  }
  throw new RedirectError('it leads from one address to the next');
}
