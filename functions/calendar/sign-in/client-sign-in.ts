/** Signs in clients that can only send a name and a password: the id and a secret of an app registration. */

import { createHmac, randomBytes } from 'node:crypto';
import { isSecure } from '../../../shared/auth/authority.ts';
import type { Caller, Credentials } from '../../../shared/auth/caller.ts';
import { isRefusal, refuse } from '../../../shared/auth/refusal.ts';
import type { TokenVerifier } from '../../../shared/auth/token-verifier.ts';
import { createCache, loadThrough } from '../../../shared/cache.ts';
import { CodedError } from '../../../shared/errors.ts';
import { FairQueue } from '../../../shared/limits/fair-queue.ts';
import type { GrantedToken, RequestToken } from './token-endpoint.ts';

export interface ClientSignInOptions {
  readonly requestToken: RequestToken;
  readonly verifier: Pick<TokenVerifier, 'verify'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** What a password came by. */
export interface SignInOrigin {
  /** URL of the request. */
  readonly url: URL;
  /** Key of the client in the queue, such as its address. */
  readonly client: string;
}

/** Returns the caller whose token a client is granted. Throws `RefusalCode`, `too-many-sign-ins` or `token-endpoint-unavailable`. */
export type ClientSignIn = (credentials: Credentials, origin: SignInOrigin) => Promise<Caller>;

/** Pairs that are cached, at most. */
const maxPairs = 1_000;
/** Milliseconds for which a wrong pair is refused from memory. */
const refusedFor = 60_000;
/** The most exchanges with the issuer that run at once, and that wait, and the milliseconds for which one waits. */
const concurrency = 20;
const maxQueued = 200;
const timeoutMs = 4_000;

/**
 * Creates the sign-in. Pairs are cached only as hashes under a key that this process made. Secrets of app registrations are random and
 * cannot be guessed, so attempts are not counted: a lock would shut out the client whose name they carry. Only exchanges in flight are
 * limited; those that wait are served round robin by client.
 */
export function createClientSignIn({
  requestToken,
  verifier,
  now = Date.now,
}: ClientSignInOptions): ClientSignIn {
  const key = randomBytes(32);
  const tokens = createCache<string, Promise<GrantedToken>>({ maxEntries: maxPairs, now });
  const refused = createCache<string, true>({ maxEntries: maxPairs, ttl: refusedFor, now });
  const exchanges = new FairQueue({ name: 'wait to sign in', concurrency, maxQueued, timeoutMs, rejection });

  async function exchange(credentials: Credentials, client: string, pair: string): Promise<GrantedToken> {
    const granted = await exchanges.run([client], () => requestToken(credentials));
    if (granted !== undefined) return granted;
    refused.set(pair, true);
    return wrongPair();
  }

  return async (credentials, { url, client }) => {
    if (!isSecure(url)) refuse('https-required', 'a password is taken over https only');
    const pair = createHmac('sha256', key)
      .update(`${credentials.name}:${credentials.password}`)
      .digest('base64');
    if (refused.get(pair) !== undefined) wrongPair();
    const { token } = await loadThrough(
      tokens,
      pair,
      () => exchange(credentials, client, pair),
      ({ lifetime }) => lifetime * 1000,
    );
    try {
      return await verifier.verify(`Bearer ${token}`);
    } catch (error) {
      if (isRefusal(error)) tokens.delete(pair);
      throw error;
    }
  };
}

function wrongPair(): never {
  return refuse('client-refused', 'the name or the password is not right');
}

function rejection(): CodedError {
  return new CodedError('too-many-sign-ins', 'Cannot sign in: too many sign-ins are queued.', {
    retryAfter: 2,
  });
}
