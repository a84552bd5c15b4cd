/** A small issuer of Entra ID tokens: metadata and keys of both versions over HTTP, and tokens signed with them. */
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import jwt from 'jsonwebtoken';
import { onTestFinished } from 'vitest';

export const tenantId = '11111111-2222-4333-8444-555555555555';
const LIFETIME = 3600;

export interface Issuer {
  /** The authority, of the newer tokens: `http://127.0.0.1:{port}/{tenant}/v2.0`. */
  readonly authority: string;
  /** Requests for keys so far. */
  readonly requests: { keys: number };
  /** Signs a token; a claim that is `undefined` is left out, and `ver: '1.0'` makes an older token. */
  issueToken(claims: Record<string, unknown>): string;
  readonly keyRing: { rotate(options?: { withdraw?: boolean }): void };
  stop(): Promise<void>;
}

/** Starts an issuer on a free port; it stops when the test ends. */
export async function startIssuer(): Promise<Issuer> {
  const requests = { keys: 0 };
  let keys = [newKey()];
  const server = createServer((request, response) => {
    const [, tenant, version] = (request.url ?? '').split('/');
    const issuer = `${url()}/${tenant}${version === 'v2.0' ? '/v2.0' : ''}`;
    const isMetadata = request.url?.endsWith('/.well-known/openid-configuration');
    if (!isMetadata) requests.keys++;
    response.end(
      JSON.stringify(isMetadata ? { issuer, jwks_uri: `${issuer}/keys` } : { keys: keys.map(published) }),
    );
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  return {
    authority: `${url()}/${tenantId}/v2.0`,
    requests,
    issueToken(claims) {
      const [{ keyId, privateKey } = newKey()] = keys.slice(-1);
      const iss = `${url()}/${tenantId}${claims['ver'] === '1.0' ? '' : '/v2.0'}`;
      const now = Math.floor(Date.now() / 1000);
      const all = { iss, tid: tenantId, nbf: now - 1, exp: now + LIFETIME, ...claims };
      const given = Object.entries(all).filter(([, value]) => value !== undefined);
      return jwt.sign(Object.fromEntries(given), privateKey, { algorithm: 'RS256', keyid: keyId });
    },
    keyRing: {
      rotate({ withdraw = false } = {}) {
        keys = withdraw ? [newKey()] : [...keys, newKey()];
      },
    },
    stop,
  };
}

interface Key {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

function newKey(): Key {
  return { keyId: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}

function published({ keyId, publicKey }: Key) {
  return { ...publicKey.export({ format: 'jwk' }), use: 'sig', kid: keyId };
}
