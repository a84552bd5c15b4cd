/** Verifies signature, issuer, audience and life time of a token (the only importer of jsonwebtoken). */

import type { KeyObject } from 'node:crypto';
import { refuse } from './refusal.ts';
import { isPlainObject } from './token-parts.ts';

export interface TokenExpectation {
  readonly issuer: string;
  /** The token must be meant for one of these, compared whole. */
  readonly audiences: readonly [string, ...string[]];
  /** Seconds since 1970. */
  readonly now: number;
  /** Seconds by which clocks may differ. */
  readonly clockTolerance: number;
}

// What the library says holds the expected values, so callers get words of ours.
const reasons: readonly [RegExp, string][] = [
  [/^jwt audience /, 'the audience of the token is not accepted'],
  [/^jwt issuer /, 'the issuer of the token is not accepted'],
  [/^jwt not active/, 'the token is not valid yet'],
  [/signature/, 'the signature of the token is not valid'],
];

/** Loads the library ahead of the first token: it is too slow to load while the app starts. */
export async function loadSignatureLibrary() {
  const { default: library } = await import('jsonwebtoken');
  return library;
}

/** Returns the claims of a token that `key` has signed (RS256). Refuses with `token-expired` or `token-invalid`. */
export async function verifiedClaims(
  token: string,
  key: KeyObject,
  { issuer, audiences, now, clockTolerance }: TokenExpectation,
): Promise<Readonly<Record<string, unknown>>> {
  const library = await loadSignatureLibrary();
  const claims = verify();
  return isPlainObject(claims) ? claims : refuse('token-invalid', 'the token is not made of JSON objects');

  function verify(): unknown {
    try {
      return library.verify(token, key, {
        algorithms: ['RS256'],
        issuer,
        audience: [...audiences] as [string, ...string[]],
        clockTolerance,
        clockTimestamp: Math.floor(now),
      });
    } catch (error) {
      // Any error of the library (also TypeError and SyntaxError) means that it rejects the token.
      return refuseUnverified(error);
    }
  }
}

function refuseUnverified(error: unknown): never {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' };
  if (name === 'TokenExpiredError') return refuse('token-expired', 'the token has expired', { cause: error });
  const reason = reasons.find(([pattern]) => pattern.test(message))?.[1] ?? 'the token is not valid';
  return refuse('token-invalid', reason, { cause: error });
}
