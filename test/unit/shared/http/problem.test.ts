import { expect, test } from 'vitest';
import { refuse } from '../../../../shared/auth/refusal.ts';
import type { CodedError } from '../../../../shared/errors.ts';
import { errorHeaders } from '../../../../shared/http/problem.ts';

function refusal(description: string): CodedError {
  try {
    return refuse('token-invalid', description);
  } catch (error) {
    return error as CodedError;
  }
}

test('a challenge holds no character that would end its text or its header', () => {
  const context = { route: { endpoints: [] } } as unknown as Parameters<typeof errorHeaders>[2];
  expect(errorHeaders(refusal('it says "a\\b", ü\r\nX: y'), 401, context)).toEqual({
    'WWW-Authenticate': `Bearer realm="records", error="invalid_token", error_description="it says  a b ,    X: y"`,
  });
});
