/** A real issuer for one test, and tokens that no honest issuer would sign. */

import { sign } from 'node:crypto';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Identity, startIdentity } from '../../local/identity/start.ts';
import { sampleUsers } from '../../local/sample-data/users.ts';
import { TokenVerifier, type TokenVerifierOptions } from '../../shared/auth/token-verifier.ts';
import { keysOfFile, keysOfTest } from './signing-keys.ts';

/** With letters, since a GUID has no case. */
export const tenantId = 'abcdef11-2222-4333-8444-5555555bcdef';
export const clientId = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';

/** Starts an issuer that keeps nothing; the test that started it stops it when it ends. */
export async function startIssuer(options: { now?: () => number; folder?: string } = {}): Promise<Identity> {
  const generateKey = keysOfTest();
  const issuer = await startIdentity({ tenantId, clientId, users: sampleUsers, generateKey, ...options });
  onTestFinished(() => issuer.stop());
  return issuer;
}

/** Starts one issuer for all tests of a file, which must leave it as it is. Returns what gives it to a test. */
export function issuerOfFile(): () => Identity {
  let issuer: Identity | undefined;
  beforeAll(async () => {
    issuer = await startIdentity({ tenantId, clientId, users: sampleUsers, generateKey: keysOfFile() });
  });
  afterAll(() => issuer?.stop());
  return () => {
    if (issuer === undefined) throw new Error('The issuer is there only while tests run');
    return issuer;
  };
}

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

/** Signs any header and any payload bytes with the issuer's key (RS256), as they are. */
export function forge({ keyRing }: Identity, header: unknown, payload: string | Uint8Array): string {
  const signed = `${segment(JSON.stringify(header))}.${segment(payload)}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), keyRing.current().privateKey).toString('base64url')}`;
}

/** The header that the issuer gives its tokens. */
export function honestHeader({ keyRing }: Identity) {
  return { alg: 'RS256', typ: 'JWT', kid: keyRing.current().keyId };
}

/** The claims in a token, unverified. */
export function claimsIn(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

/** One part of a token. */
export function segment(content: string | Uint8Array): string {
  return Buffer.from(content).toString('base64url');
}

/** Verifies tokens of an issuer for one test. */
export function verifierFor(issuer: Identity, settings = {}, options: TokenVerifierOptions = {}) {
  // A busy machine is no failure of the issuer.
  const withTime = { timing: { timeout: 300_000 }, ...options };
  const verifier = new TokenVerifier({ ...settingsFor(issuer), ...settings }, withTime);
  onTestFinished(() => verifier.close());
  return (token: string) => verifier.verify(`Bearer ${token}`);
}

/** Claims that make tokens of one user equal, and the caller that they give. */
export const alice = { email: 'alice@example.org', oid: 'alice', uti: 'token' };
export const aliceAsCaller = {
  kind: 'user',
  email: 'alice@example.org',
  name: 'Alice Archer',
  roles: ['Calendar.Editor'],
  objectId: 'alice',
  tenantId,
  tokenId: 'token',
};

/** The payload text of an honest token. */
export function honestPayload(issuer: Identity): string {
  return JSON.stringify(claimsIn(issuer.issueToken(alice)));
}
