/** The caller of a request, from its `Authorization` header (RFC 6750 section 2.1, RFC 7617) and the verified token. */

import { refuse } from './refusal.ts';

/** The verified identity of a request. */
export interface Caller {
  /** A person who signed in, or an application that acts for itself. */
  readonly kind: 'user' | 'application';
  /** The e-mail claim in lower case: compare it with other addresses in lower case. Never set for applications. */
  readonly email?: string;
  /** App roles granted in Entra ID, for example `Calendar.Editor`. */
  readonly roles: readonly string[];
  /** Object id of the user or service principal: stable, and safe to log. */
  readonly objectId: string;
  readonly tenantId: string;
  /** Display name; never an identifier. */
  readonly name?: string;
  /** The issuer's id of the token (`uti`, else `jti`), for logs; empty when the token has none. */
  readonly tokenId: string;
}

/** Returns the ids of a caller that may be logged. */
export function identityOf({ objectId, tenantId, tokenId }: Caller) {
  return { objectId, tenantId, tokenId };
}

/** The account that a caller acts as: the person with an e-mail address, or the service's own account. */
export type ActingAccount =
  | { readonly kind: 'person'; readonly email: string }
  | { readonly kind: 'service-account' };

/** App role that lets an application act as the service's own account. */
export const serviceRole = 'Service.Access';

/**
 * Returns the account that a caller acts as. A user is the person with the token's e-mail address; an application with the role
 * `Service.Access` is the service account. Refuses others with `token-without-email` or `application-without-role` (both 401).
 */
export function actingAccount(caller: Caller): ActingAccount {
  if (caller.kind === 'application') {
    if (caller.roles.includes(serviceRole)) return { kind: 'service-account' };
    return refuse('application-without-role', 'the application has no role that lets it act by itself', {
      identity: identityOf(caller),
    });
  }
  if (caller.email === undefined)
    return refuse('token-without-email', 'the token has no e-mail claim', { identity: identityOf(caller) });
  return { kind: 'person', email: caller.email };
}

export interface Credentials {
  readonly name: string;
  /** Whitespace is removed: clients show application passwords in groups, and leave joining them to the reader. */
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
 * Returns the token of an `Authorization` header value: at most 16 KiB in JWS compact serialization. Refuses with `credentials-missing`
 * (no header, or another scheme), `token-invalid`, or `credentials-malformed`: not exactly one scheme and one token, such as two headers
 * joined by a comma.
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
