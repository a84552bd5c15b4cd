import { expect, test } from 'vitest';
import { refuse } from '../../../../shared/auth/refusal.ts';
import { CodedError } from '../../../../shared/errors.ts';
import { errorHeaders, problemReply } from '../../../../shared/http/problem.ts';

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

test('a problem repeats no more of what was sent than a thousand characters of each pointer', () => {
  const context = { id: '1', route: { endpoints: [] } } as unknown as Parameters<typeof problemReply>[2];
  const errors = [{ pointer: `/${'a'.repeat(2_000_000)}`, detail: 'is too long' }];
  const reply = problemReply(new CodedError('invalid-body', 'Cannot read it.', { errors }), 400, context);
  expect(reply.body).toMatchObject({
    json: { errors: [{ pointer: `/${'a'.repeat(999)}`, detail: 'is too long' }] },
  });
});
