/** From the `Authorization` header to a name and a password (RFC 7617), or to the text of a token (RFC 6750 section 2.1). */

import { refuse } from './refusal.ts';

export interface Credentials {
  readonly name: string;
  /** Without whitespace: clients show application passwords in groups, and leave it to the reader to join them. */
  readonly password: string;
}

/** Returns the name and the password of an `Authorization` header value; undefined for another scheme, and where either is missing. */
export function basicCredentials(header: string): Credentials | undefined {
  const [, encoded = ''] = /^\s*basic\s+(\S+)\s*$/i.exec(header) ?? [];
  const [, name = '', given = ''] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  const password = given.replace(/\s+/g, '');
  return name === '' || password === '' ? undefined : { name, password };
}

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
