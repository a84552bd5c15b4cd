/** A real issuer for one test, and tokens that no honest issuer would sign. */

import { sign } from 'node:crypto';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Identity, sampleUsers, startIdentity } from '../../local/index.ts';
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

/** Claims that make tokens of one user equal. */
export const alice = { email: 'alice@example.org', oid: 'alice', uti: 'token' };

/** The payload text of an honest token. */
export function honestPayload(issuer: Identity): string {
  return JSON.stringify(claimsIn(issuer.issueToken(alice)));
}
