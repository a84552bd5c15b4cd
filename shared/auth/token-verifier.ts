/** From an `Authorization` header to a verified caller: the order of the checks stands in `verify`. */

import { hash, type KeyObject } from 'node:crypto';
import { createCache } from '../cache.ts';
import type { Config } from '../config.ts';
import { type CodedError, isCodedError } from '../errors.ts';
import { metadataUrls } from './authority.ts';
import type { Caller } from './caller.ts';
import { bearerToken } from './caller.ts';
import { callerFromClaims, expiryOf } from './claims.ts';
import { createKeySet, defaultTiming, type KeySet, type KeySetTiming } from './key-set.ts';
import { isRefusal, refuse } from './refusal.ts';
import { loadSignatureLibrary, verifiedClaims } from './signature.ts';
import { loadSigningKeys } from './signing-keys.ts';
import { keyReference, type TokenVersion } from './token-parts.ts';

/** The settings that decide whose tokens are accepted; the app's `Config` is one. Read on first use. */
export type AuthSettings = Pick<
  Config,
  | 'AppRegistration__ClientId'
  | 'AppRegistration__TenantId'
  | 'AppRegistration__Authority'
  | 'AppRegistration__EmailClaim'
  | 'AppRegistration__Audiences'
> &
  Partial<Pick<Config, 'REQUIRE_SCOPE'>>;

export interface TokenVerifierOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly timing?: Partial<KeySetTiming>;
  /** Called when the issuer's keys could not be loaded, also in the background. */
  readonly onKeySourceFailure?: (error: unknown) => void;
}

/** Verifies access tokens of one Entra ID tenant, of version 1.0 and 2.0. */
export interface TokenVerifier {
  /**
   * Returns the caller whom the bearer token of an `Authorization` header value was issued for. Throws a
   * `RefusalCode` (unauthenticated), or `signing-keys-unavailable` (unavailable) when nobody can tell.
   */
  verify(authorization: string | null): Promise<Caller>;
  /** Loads libraries and keys ahead of the first token. Throws `signing-keys-unavailable` when there are none, `configuration` when they are of another tenant. */
  ready(): Promise<void>;
  /** Stops the background refresh of keys. */
  close(): void;
}

/** Seconds by which the issuer's clock and ours may differ. */
const clockTolerance = 60;
const maxVerified = 5_000;
// Clients with a bad token repeat it; its signature is not verified each time. Short, since a token may become valid.
const maxRefused = 1_000;
const refusedFor = 10_000;

/** Creates a verifier; nothing is loaded until it is used. */
export function createTokenVerifier(
  settings: AuthSettings,
  { now = Date.now, timing = {}, onKeySourceFailure = () => {} }: TokenVerifierOptions = {},
): TokenVerifier {
  const verified = createCache<string, Caller>({ maxEntries: maxVerified, name: 'tokens', now });
  const refused = createCache<string, CodedError>({ maxEntries: maxRefused, ttl: refusedFor, now });
  let keySets: Record<TokenVersion, KeySet> | undefined;

  function keySetOf(version: TokenVersion): KeySet {
    keySets ??= createKeySets();
    return keySets[version];
  }

  function createKeySets(): Record<TokenVersion, KeySet> {
    const tenantId = settings.AppRegistration__TenantId;
    const urls = metadataUrls(settings.AppRegistration__Authority, tenantId);
    const keySet = (version: TokenVersion) =>
      createKeySet({
        load: (signal) => loadSigningKeys(urls[version], tenantId, signal),
        // Keys may have been withdrawn or replaced, so nothing that they said counts any more.
        onChange() {
          verified.clear();
          refused.clear();
        },
        onFailure: onKeySourceFailure,
        timing: { ...defaultTiming, ...timing },
        now,
      });
    return { '1.0': keySet('1.0'), '2.0': keySet('2.0') };
  }

  async function verifyToken(token: string, digest: string): Promise<Caller> {
    const { version, keyId } = keyReference(token);
    const { issuer, key } = await keySetOf(version).find(keyId).catch(refuseOtherTenant);
    if (key === undefined) return refuse('token-invalid', 'the token is signed with an unknown key');
    try {
      return await verifySigned(token, digest, issuer, key);
    } catch (error) {
      if (isRefusal(error)) refused.set(digest, error);
      throw error;
    }
  }

  async function verifySigned(
    token: string,
    digest: string,
    issuer: string,
    key: KeyObject,
  ): Promise<Caller> {
    const { AppRegistration__TenantId: tenantId, AppRegistration__EmailClaim: emailClaim } = settings;
    const { REQUIRE_SCOPE: requiresScope = false } = settings;
    const expected = { issuer, now: now() / 1000, clockTolerance, audiences: audiencesOf(settings) };
    const claims = await verifiedClaims(token, key, expected);
    const caller = callerFromClaims(claims, { ...expected, tenantId, emailClaim, requiresScope });
    verified.set(digest, caller, (expiryOf(claims) + clockTolerance) * 1000 - now());
    return caller;
  }

  return {
    async verify(authorization) {
      const token = bearerToken(authorization);
      const digest = hash('sha256', token, 'base64');
      const refusal = refused.get(digest);
      if (refusal !== undefined) throw refusal;
      return verified.get(digest) ?? verifyToken(token, digest);
    },
    async ready() {
      await loadSignatureLibrary();
      const loads = await Promise.allSettled([keySetOf('2.0').ready(), keySetOf('1.0').ready()]);
      // An issuer may know only one of the versions.
      const failures = loads
        .filter((load) => load.status === 'rejected')
        .map(({ reason }) => reason as unknown);
      const otherTenant = failures.find((reason) => isCodedError(reason, 'configuration'));
      if (otherTenant !== undefined || failures.length === loads.length) throw otherTenant ?? failures[0];
    },
    close() {
      keySets?.['1.0'].close();
      keySets?.['2.0'].close();
    },
  };
}

/** Whoever calls has a token of another tenant, as far as anybody can tell; the log and health have the settings. */
function refuseOtherTenant(cause: unknown): never {
  if (!isCodedError(cause, 'configuration')) throw cause;
  return refuse('token-invalid', 'the tenant of the token is not accepted', { cause });
}

/** The client id, its application id URI, and the ones that the settings add. */
function audiencesOf({
  AppRegistration__ClientId: clientId,
  AppRegistration__Audiences: more,
}: AuthSettings) {
  return [clientId, `api://${clientId}`, ...more] as const;
}
