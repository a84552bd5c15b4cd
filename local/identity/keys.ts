/** The keys that the local issuer signs with, and the key document it publishes (RFC 7517). */

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** The signing key in use, and the keys that are published. */
export interface KeyRing {
  /** The key that new tokens are signed with. */
  current(): SigningKey;
  /** Signs with a new key from now on. The old key stays published unless it is to be withdrawn. */
  rotate(options?: { withdraw?: boolean }): SigningKey;
  /** The published keys, as Entra ID writes them: without `alg`, in version 2.0 with the issuer. */
  document(issuer?: string): { keys: JsonWebKey[] };
}

/** Opens the key ring. With a folder the key is kept in `identity-key.pem`, so that tokens outlive a restart. `generate` makes a private key. */
export function openKeyRing(folder?: string, generate = generatePrivateKey): KeyRing {
  let current = storedKey(folder) ?? newKey(folder, generate);
  let published = [current];
  return {
    current: () => current,
    rotate({ withdraw = false } = {}) {
      current = newKey(folder, generate);
      published = withdraw ? [current] : [...published, current];
      return current;
    },
    document: (issuer) => ({ keys: published.map((key) => publicJwk(key, issuer)) }),
  };
}

function storedKey(folder: string | undefined): SigningKey | undefined {
  if (folder === undefined || !existsSync(keyFile(folder))) return undefined;
  return signingKey(createPrivateKey(readFileSync(keyFile(folder))));
}

/** Makes a new private key, which takes some 40 milliseconds. */
function generatePrivateKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}

function newKey(folder: string | undefined, generate: () => KeyObject): SigningKey {
  const privateKey = generate();
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(keyFile(folder), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  }
  return signingKey(privateKey);
}

function keyFile(folder: string): string {
  return join(folder, 'identity-key.pem');
}

function signingKey(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { keyId: createHash('sha256').update(der).digest('base64url').slice(0, 27), privateKey, publicKey };
}

function publicJwk({ keyId, publicKey }: SigningKey, issuer: string | undefined): JsonWebKey {
  const jwk = publicKey.export({ format: 'jwk' });
  return { ...jwk, use: 'sig', kid: keyId, x5t: keyId, ...(issuer === undefined ? {} : { issuer }) };
}
