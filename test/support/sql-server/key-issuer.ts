/** A tiny OpenID Connect issuer for tests, with both versions of Entra's metadata: it publishes one key and signs tokens with it, good ones and bad ones. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import jwt from 'jsonwebtoken';

export interface KeyIssuer extends AsyncDisposable {
  readonly address: string;
  /** Paths that were asked for. */
  readonly requests: string[];
  /** Signs the claims of a good token, with the given changes. */
  sign(claims?: Record<string, unknown>, options?: jwt.SignOptions): string;
  /** Makes a new key; tokens signed before remain as they are. */
  rollKey(): void;
}

/** Starts the issuer on a free port. */
export async function startKeyIssuer(): Promise<KeyIssuer> {
  let number = 0;
  let pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const key = { ...pair.publicKey.export({ format: 'jwk' }), kid: `key-${number}`, use: 'sig' };
    const issuer = request.url?.startsWith('/v2.0') ? `${address}/v2.0` : `${address}/`;
    const body = request.url === '/keys' ? { keys: [key] } : { issuer, jwks_uri: `${address}/keys` };
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sign = (claims: Record<string, unknown> = {}, options: jwt.SignOptions = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const good = {
      iss: `${address}/`,
      aud: 'https://database.windows.net/',
      nbf: now - 60,
      exp: now + 600,
      upn: 'ada@example.org',
    };
    const given = Object.entries({ ...good, ...claims }).filter(([, value]) => value !== undefined);
    return jwt.sign(Object.fromEntries(given), pair.privateKey, {
      algorithm: 'RS256',
      keyid: `key-${number}`,
      ...options,
    });
  };
  return {
    address,
    requests,
    sign,
    rollKey: () => {
      number++;
      pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
