/** Signs in clients that know only passwords: name and password are the id and a secret of an app registration. */

import { createHmac, randomBytes } from 'node:crypto';
import { createCache, loadThrough } from '../cache.ts';
import { CodedError } from '../errors.ts';
import { isSecure } from './authority.ts';
import type { Caller, Credentials } from './caller.ts';
import { isRefusal, refuse } from './refusal.ts';
import type { GrantedToken, RequestToken } from './token-endpoint.ts';
import type { TokenVerifier } from './token-verifier.ts';

export interface ClientSignInOptions {
  readonly requestToken: RequestToken;
  readonly verifier: Pick<TokenVerifier, 'verify'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Returns the caller whose token a client is granted. `url` is that of the request. Throws `RefusalCode`, `too-many-sign-ins` or `token-endpoint-unavailable`. */
export type ClientSignIn = (credentials: Credentials, url: URL) => Promise<Caller>;

const maxPairs = 1_000;
const minute = 60_000;
const limits = { perName: 10, inAll: 60, window: minute };
/** A pair that was right this recently is no guess: it does not count, so that the guesses of others never lock it out. */
const acceptedFor = 24 * 60 * minute;

/** Creates the sign-in. Pairs are remembered only by a hash under a key that this process has made. */
export function createClientSignIn({
  requestToken,
  verifier,
  now = Date.now,
}: ClientSignInOptions): ClientSignIn {
  const key = randomBytes(32);
  const tokens = createCache<string, Promise<GrantedToken>>({ maxEntries: maxPairs, now });
  const accepted = createCache<string, true>({ maxEntries: maxPairs, ttl: acceptedFor, now });
  const refused = createCache<string, true>({ maxEntries: maxPairs, ttl: minute, now });
  const attempts = createAttempts(limits, now);

  async function exchange(credentials: Credentials, pair: string): Promise<GrantedToken> {
    const takeBack = accepted.get(pair) === undefined ? startAttempt(credentials.name) : () => {};
    const granted = await requestToken(credentials);
    if (granted === undefined) {
      accepted.delete(pair);
      refused.set(pair, true);
      return wrongPair();
    }
    takeBack();
    accepted.set(pair, true);
    return granted;
  }

  function startAttempt(name: string): () => void {
    const started = attempts.start(name.toLowerCase());
    if (typeof started === 'function') return started;
    const message = 'Cannot sign in: too many wrong passwords were tried.';
    throw new CodedError('too-many-sign-ins', message, { retryAfter: started });
  }

  return async (credentials, url) => {
    if (!isSecure(url)) refuse('https-required', 'a password is taken over https only');
    const pair = createHmac('sha256', key)
      .update(`${credentials.name}:${credentials.password}`)
      .digest('base64');
    if (refused.get(pair) !== undefined) wrongPair();
    const { token } = await loadThrough(
      tokens,
      pair,
      () => exchange(credentials, pair),
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

export interface AttemptLimits {
  /** Attempts for one name within the window, at most. */
  readonly perName: number;
  /** Attempts for all names within the window, at most, and the number that is remembered. */
  readonly inAll: number;
  /** Milliseconds. */
  readonly window: number;
}

export interface Attempts {
  /** Counts an attempt, and returns what takes it back. When there were too many it returns the seconds until the next may be made. */
  start(name: string): (() => void) | number;
}

/** Creates a counter. `now` is in milliseconds since 1970. */
export function createAttempts({ perName, inAll, window }: AttemptLimits, now: () => number): Attempts {
  let recent: readonly { readonly name: string; readonly at: number }[] = [];
  return {
    start(name) {
      recent = recent.filter(({ at }) => at > now() - window);
      const ofName = recent.filter((item) => item.name === name);
      const first = recent.length >= inAll ? recent[0] : ofName.length >= perName ? ofName[0] : undefined;
      if (first !== undefined) return Math.max(1, Math.ceil((first.at + window - now()) / 1000));
      const attempt = { name, at: now() };
      recent = [...recent, attempt];
      return () => {
        recent = recent.filter((item) => item !== attempt);
      };
    },
  };
}
