/** Verifies the Entra ID access tokens with which clients log in, against the keys that an issuer publishes. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';

/** What a token for Azure SQL says as its audience. */
export const AUDIENCE = 'https://database.windows.net/';

const FETCH_TIMEOUT = 5_000;

/** Returns who the bearer is; throws when the token is not good, with the reason. */
export type TokenVerifier = (token: string) => Promise<string>;

interface Published {
  readonly issuer: string;
  readonly keys: ReadonlyMap<string, KeyObject>;
}

/**
 * Returns a verifier of tokens of one issuer (its address, under which `.well-known/openid-configuration` stands):
 * signed with RS256 by one of its keys, for our audience, by that issuer, valid now.
 * Keys are fetched at the first token and again when a token names an unknown key.
 */
export function tokenVerifier(address: string): TokenVerifier {
  let published: Promise<Published> | undefined;
  const fetchAgain = () => {
    published = fetchPublished(address);
    published.catch(() => {
      published = undefined;
    });
    return published;
  };
  return async (token) => {
    const id = keyId(token);
    let { issuer, keys } = await (published ?? fetchAgain());
    if (!keys.has(id)) ({ issuer, keys } = await fetchAgain());
    const key = keys.get(id);
    if (!key) throw new Error(`the issuer has no key ${JSON.stringify(id)}`);
    const claims = jwt.verify(token, key, {
      algorithms: ['RS256'],
      audience: [AUDIENCE, AUDIENCE.slice(0, -1)],
      issuer: [issuer, `${issuer}/`],
    });
    return bearer(claims);
  };
}

function keyId(token: string): string {
  const id = jwt.decode(token, { complete: true })?.header.kid;
  if (!id) throw new Error('it is no token that names its key');
  return id;
}

async function fetchPublished(address: string): Promise<Published> {
  const configuration = await fetchJson(`${address.replace(/\/+$/, '')}/.well-known/openid-configuration`);
  const { issuer, jwks_uri: keysAddress } = configuration;
  const { keys } = await fetchJson(String(keysAddress));
  if (typeof issuer !== 'string' || !Array.isArray(keys))
    throw new Error(`the issuer at ${address} publishes no keys`);
  return { issuer, keys: new Map(keys.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })])) };
}

async function fetchJson(address: string): Promise<Record<string, unknown>> {
  const response = await fetch(address, { signal: AbortSignal.timeout(FETCH_TIMEOUT) });
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
}

/** The bearer's name as SQL Server shows it: a user's principal name, or the application's id and tenant. */
function bearer(claims: string | jwt.JwtPayload): string {
  if (typeof claims === 'string') throw new Error('its payload is no object');
  if (typeof claims.exp !== 'number') throw new Error('it has no expiry');
  const { upn, preferred_username: preferred, email, appid, azp, tid, sub } = claims;
  const application = appid ?? azp;
  return String(upn ?? preferred ?? email ?? (application ? `${application}@${tid ?? ''}` : sub));
}
