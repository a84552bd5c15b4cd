/** From the `Authorization` header to the text of a token (RFC 6750 section 2.1). */

import { refuse } from './refusal.ts';

const maxLength = 16 * 1024;
const compactSerialization = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Returns the token of an `Authorization` header value: at most 16 KiB in JWS compact serialization.
 * Refuses with `credentials-missing` (none, or another scheme), `credentials-malformed` (not exactly one
 * scheme and one token; a comma means that two headers were joined) or `token-invalid`.
 */
export function bearerToken(header: string | null): string {
  if (header?.includes(',')) refuse('credentials-malformed', 'more than one Authorization header was sent');
  const [scheme = '', token, ...rest] = (header ?? '').trim().split(/ +/);
  if (scheme.toLowerCase() !== 'bearer') refuse('credentials-missing', 'no bearer token was sent');
  if (token === undefined || rest.length > 0)
    refuse('credentials-malformed', 'the Authorization header is not one scheme and one token');
  return wellFormed(token);
}

function wellFormed(token: string): string {
  if (token.length > maxLength) refuse('token-invalid', 'the token is too long');
  if (!compactSerialization.test(token)) refuse('token-invalid', 'the token is not a signed JWT');
  return token;
}
