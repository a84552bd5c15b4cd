/** What errors of the driver say about the server. */

import { expect, test } from 'vitest';
import { CodedError } from '../../../../shared/errors.ts';
import { isAnswer, noAnswer } from '../../../../shared/sql/classify-failure.ts';

const driverError = (message: string, facts: object) => Object.assign(new Error(message), facts);

test.each([
  [
    'an error of a statement',
    driverError('Invalid object name.', { name: 'RequestError', number: 208 }),
    true,
  ],
  [
    'a statement that was cancelled',
    driverError('Canceled.', { name: 'RequestError', code: 'ECANCEL' }),
    true,
  ],
  ['a refused login', driverError('Login failed.', { name: 'ConnectionError', code: 'ELOGIN' }), true],
  [
    'a connection that was not opened',
    driverError('Failed to connect.', { name: 'ConnectionError', code: 'ETIMEOUT' }),
    false,
  ],
  [
    'a pool that gives no connection in time',
    new Error('Failed to acquire a connection from the pool'),
    false,
  ],
  ['a pool that was given up while one waited', new Error('aborted'), false],
  [
    'a pool that was given up before its statement was sent',
    driverError('Connection is closing', { name: 'ConnectionError', code: 'ENOTOPEN' }),
    false,
  ],
  [
    'a connection that broke',
    driverError('Connection lost', { name: 'RequestError', code: 'ESOCKET' }),
    false,
  ],
  [
    'a statement that ended at its limit',
    driverError('Timeout: Request failed to complete in 6500ms', { name: 'RequestError', code: 'ETIMEOUT' }),
    true,
  ],
  [
    'a reply of too many bytes',
    new CodedError('reply-too-large', 'Cannot answer.', { facts: { limit: 1 } }),
    true,
  ],
  ['a cancel that nobody confirms', noAnswer(), false],
] as const)('isAnswer() of %s', (_what, error, expected) => {
  expect(isAnswer(error)).toBe(expected);
});
