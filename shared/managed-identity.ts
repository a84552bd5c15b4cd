/**
 * The managed identity of the app, for the database and the tables: one token request at a time, within a deadline (the only importer of
 * @azure/identity).
 */

import type { AccessToken, TokenCredential } from '@azure/identity';
import { measure } from './telemetry/trace.ts';
import { withTimeout } from './timing.ts';

/** What asks for access tokens, in the form that the clients of Azure's services take. */
export type Credential = TokenCredential;

/** Milliseconds for one token request. The identity endpoint may never answer, and ignores abort signals. */
const tokenDeadline = 5_000;

/** Milliseconds for which a token must still be good. */
const minValidity = 10_000;

/** Statuses by which the identity endpoint says that the app has no such identity, which no new attempt changes. */
const noSuchIdentity = new Set([400, 401]);

/** The identity endpoint gave no usable token, or not in time; a new attempt may succeed. Known by its name. */
class TokenFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TokenFailure';
  }
}

/**
 * Creates a credential for the app's managed identity, the user-assigned one with that client id if it is not empty.
 * Parallel calls share one request; the library keeps the token itself. `@azure/identity` is loaded on first use.
 * Fails with the library's `CredentialUnavailableError` where the app has no such identity, else with `TokenFailure`.
 */
export function managedIdentity(clientId: string): Credential {
  const running = new Map<string, Promise<AccessToken>>();
  let credential: Promise<TokenCredential> | undefined;

  async function load(): Promise<TokenCredential> {
    const { ManagedIdentityCredential } = await import('@azure/identity');
    return clientId === '' ? new ManagedIdentityCredential() : new ManagedIdentityCredential({ clientId });
  }

  async function request(scope: string): Promise<AccessToken> {
    credential ??= load();
    const token = (await credential).getToken(scope).catch(rethrow);
    return usable(await withTimeout(tokenDeadline, token, timedOut));
  }

  return {
    getToken(scopes) {
      const scope = typeof scopes === 'string' ? scopes : scopes.join(' ');
      const token =
        running.get(scope) ??
        measure('identity', 'get token', { 'app.token.scope': scope }, () => request(scope)).finally(() =>
          running.delete(scope),
        );
      running.set(scope, token);
      return token;
    },
  };
}

function timedOut(): TokenFailure {
  return new TokenFailure('The identity endpoint did not answer in time.');
}

/** The library has one error for an identity that is not there, a busy endpoint, and a page of HTML. */
function rethrow(error: unknown): never {
  if (process.env['IDENTITY_ENDPOINT'] === undefined || noSuchIdentity.has(statusIn(error))) throw error;
  throw new TokenFailure('The identity endpoint gave no token.', error);
}

/** Returns the status that the endpoint answered, as far as the library tells it; else 0. */
function statusIn(error: unknown): number {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error && 'status' in cause ? Number(cause.status) : 0;
}

/** The library takes a token that it cannot read the end of for one that ends now. */
function usable(token: AccessToken | null): AccessToken {
  if (typeof token?.token === 'string' && token.expiresOnTimestamp > Date.now() + minValidity) return token;
  throw new TokenFailure('The identity endpoint gave a token that is not usable.');
}
