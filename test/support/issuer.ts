/** A real issuer for one test, and tokens that no honest issuer would sign. */

import { sign } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type Identity, startIdentity } from '../../local/identity/start.ts';
import { sampleUsers } from '../../local/sample-data/users.ts';

export const tenantId = '11111111-2222-4333-8444-555555555555';
export const clientId = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';

/** Starts an issuer that keeps nothing; the test that started it stops it when it ends. */
export async function startIssuer(options: { now?: () => number; folder?: string } = {}): Promise<Identity> {
  const issuer = await startIdentity({ tenantId, clientId, users: sampleUsers, ...options });
  onTestFinished(() => issuer.stop());
  return issuer;
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
