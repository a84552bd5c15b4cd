/** From an `Authorization` header to a verified caller: the order of the checks stands in `verify`. */

import { hash, type KeyObject } from 'node:crypto';
import { type Cache, createCache } from '../cache.ts';
import type { Config } from '../config.ts';
import { type CodedError, isCodedError } from '../errors.ts';
import { metadataUrls } from './authority.ts';
import type { Caller } from './caller.ts';
import { bearerToken } from './caller.ts';
import { callerFromClaims, expiryOf } from './claims.ts';
import { defaultTiming, KeySet, type KeySetTiming } from './key-set.ts';
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

/** Seconds by which the issuer's clock and ours may differ. */
const clockTolerance = 60;
const maxVerified = 5_000;
// Clients with a bad token repeat it, and its signature is not verified each time. The time is short, since a token may become valid.
const maxRefused = 1_000;
const refusedFor = 10_000;

/** Verifies access tokens of one Entra ID tenant, of version 1.0 and 2.0. Nothing is loaded until it is used. */
export class TokenVerifier {
  readonly #settings: AuthSettings;
  readonly #options: Required<TokenVerifierOptions>;
  /** By the digest of the token. */
  readonly #verified: Cache<string, Caller>;
  readonly #refused: Cache<string, CodedError>;
  #keySets: Record<TokenVersion, KeySet> | undefined;

  constructor(
    settings: AuthSettings,
    { now = Date.now, timing = {}, onKeySourceFailure = () => {} }: TokenVerifierOptions = {},
  ) {
    this.#settings = settings;
    this.#options = { now, timing, onKeySourceFailure };
    this.#verified = createCache({ maxEntries: maxVerified, name: 'tokens', now });
    this.#refused = createCache({ maxEntries: maxRefused, ttl: refusedFor, now });
  }

  /**
   * Returns the caller for whom the bearer token of an `Authorization` header was issued. Throws a `RefusalCode` (unauthenticated), or
   * `signing-keys-unavailable` (unavailable) when the keys cannot be loaded.
   */
  async verify(authorization: string | null): Promise<Caller> {
    const token = bearerToken(authorization);
    const digest = hash('sha256', token, 'base64');
    const refusal = this.#refused.get(digest);
    if (refusal !== undefined) throw refusal;
    return this.#verified.get(digest) ?? this.#verifyToken(token, digest);
  }

  /**
   * Loads libraries and keys ahead of the first token. Throws `signing-keys-unavailable` without keys, `configuration` when they are of
   * another tenant.
   */
  async ready(): Promise<void> {
    await loadSignatureLibrary();
    const loads = await Promise.allSettled([this.#keySetOf('2.0').ready(), this.#keySetOf('1.0').ready()]);
    // An issuer may know only one of the versions.
    const failures = loads
      .filter((load) => load.status === 'rejected')
      .map(({ reason }) => reason as unknown);
    const otherTenant = failures.find((reason) => isCodedError(reason, 'configuration'));
    if (otherTenant !== undefined || failures.length === loads.length) throw otherTenant ?? failures[0];
  }

  /** Stops the background refresh of keys. */
  close(): void {
    this.#keySets?.['1.0'].close();
    this.#keySets?.['2.0'].close();
  }

  #keySetOf(version: TokenVersion): KeySet {
    this.#keySets ??= this.#createKeySets();
    return this.#keySets[version];
  }

  #createKeySets(): Record<TokenVersion, KeySet> {
    const { now, timing, onKeySourceFailure } = this.#options;
    const tenantId = this.#settings.AppRegistration__TenantId;
    const urls = metadataUrls(this.#settings.AppRegistration__Authority, tenantId);
    const keySet = (version: TokenVersion) =>
      new KeySet({
        load: (signal) => loadSigningKeys(urls[version], tenantId, signal),
        onChange: () => this.#forget(),
        onFailure: onKeySourceFailure,
        timing: { ...defaultTiming, ...timing },
        now,
      });
    return { '1.0': keySet('1.0'), '2.0': keySet('2.0') };
  }

  /** Keys may have been withdrawn or replaced, so earlier results no longer count. */
  #forget(): void {
    this.#verified.clear();
    this.#refused.clear();
  }

  async #verifyToken(token: string, digest: string): Promise<Caller> {
    const { version, keyId } = keyReference(token);
    const { issuer, key } = await this.#keySetOf(version).find(keyId).catch(refuseOtherTenant);
    if (key === undefined) return refuse('token-invalid', 'the token is signed with an unknown key');
    try {
      return await this.#verifySigned(token, digest, issuer, key);
    } catch (error) {
      if (isRefusal(error)) this.#refused.set(digest, error);
      throw error;
    }
  }

  async #verifySigned(token: string, digest: string, issuer: string, key: KeyObject): Promise<Caller> {
    const { AppRegistration__TenantId: tenantId, AppRegistration__EmailClaim: emailClaim } = this.#settings;
    const { REQUIRE_SCOPE: requiresScope = false } = this.#settings;
    const { now } = this.#options;
    const expected = { issuer, now: now() / 1000, clockTolerance, audiences: audiencesOf(this.#settings) };
    const claims = await verifiedClaims(token, key, expected);
    const caller = callerFromClaims(claims, { ...expected, tenantId, emailClaim, requiresScope });
    this.#verified.set(digest, caller, (expiryOf(claims) + clockTolerance) * 1000 - now());
    return caller;
  }
}

/** Refuses a token because the keys are of another tenant; the log and health name the settings. */
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
