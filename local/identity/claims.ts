/** What the local issuer's tokens say: the claims of Entra ID access tokens, versions 1.0 and 2.0. */

import { randomBytes } from 'node:crypto';
import { issuerOf, personWithEmail, stableGuid, type Tenant, type TokenVersion } from './tenant.ts';

export type Claims = Record<string, unknown>;

/** Seconds for which tokens are valid. */
export const lifetime = 90 * 60;

export interface TokenFacts {
  readonly version: TokenVersion;
  readonly audience: string;
  /** Client id of the calling application. */
  readonly callingApp: string;
  /** Seconds since 1970. */
  readonly now: number;
}

export interface UserFacts extends TokenFacts {
  readonly email: string;
  /** Without roles the token has those of the sample user. */
  readonly roles?: readonly string[] | undefined;
  readonly scope: string;
}

/** Claims of a token that a user signed in for. */
export function userClaims(tenant: Tenant, facts: UserFacts): Claims {
  const person = personWithEmail(tenant, facts.email);
  const objectId = stableGuid(tenant.tenantId, person.email);
  const userName = facts.version === '1.0' ? 'unique_name' : 'preferred_username';
  return {
    ...commonClaims(tenant, facts),
    ...callingAppClaims(facts, '0'),
    email: person.email,
    name: person.name,
    oid: objectId,
    [userName]: person.email,
    ...rolesClaim(facts.roles ?? person.roles),
    scp: facts.scope,
    sub: stableGuid(objectId, facts.audience),
  };
}

export interface ApplicationFacts extends TokenFacts {
  readonly roles: readonly string[];
}

/** Claims of an app-only token: no e-mail, no scope; subject and object are the service principal. */
export function applicationClaims(tenant: Tenant, facts: ApplicationFacts): Claims {
  const servicePrincipal = stableGuid(tenant.tenantId, facts.callingApp);
  return {
    ...commonClaims(tenant, facts),
    ...callingAppClaims(facts, '1'),
    idtyp: 'app',
    oid: servicePrincipal,
    sub: servicePrincipal,
    ...rolesClaim(facts.roles),
  };
}

function commonClaims(tenant: Tenant, { version, audience, now }: TokenFacts): Claims {
  const seconds = Math.floor(now);
  return {
    aud: audience,
    iss: issuerOf(tenant, version),
    iat: seconds,
    nbf: seconds,
    exp: seconds + lifetime,
    tid: tenant.tenantId,
    uti: randomBytes(16).toString('base64url'),
    ver: version,
  };
}

function callingAppClaims({ version, callingApp }: TokenFacts, authentication: '0' | '1'): Claims {
  return version === '1.0'
    ? { appid: callingApp, appidacr: authentication }
    : { azp: callingApp, azpacr: authentication };
}

// As in Entra ID, a token without roles has no such claim.
function rolesClaim(roles: readonly string[]): Claims {
  return roles.length > 0 ? { roles } : {};
}
