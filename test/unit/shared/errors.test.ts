import { describe, expect, expectTypeOf, test } from 'vitest';
import type { ErrorCode, errorCodes } from '../../../shared/errors/codes.ts';
import { type ErrorKind, statusOf, titleOf } from '../../../shared/errors/kinds.ts';
import { CodedError, isCodedError, isFailure } from '../../../shared/errors.ts';

const kinds: Record<ErrorKind, readonly [status: number, title: string]> = {
  invalid: [400, 'Bad Request'],
  unauthenticated: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  'not-found': [404, 'Not Found'],
  'method-not-allowed': [405, 'Method Not Allowed'],
  conflict: [409, 'Conflict'],
  gone: [410, 'Gone'],
  'length-required': [411, 'Length Required'],
  'precondition-failed': [412, 'Precondition Failed'],
  'too-large': [413, 'Payload Too Large'],
  'unsupported-media-type': [415, 'Unsupported Media Type'],
  unprocessable: [422, 'Unprocessable Entity'],
  'too-many-requests': [429, 'Too Many Requests'],
  'not-implemented': [501, 'Not Implemented'],
  misconfigured: [500, 'Internal Server Error'],
  unavailable: [503, 'Service Unavailable'],
  overloaded: [503, 'Service Unavailable'],
};

describe('the kinds of errors', () => {
  test.each(Object.entries(kinds) as [ErrorKind, (typeof kinds)[ErrorKind]][])(
    '%s has a status and a title',
    (kind, [status, title]) => {
      expect([statusOf(kind), titleOf(statusOf(kind))]).toEqual([status, title]);
    },
  );
});

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

/** Whether an error of a code can be created from these arguments. */
type Accepts<Code extends ErrorCode, Arguments extends readonly unknown[]> =
  Arguments extends ConstructorParameters<typeof CodedError<Code>> ? true : false;

describe('the compiler', () => {
  test('refuses codes that are not in the table', () => {
    expectTypeOf<'no-such-code'>().not.toExtend<ErrorCode>();
    expectTypeOf<keyof typeof errorCodes>().toEqualTypeOf<ErrorCode>();
    expectTypeOf<ConstructorParameters<typeof CodedError>[0]>().toEqualTypeOf<ErrorCode>();
  });

  test('asks for the facts of a code', () => {
    expectTypeOf<
      Accepts<'configuration', ['configuration', string, { facts: { setting: string } }]>
    >().toEqualTypeOf<true>();
    expectTypeOf<Accepts<'configuration', ['configuration', string]>>().toEqualTypeOf<false>();
    expectTypeOf<
      Accepts<'configuration', ['configuration', string, { retryAfter: number }]>
    >().toEqualTypeOf<false>();
    expectTypeOf<Accepts<'token-invalid', ['token-invalid', string]>>().toEqualTypeOf<false>();
  });

  test('refuses facts of another type, and facts where there are none', () => {
    expectTypeOf<
      Accepts<'configuration', ['configuration', string, { facts: { setting: number } }]>
    >().toEqualTypeOf<false>();
    expectTypeOf<
      Accepts<'overloaded', ['overloaded', string, { facts: { setting: string } }]>
    >().toEqualTypeOf<false>();
    expectTypeOf<Accepts<'overloaded', ['overloaded', string]>>().toEqualTypeOf<true>();
    expectTypeOf<
      Accepts<'overloaded', ['overloaded', string, { retryAfter: number }]>
    >().toEqualTypeOf<true>();
  });

  test('knows the facts of an error whose code was asked for', () => {
    const error: unknown = new CodedError('custom-data-not-json', 'No.', { facts: { identifier: 'x' } });
    if (!isCodedError(error, 'custom-data-not-json')) throw error;
    expectTypeOf(error.facts.identifier).toBeString();
    expect(error.facts.identifier).toBe('x');
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
