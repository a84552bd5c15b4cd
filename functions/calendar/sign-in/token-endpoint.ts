/** Calls the issuer's token endpoint with the id and secret that a client sent (RFC 6749 section 4.4). */

import { metadataUrls } from '../../../shared/auth/authority.ts';
import type { Credentials } from '../../../shared/auth/caller.ts';
import { fetchJson, postForm } from '../../../shared/auth/fetch-json.ts';
import { isPlainObject } from '../../../shared/auth/token-parts.ts';
import type { AuthSettings } from '../../../shared/auth/token-verifier.ts';
import { createCache, loadThrough } from '../../../shared/cache.ts';
import { CodedError, isCodedError } from '../../../shared/errors.ts';

/** An access token, and the seconds until it ends. */
export interface GrantedToken {
  readonly token: string;
  readonly lifetime: number;
}

/**
 * Returns the token that a client is granted; undefined when its id or secret is wrong. Throws `token-endpoint-unavailable` without an
 * answer.
 */
export type RequestToken = (credentials: Credentials) => Promise<GrantedToken | undefined>;

/** Milliseconds. */
const timeLimit = 5_000;
const endpointLifetime = 60 * 60 * 1000;
/** The errors by which the issuer refuses an unknown client, or a wrong secret (RFC 6749 section 5.2). */
const refusals = ['invalid_client', 'unauthorized_client', 'invalid_grant'];

/** Creates the function that asks for tokens of version 2.0 for our API; its URL is read from the issuer's metadata. */
export function createTokenRequest(settings: AuthSettings): RequestToken {
  const endpoints = createCache<'endpoint', Promise<URL>>({ maxEntries: 1, ttl: endpointLifetime });

  async function requestToken({ name, password }: Credentials): Promise<GrantedToken | undefined> {
    const signal = AbortSignal.timeout(timeLimit);
    const url = await loadThrough(endpoints, 'endpoint', () => tokenEndpointOf(settings, signal));
    const form = {
      grant_type: 'client_credentials',
      client_id: name,
      client_secret: password,
      scope: `${settings.AppRegistration__ClientId}/.default`,
    };
    const { status, body } = await postForm(url, form, { signal, statuses: [400, 401] });
    if (status !== 200) return mustBeRefusal(body);
    return grantedToken(body);
  }

  return (credentials) =>
    requestToken(credentials).catch((cause: unknown) => {
      if (isCodedError(cause)) throw cause;
      const message = 'Cannot sign in: the identity provider does not answer as it should.';
      throw new CodedError('token-endpoint-unavailable', message, { cause, retryAfter: 10 });
    });
}

/** Secrets are sent only to the scheme and host of the metadata document. */
async function tokenEndpointOf(settings: AuthSettings, signal: AbortSignal): Promise<URL> {
  const { AppRegistration__Authority: authority, AppRegistration__TenantId: tenantId } = settings;
  const metadata = metadataUrls(authority, tenantId)['2.0'];
  const document = await fetchJson(metadata, signal);
  const endpoint = isPlainObject(document) ? document['token_endpoint'] : undefined;
  const url = typeof endpoint === 'string' ? URL.parse(endpoint) : null;
  if (url?.origin === metadata.origin) return url;
  throw new Error('Cannot use the issuer metadata: its token endpoint is on another host');
}

/** The description of an error may quote the secret, so it is not passed on. */
function mustBeRefusal(body: unknown): undefined {
  const code = isPlainObject(body) ? String(body['error']) : '';
  if (refusals.includes(code)) return undefined;
  throw new Error(
    `Cannot get a token: the issuer answered ${/^[a-z_]{1,40}$/.test(code) ? code : 'no code'}`,
  );
}

function grantedToken(body: unknown): GrantedToken {
  const { access_token: token, expires_in: lifetime } = isPlainObject(body) ? body : {};
  if (typeof token === 'string' && Number(lifetime) > 0) return { token, lifetime: Number(lifetime) };
  throw new Error('Cannot get a token: the issuer answered none');
}
