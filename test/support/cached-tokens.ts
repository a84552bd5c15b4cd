/** Tokens of a test file: to sign one costs more than most calls. */

import type { Identity } from '../../local/index.ts';

/**
 * Returns a function that issues tokens as the issuer does, without roles those of the sample user. It issues one for each user and roles,
 * as long as the issuer signs with the same key.
 */
export function cachedTokens(issuer: () => Identity) {
  const tokens = new Map<string, string>();
  return (email: string, roles?: readonly string[]): string => {
    const { keyRing, issueToken } = issuer();
    const key = JSON.stringify([keyRing.current().keyId, email, roles ?? null]);
    const token = tokens.get(key) ?? issueToken({ email, ...(roles === undefined ? {} : { roles }) });
    tokens.set(key, token);
    return token;
  };
}
