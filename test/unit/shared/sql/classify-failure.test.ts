/** What errors of the driver say about the server. */

import { expect, test } from 'vitest';
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
  ['a cancel that nobody confirms', noAnswer(), false],
] as const)('isAnswer() of %s', (_what, error, expected) => {
  expect(isAnswer(error)).toBe(expected);
});
