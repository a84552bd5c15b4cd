import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../shared/errors/codes.ts';
import { CodedError, isCodedError, isFailure } from '../../../shared/errors.ts';

describe('a coded error', () => {
  test('has a stack when the service failed, and none when it sheds load, since a stack costs more than the rest of the reply', () => {
    const refused = new CodedError('overloaded', 'Cannot answer now.', { retryAfter: 1 });
    const failed = new CodedError('calendar-unavailable', 'Cannot read.', { cause: new Error('inner') });
    expect([refused.stack, failed.stack]).toEqual([
      expect.not.stringContaining('    at '),
      expect.stringContaining('    at '),
    ]);
  });

  test('has the kind of its code, its facts, and a cause only where there is one', () => {
    const cause = new Error('inner');
    const error = new CodedError('configuration', 'The setting X is missing.', {
      facts: { setting: 'X' },
      hint: 'Set it.',
      cause,
    });
    expect({ ...error, cause: error.cause, message: error.message }).toEqual({
      name: 'CodedError',
      code: 'configuration',
      kind: 'misconfigured',
      message: 'The setting X is missing.',
      facts: { setting: 'X' },
      hint: 'Set it.',
      errors: undefined,
      retryAfter: undefined,
      cause,
    });
    expect('cause' in new CodedError('overloaded', 'Too much.')).toBe(false);
  });

  test('is told from others, and by its code', () => {
    const error: unknown = new CodedError('overloaded', 'Too much.');
    expect([isCodedError(error), isCodedError(error, 'overloaded')]).toEqual([true, true]);
    expect([isCodedError(error, 'internal-error'), isCodedError(new Error('x'))]).toEqual([false, false]);
  });
});

test.each<[code: ErrorCode, cause: Error | undefined, isOne: boolean]>([
  ['token-invalid', undefined, false],
  ['object-not-found', undefined, false],
  ['overloaded', undefined, false],
  ['database-busy', undefined, false],
  ['database-busy', new Error('A deadlock.'), true],
  ['database-unavailable', undefined, true],
  ['internal-error', undefined, true],
])('%s with the cause %s is a failure of the service: %s', (code, cause, isOne) => {
  expect(isFailure(new CodedError(code, 'No.', { retryAfter: 1, cause, facts: {} as never }))).toBe(isOne);
});
