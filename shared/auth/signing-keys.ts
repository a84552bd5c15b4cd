/** From the issuer's metadata and key documents to keys that may verify tokens. */

import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { checkTenant } from './authority.ts';
import { fetchJson } from './fetch-json.ts';
import { isPlainObject } from './token-parts.ts';

/** The issuer of one token version, and its keys by key id. */
export interface SigningKeys {
  readonly issuer: string;
  readonly keys: ReadonlyMap<string, KeyObject>;
}

const minimumBits = 2048;
const tenantTemplate = '{tenantid}';

/**
 * Loads issuer and keys through a metadata document. Keys come only from the scheme and host of that document.
 * Throws `configuration` where they are of another tenant, and a plain `Error` when something is unreachable, malformed, or no key is usable.
 */
export async function loadSigningKeys(
  metadata: URL,
  tenantId: string,
  signal: AbortSignal,
): Promise<SigningKeys> {
  checkTenant(metadata.href, tenantId);
  const { issuer: template, jwksUri } = checkedMetadata(await fetchJson(metadata, signal), metadata);
  const issuer = template.replace(tenantTemplate, tenantId);
  checkTenant(issuer, tenantId);
  const keys = new Map<string, KeyObject>();
  for (const jwk of await fetchKeys(jwksUri, signal)) {
    const key = verificationKey(jwk, tenantId);
    if (key !== undefined) keys.set(key.keyId, key.key);
  }
  if (keys.size === 0) throw new Error('Cannot load signing keys: the issuer publishes none that is usable');
  return { issuer, keys };
}

function checkedMetadata(document: unknown, url: URL): { issuer: string; jwksUri: URL } {
  const { issuer, jwks_uri: keysUrl } = isPlainObject(document) ? document : {};
  const jwksUri = typeof keysUrl === 'string' ? URL.parse(keysUrl) : null;
  if (typeof issuer !== 'string') throw new Error('Cannot use the issuer metadata: it names no issuer');
  if (jwksUri?.origin !== url.origin)
    throw new Error('Cannot use the issuer metadata: its keys are on another host');
  return { issuer, jwksUri };
}

// jwks-rsa is loaded on first use: it takes longer to load than the whole app may take to start.
async function fetchKeys(url: URL, signal: AbortSignal): Promise<readonly unknown[]> {
  const { default: jwksRsa } = await import('jwks-rsa');
  const fetcher = async () => keyDocument(await fetchJson(url, signal));
  const client = jwksRsa({ jwksUri: url.href, cache: false, rateLimit: false, fetcher });
  const keys = await client.getKeys();
  return Array.isArray(keys) ? keys : [];
}

function keyDocument(document: unknown): { keys: unknown } {
  return { keys: isPlainObject(document) ? document['keys'] : [] };
}

/** Returns a key of the set that may verify signatures of this tenant; others are passed over (RFC 7517 section 5). */
function verificationKey(jwk: unknown, tenantId: string): { keyId: string; key: KeyObject } | undefined {
  if (!isPlainObject(jwk) || typeof jwk['kid'] !== 'string' || !mayVerify(jwk, tenantId)) return undefined;
  const key = publicKey(jwk);
  return key !== undefined && isStrong(key) ? { keyId: jwk['kid'], key } : undefined;
}

function mayVerify(
  { kty, use, key_ops: operations, alg, issuer }: Record<string, unknown>,
  tenantId: string,
) {
  return (
    kty === 'RSA' &&
    (use === undefined || use === 'sig') &&
    (operations === undefined || (Array.isArray(operations) && operations.includes('verify'))) &&
    (alg === undefined || alg === 'RS256') &&
    (issuer === undefined || isForTenant(issuer, tenantId))
  );
}

/** Keys may be bound to an issuer: to the template of every tenant, or to one tenant. */
function isForTenant(issuer: unknown, tenantId: string): boolean {
  const parts = typeof issuer === 'string' ? issuer.split('/') : [];
  return parts.includes(tenantTemplate) || parts.includes(tenantId);
}

function publicKey({ kty, n, e }: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty, n, e } as JsonWebKey, format: 'jwk' });
  } catch (error) {
    // Not a key; a set with one broken member is still good for the others.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

function isStrong({ asymmetricKeyDetails }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  return modulusLength >= minimumBits && publicExponent >= 3n && publicExponent % 2n === 1n;
}
