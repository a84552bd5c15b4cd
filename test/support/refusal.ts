/** What authentication says when it refuses, as one value to compare. */

import { CodedError } from '../../shared/errors.ts';

/** Returns kind, code and challenge of the error that a promise is rejected with; other outcomes as they are. */
export async function refusalOf(outcome: Promise<unknown>): Promise<unknown> {
  try {
    return { accepted: await outcome };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const { kind, code, facts } = error;
    return { kind, code, challenge: 'challenge' in facts ? facts.challenge : undefined };
  }
}

/** The refusal of a token that is not valid, for a reason. */
export function invalidToken(description: string, code = 'token-invalid') {
  return { kind: 'unauthenticated', code, challenge: { error: 'invalid_token', description } };
}
