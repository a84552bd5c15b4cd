/** Verifies the Entra ID access tokens with which clients log in, against the keys that an issuer publishes. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { JwtPayload } from 'jsonwebtoken';

/** What a token for Azure SQL says as its audience. */
export const AUDIENCE = 'https://database.windows.net/';

const FETCH_TIMEOUT = 5_000;

/** Returns who the bearer is; throws when the token is not good, with the reason. */
export type TokenVerifier = (token: string) => Promise<string>;

interface Published {
  readonly issuers: readonly string[];
  readonly keys: ReadonlyMap<string, KeyObject>;
}

/**
 * Returns a verifier of tokens of one authority (its url, with or without the `/v2.0` of the newer tokens). A token is signed with RS256
 * by one of its keys, for our audience, by that issuer in either version, and valid now. Keys are fetched at the first token, and when a
 * token names an unknown key.
 */
export function tokenVerifier(authority: string): TokenVerifier {
  let published: Promise<Published> | undefined;
  const fetchAgain = () => {
    published = fetchPublished(authority);
    published.catch(() => {
      published = undefined;
    });
    return published;
  };
  return async (token) => {
    // Most servers see no token, and the library takes as long to load as the rest of the server.
    const { default: jwt } = await import('jsonwebtoken');
    const id = jwt.decode(token, { complete: true })?.header.kid;
    if (!id) throw new Error('it is no token that names its key');
    let { issuers, keys } = await (published ?? fetchAgain());
    if (!keys.has(id)) ({ issuers, keys } = await fetchAgain());
    const key = keys.get(id);
    if (!key) throw new Error(`the issuer has no key ${JSON.stringify(id)}`);
    const [first, ...rest] = issuers;
    const claims = jwt.verify(token, key, {
      algorithms: ['RS256'],
      audience: [AUDIENCE, AUDIENCE.slice(0, -1)],
      issuer: [String(first), ...rest],
    });
    return bearer(claims);
  };
}

/** Both versions of the metadata: which one a token is of is up to the issuer. */
async function fetchPublished(authority: string): Promise<Published> {
  const tenant = authority.replace(/\/+$/, '').replace(/\/v2\.0$/, '');
  const versions = await Promise.all([fetchVersion(tenant), fetchVersion(`${tenant}/v2.0`)]);
  return {
    issuers: versions.map(({ issuer }) => issuer),
    keys: new Map(versions.flatMap(({ keys }) => keys)),
  };
}

async function fetchVersion(url: string): Promise<{ issuer: string; keys: [string, KeyObject][] }> {
  const { issuer, jwks_uri } = await fetchJson(`${url}/.well-known/openid-configuration`);
  const { keys } = await fetchJson(String(jwks_uri));
  if (typeof issuer !== 'string' || !Array.isArray(keys)) {
    throw new Error(`the issuer at ${url} publishes no keys`);
  }
  return { issuer, keys: keys.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })]) };
}

async function fetchJson(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
}

/** The bearer's name as SQL Server shows it: a user's principal name, or the application's id and tenant. */
function bearer(claims: string | JwtPayload): string {
  if (typeof claims === 'string') throw new Error('its payload is no object');
  if (typeof claims.exp !== 'number') throw new Error('it has no expiry');
  const { upn, unique_name, preferred_username, appid, azp, tid, sub } = claims;
  const application = appid ?? azp;
  return String(upn ?? unique_name ?? preferred_username ?? (application ? `${application}@${tid}` : sub));
}
