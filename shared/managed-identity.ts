/** The managed identity of the app, for the database and the tables: one token request at a time, within a deadline of our own (the only importer of @azure/identity). */

import type { AccessToken, TokenCredential } from '@azure/identity';
import { measure } from './telemetry/trace.ts';
import { within } from './time-limit.ts';

/** What asks for access tokens, in the form that the clients of Azure's services take. */
export type Credential = TokenCredential;

/** Milliseconds for one token request. The identity endpoint can hang for good, and ignores abort signals. */
const tokenDeadline = 5_000;

/** Failed to get a token in time, or at all. */
export class TokenFailure extends Error {
  readonly timedOut: boolean;
  constructor(message: string, options: { timedOut: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'TokenFailure';
    this.timedOut = options.timedOut;
  }
}

/**
 * Creates a credential for the app's managed identity, the user-assigned one with that client id if it is not empty.
 * Parallel calls share one request; the library keeps the token itself. `@azure/identity` is loaded on first use.
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
    const token = await within(tokenDeadline, (await credential).getToken(scope), timedOut);
    if (token === null) throw new TokenFailure('The identity endpoint gave no token.', { timedOut: false });
    return token;
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
  return new TokenFailure('The identity endpoint did not answer in time.', { timedOut: true });
}
