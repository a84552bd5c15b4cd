/** From the issuer's metadata and key documents to keys that may verify tokens. */

import { createPublicKey, type KeyObject } from 'node:crypto';
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
  const keys = await fetchKeys(jwksUri, tenantId, signal);
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

/**
 * Returns the public keys of the set that may verify signatures of this tenant, by key id; others are passed over (RFC 7517 section 5).
 * jwks-rsa is loaded on first use: it takes longer to load than the whole app may take to start.
 */
async function fetchKeys(
  url: URL,
  tenantId: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, KeyObject>> {
  const { default: jwksRsa } = await import('jwks-rsa');
  const fetcher = async () => ({ keys: verificationKeys(await fetchJson(url, signal), tenantId) });
  // The cache for all keys of an issuer is key-set.ts (docs/decisions/packages.md, "What is ours, and why").
  const client = jwksRsa({ jwksUri: url.href, cache: false, rateLimit: false, fetcher });
  const signingKeys = await client.getSigningKeys();
  const keys = signingKeys.map(({ kid, getPublicKey }) => [kid, createPublicKey(getPublicKey())] as const);
  return new Map(keys.filter(([, key]) => isStrong(key)));
}

/** Returns the members of a document of keys that have an id and may verify signatures of this tenant. */
function verificationKeys(document: unknown, tenantId: string): Record<string, unknown>[] {
  const { keys } = isPlainObject(document) ? document : {};
  const members = Array.isArray(keys) ? keys.filter(isPlainObject) : [];
  return members.filter((jwk) => typeof jwk['kid'] === 'string' && mayVerify(jwk, tenantId));
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

function isStrong({ asymmetricKeyDetails }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  return modulusLength >= minimumBits && publicExponent >= 3n && publicExponent % 2n === 1n;
}
