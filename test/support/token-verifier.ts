/** The app's verifier over a real issuer, and the caller that an honest token gives. */

import { onTestFinished } from 'vitest';
import type { Identity } from '../../local/index.ts';
import { TokenVerifier, type TokenVerifierOptions } from '../../shared/auth/token-verifier.ts';
import { clientId, tenantId } from './issuer.ts';

/** Settings that accept the tokens of an issuer. */
export function settingsFor({ authority }: Pick<Identity, 'authority'>) {
  return {
    AppRegistration__ClientId: clientId,
    AppRegistration__TenantId: tenantId,
    AppRegistration__Authority: authority,
    AppRegistration__EmailClaim: 'email',
    AppRegistration__Audiences: [] as string[],
  };
}

/** Verifies tokens of an issuer for one test. */
export function verifierFor(issuer: Identity, settings = {}, options: TokenVerifierOptions = {}) {
  // A busy machine is no failure of the issuer.
  const withTime = { timing: { timeout: 300_000 }, ...options };
  const verifier = new TokenVerifier({ ...settingsFor(issuer), ...settings }, withTime);
  onTestFinished(() => verifier.close());
  return (token: string) => verifier.verify(`Bearer ${token}`);
}

/** The caller that tokens with the claims of `alice` give. */
export const aliceAsCaller = {
  kind: 'user',
  email: 'alice@example.org',
  name: 'Alice Archer',
  roles: ['Calendar.Editor'],
  objectId: 'alice',
  tenantId,
  tokenId: 'token',
};
