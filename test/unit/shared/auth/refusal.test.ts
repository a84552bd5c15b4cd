import { describe, expect, test } from 'vitest';
import { actingAccount, type Caller } from '../../../../shared/auth/caller.ts';
import { isRefusal, type RefusalCode, refuse } from '../../../../shared/auth/refusal.ts';
import { CodedError } from '../../../../shared/errors.ts';

function thrownBy(work: () => unknown): CodedError {
  try {
    work();
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown');
}

const token = { error: 'invalid_token', description: 'it is so' };
const expected: Record<RefusalCode, { challenge: object; hint: string | undefined }> = {
  'credentials-missing': {
    challenge: {},
    hint: 'Send an access token in the header "Authorization: Bearer <token>".',
  },
  'credentials-malformed': {
    challenge: { error: 'invalid_request', description: 'it is so' },
    hint: undefined,
  },
  'token-invalid': { challenge: token, hint: undefined },
  'token-expired': { challenge: token, hint: 'Get a new access token and try again.' },
  'token-without-email': { challenge: token, hint: undefined },
  'application-without-role': { challenge: token, hint: undefined },
  'user-unknown': { challenge: token, hint: undefined },
  'user-bound': { challenge: token, hint: undefined },
  'client-refused': { challenge: {}, hint: undefined },
  'https-required': { challenge: {}, hint: undefined },
};

describe('refuse()', () => {
  test.each(Object.entries(expected) as [RefusalCode, (typeof expected)[RefusalCode]][])(
    'says of %s what is challenged and what to do',
    (code, { challenge, hint }) => {
      const cause = new Error('inner');
      const identity = { objectId: 'o', tenantId: 't', tokenId: 'u' };
      const error = thrownBy(() => refuse(code, 'it is so', { cause, identity }));
      expect({ ...error, cause: error.cause }).toEqual({
        name: 'CodedError',
        kind: 'unauthenticated',
        code,
        hint,
        errors: undefined,
        facts: { challenge, reason: 'it is so', identity },
        retryAfter: undefined,
        cause,
      });
      expect(error.message).toBe('Cannot authenticate the request: it is so.');
      expect(isRefusal(error)).toBe(true);
    },
  );
});

describe('the log of a refused caller', () => {
  const caller: Caller = {
    kind: 'user',
    roles: [],
    objectId: 'the-object',
    tenantId: 'the-tenant',
    tokenId: 'the-token',
  };

  test.each([
    ['token-without-email', caller],
    ['application-without-role', { ...caller, kind: 'application' }],
  ] as const)('names whose token it was: %s', (code, refused) => {
    expect(thrownBy(() => actingAccount(refused))).toMatchObject({
      code,
      facts: { identity: { objectId: 'the-object', tenantId: 'the-tenant', tokenId: 'the-token' } },
    });
  });
});
