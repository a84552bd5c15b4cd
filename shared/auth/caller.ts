/** Who sent a request, as its verified token says. */

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
 * Returns which account a caller acts as: a user is the person with the token's e-mail address; an application
 * with the role `Service.Access` is the service account. Everybody else is refused with
 * `token-without-email` or `application-without-role` (both 401).
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
