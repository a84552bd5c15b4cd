import { describe, expect, it, onTestFinished } from 'vitest';
import type { Identity } from '../../../local/identity/start.ts';
import { createTokenVerifier, type TokenVerifierOptions } from '../../../shared/auth/token-verifier.ts';
import { settingsFor, startIssuer, tenantId } from '../../support/issuer.ts';

function verifierFor(issuer: Identity, settings = {}, options: TokenVerifierOptions = {}) {
  const verifier = createTokenVerifier({ ...settingsFor(issuer), ...settings }, options);
  onTestFinished(() => verifier.close());
  return { verify: (token: string) => verifier.verify(`Bearer ${token}`), verifier };
}

describe('a token of an honest issuer', () => {
  it('gives the caller', async () => {
    const issuer = await startIssuer();
    const token = issuer.issueToken({ email: 'Alice@Example.org', oid: 'o', uti: 'u' });
    expect(await verifierFor(issuer).verify(token)).toEqual({
      kind: 'user',
      email: 'alice@example.org',
      name: 'Alice Archer',
      roles: ['Calendar.Editor'],
      objectId: 'o',
      tenantId,
      tokenId: 'u',
    });
  });
});
