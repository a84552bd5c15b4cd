/** The one way in which authentication says no. */

import type { Challenge, Identity } from '../errors/codes.ts';
import { CodedError, isCodedError } from '../errors.ts';

/** Stable codes of refused credentials; each is answered 401. */
export type RefusalCode =
  | 'credentials-missing'
  | 'credentials-malformed'
  | 'token-invalid'
  | 'token-expired'
  | 'token-without-email'
  | 'application-without-role'
  | 'user-unknown'
  | 'user-bound'
  | 'client-refused'
  | 'https-required';

export interface RefusalOptions {
  readonly cause?: unknown;
  /** Ids of whom the token was issued to, when it is good and something else is wrong. */
  readonly identity?: Identity;
}

/**
 * Throws the refusal of a request's credentials. `reason` is shown to the caller, so it never holds parts of the
 * token or expected values. The facts are `challenge`, and for the log `reason` and `identity` (ids of the caller).
 */
export function refuse(code: RefusalCode, reason: string, { cause, identity }: RefusalOptions = {}): never {
  throw new CodedError(code, `Cannot authenticate the request: ${reason}.`, {
    facts: { challenge: challengeOf(code, reason), reason, ...(identity && { identity }) },
    ...hintFor(code),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Checks whether an error refuses credentials; other errors leave that open. */
export function isRefusal(error: unknown): error is CodedError<RefusalCode> {
  return isCodedError(error) && error.kind === 'unauthenticated';
}

/** What refuses no token has nothing to say of one. */
const withoutToken: readonly RefusalCode[] = ['credentials-missing', 'client-refused', 'https-required'];

function challengeOf(code: RefusalCode, description: string): Challenge {
  if (withoutToken.includes(code)) return {};
  return { error: code === 'credentials-malformed' ? 'invalid_request' : 'invalid_token', description };
}

function hintFor(code: RefusalCode): { hint?: string } {
  if (code === 'credentials-missing')
    return { hint: 'Send an access token in the header "Authorization: Bearer <token>".' };
  return code === 'token-expired' ? { hint: 'Get a new access token and try again.' } : {};
}
