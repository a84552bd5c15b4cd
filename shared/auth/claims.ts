/** The claims of a verified token, and the caller that they describe (Entra ID access token claims). */

import { foldCase } from '../text/fold-case.ts';
import type { Caller } from './caller.ts';
import { refuse } from './refusal.ts';

/** What the claims of a token are held against. */
export interface ClaimRules {
  /** Issuer of the metadata document that the token's version belongs to. */
  readonly issuer: string;
  readonly tenantId: string;
  /** Name of the claim that holds the e-mail address. */
  readonly emailClaim: string;
  /** Whether a user's token must carry the API's scope. */
  readonly requiresScope: boolean;
  /** Seconds since 1970. */
  readonly now: number;
  /** Seconds by which clocks may differ. */
  readonly clockTolerance: number;
}

type Claims = Readonly<Record<string, unknown>>;

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const maxEmailLength = 254;
/** The scope that lets an application act for a user (infra/entra/api.json). */
const apiScope = 'access_as_user';
const userNameClaims = ['upn', 'preferred_username', 'unique_name'];

/** Returns the caller that a token's claims describe; refuses with `token-invalid` what is missing or malformed. */
export function callerFromClaims(claims: Claims, rules: ClaimRules): Caller {
  checkTimes(claims, rules);
  const email = emailOf(claims, rules.emailClaim);
  const kind = isApplication(claims, email) ? 'application' : 'user';
  if (kind === 'user' && rules.requiresScope) checkScope(claims);
  const name = optionalText(claims, 'name');
  return {
    kind,
    roles: rolesOf(claims),
    objectId: objectIdOf(claims),
    tenantId: tenantIdOf(claims, rules),
    tokenId: optionalText(claims, 'uti') ?? optionalText(claims, 'jti') ?? '',
    ...(kind === 'user' && email !== undefined ? { email } : {}),
    ...(name === undefined ? {} : { name }),
  };
}

/** An ID token has the same issuer, and may have the same audience, but never a scope. */
function checkScope({ scp }: Claims): void {
  if (typeof scp !== 'string' || !scp.split(' ').includes(apiScope))
    refuse('token-invalid', 'the token does not carry the scope of this API');
}

/** Returns the second since 1970 in which a token expires; refuses one that does not say so. */
export function expiryOf(claims: Claims): number {
  return seconds(claims, 'exp');
}

// That `exp` and `nbf` fit the present time has been checked with the signature.
function checkTimes(claims: Claims, { now, clockTolerance }: ClaimRules): void {
  expiryOf(claims);
  seconds(claims, 'nbf');
  if (seconds(claims, 'iat') > now + clockTolerance)
    refuse('token-invalid', 'the token was issued in the future');
}

function seconds(claims: Claims, name: string): number {
  const value = claims[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  return refuse('token-invalid', `the claim ${name} of the token is missing or not a whole number`);
}

function tenantIdOf({ tid }: Claims, { tenantId, issuer }: ClaimRules): string {
  const ofTenant =
    typeof tid === 'string' &&
    guid.test(tid) &&
    tid.toLowerCase() === tenantId.toLowerCase() &&
    issuer.split('/').includes(tid);
  return ofTenant ? tid : refuse('token-invalid', 'the tenant of the token is not accepted');
}

/** `oid` in Entra ID; other issuers have only `sub`. */
function objectIdOf(claims: Claims): string {
  const id = optionalText(claims, 'oid') ?? optionalText(claims, 'sub');
  return id ?? refuse('token-invalid', 'the token does not say whom it was issued for');
}

function rolesOf({ roles = [] }: Claims): readonly string[] {
  if (Array.isArray(roles) && roles.every((role) => typeof role === 'string')) return roles;
  return refuse('token-invalid', 'the roles of the token are not a list of names');
}

/**
 * Users are found by this address, so an unusual one is refused: one that is not a single string, is too long (RFC 5321 section 4.5.3.1.3),
 * has control characters or outer white space, or is of a domain that the issuer has not verified.
 */
function emailOf(claims: Claims, name: string): string | undefined {
  if (!Object.hasOwn(claims, name)) return undefined;
  const email = claims[name];
  if (typeof email !== 'string' || !isPlainAddress(email))
    return refuse('token-invalid', 'the e-mail claim of the token is not one plain address');
  if (isUnverified(claims)) return refuse('token-invalid', 'the e-mail claim of the token is not verified');
  return foldCase(email);
}

function isPlainAddress(email: string): boolean {
  return email !== '' && email.length <= maxEmailLength && email.trim() === email && !/\p{Cc}/u.test(email);
}

/** `xms_edov` is a boolean, or 0 and 1 as number or text; anything but a plain yes counts as no. */
function isUnverified(claims: Claims): boolean {
  const verified: readonly unknown[] = [true, 1, '1', 'true'];
  return Object.hasOwn(claims, 'xms_edov') && !verified.includes(claims['xms_edov']);
}

/**
 * `idtyp` is the reliable sign, but an optional claim. Without it a token counts as app-only when nothing in it
 * speaks of a user and, as in every client credentials token, subject and object are the same.
 */
function isApplication(claims: Claims, email: string | undefined): boolean {
  const { idtyp, scp, sub, oid } = claims;
  if (idtyp !== undefined) return idtyp === 'app';
  const namesUser = email !== undefined || userNameClaims.some((name) => Object.hasOwn(claims, name));
  return scp === undefined && !namesUser && sub !== undefined && sub === oid;
}

function optionalText(claims: Claims, name: string): string | undefined {
  const value = claims[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
