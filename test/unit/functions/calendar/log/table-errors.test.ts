/** What each response of Azure Tables becomes. */

import { describe, expect, test } from 'vitest';
import {
  isUnreachable,
  outcomeUnknown,
  TableFailure,
  toTableError,
  unavailable,
} from '../../../../../functions/calendar/log/failure.ts';
import { useFakeClock } from '../../../../support/timers.ts';

interface ErrorResponse {
  readonly statusCode?: number;
  readonly code?: string;
  readonly details?: object;
  readonly response?: object;
}

type Case = [what: string, response: ErrorResponse, reason: TableFailure['reason'], maybeCommitted: boolean];

/** An error as the client throws it. */
const restError = (response: ErrorResponse) =>
  Object.assign(new Error('secret'), { name: 'RestError', ...response });
const single = (code: string) => ({ odataError: { code } });

describe('a response of the tables', () => {
  test('have a reason, and say whether the change may be stored', () => {
    const rows: readonly Case[] = [
      ...[408, 429, 500, 502, 503, 504].map(
        (statusCode): Case => [`with ${statusCode}`, { statusCode }, 'unreachable', true],
      ),
      ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].map(
        (code): Case => [`that never came since nothing was sent: ${code}`, { code }, 'unreachable', false],
      ),
      ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'REQUEST_SEND_ERROR', 'PARSE_ERROR'].map(
        (code): Case => [`that never came: ${code}`, { code }, 'unreachable', true],
      ),
      ['that never came, without a code', {}, 'unreachable', true],
      ['that there is no table', { statusCode: 404, code: 'TableNotFound' }, 'no-table', false],
      [
        'that there is no table, of one row',
        { statusCode: 404, details: single('TableNotFound') },
        'no-table',
        false,
      ],
      ['that there is no row', { statusCode: 404, code: 'ResourceNotFound' }, 'no-row', false],
      [
        'whose inner code counts before the outer one',
        { statusCode: 404, code: 'TableNotFound', details: single('ResourceNotFound') },
        'no-row',
        false,
      ],
      [
        'that the table is being deleted',
        { statusCode: 409, code: 'TableBeingDeleted' },
        'unreachable',
        false,
      ],
      ['that the row is there', { statusCode: 409, code: 'EntityAlreadyExists' }, 'conflict', false],
      [
        'that the row has changed',
        { statusCode: 412, code: 'UpdateConditionNotSatisfied' },
        'conflict',
        false,
      ],
      [
        'of 412 with the code of another status',
        { statusCode: 412, code: 'TableBeingDeleted' },
        'conflict',
        false,
      ],
    ];
    for (const [_what, response, reason, maybeCommitted] of rows) {
      const cause = restError(response);
      const error = toTableError(cause, 'calendar');
      expect(error, _what).toBeInstanceOf(TableFailure);
      expect(error, _what).toMatchObject({
        name: 'TableFailure',
        reason,
        maybeCommitted,
        cause,
        message: `The tables did not carry out a call: ${reason}`,
      });
      expect(isUnreachable(error), _what).toBe(reason === 'unreachable');
    }
  });

  test('with 429 or 503 is known as that of tables that are too busy, and has the time that they named', () => {
    const now = new Date('2030-05-01T10:00:00Z').getTime();
    useFakeClock(now);
    const throttlingOf = (statusCode: number, retryAfter?: string) => {
      const headers = { get: (name: string) => (name === 'retry-after' ? retryAfter : undefined) };
      const error = toTableError(restError({ statusCode, response: { headers } }), 'calendar');
      return (error as TableFailure).throttling;
    };
    const cases: [status: number, retryAfter: string | undefined, milliseconds: number][] = [
      [503, undefined, 0],
      [429, '0', 0],
      [503, '7', 7_000],
      [429, '3600', 30_000],
      [503, 'Wed, 01 May 2030 10:00:05 GMT', 5_000],
      [503, 'Wed, 01 May 2030 09:00:00 GMT', 0],
      [503, 'soon', 0],
    ];
    for (const [status, retryAfter, retryAfterMs] of cases)
      expect(throttlingOf(status, retryAfter), retryAfter).toEqual({ retryAfterMs });
    expect(throttlingOf(500, '7')).toBeUndefined();
    expect(toTableError(restError({ statusCode: 503 }), 'calendar')).toMatchObject({
      throttling: { retryAfterMs: 0 },
    });
  });

  test.each([401, 403])('with %i is one for the operator', (statusCode) => {
    const cause = restError({ statusCode });
    expect(toTableError(cause, 'events')).toMatchObject({
      code: 'calendar-access',
      cause,
      message: 'Cannot use the calendar\'s table "events": the table storage refused access.',
      hint: "Check the connection string, or give the app's identity the role Storage Table Data Contributor.",
    });
  });

  test('with 413 is one for the caller', () => {
    const cause = restError({ statusCode: 413 });
    expect(toTableError(cause, 'events')).toMatchObject({
      code: 'change-too-large',
      cause,
      message: 'Cannot save the change: the storage finds it too large.',
    });
  });

  test.each([
    restError({ statusCode: 400 }),
    restError({ statusCode: 501 }),
    Object.assign(new Error('x'), { statusCode: 503 }),
    { name: 'RestError', statusCode: 503 },
    'text',
  ])('that nobody knows stays as it is: %s', (error) => {
    expect(toTableError(error, 'events')).toBe(error);
    expect(isUnreachable(error)).toBe(false);
  });
});

test('what could not be reached, or told, says so to the caller', () => {
  const cause = new Error('secret');
  expect(unavailable('read the calendar', 'its storage does not answer', cause)).toMatchObject({
    code: 'calendar-unavailable',
    retryAfter: 2,
    cause,
    message: 'Cannot read the calendar: its storage does not answer.',
  });
  expect(outcomeUnknown(cause)).toMatchObject({
    code: 'calendar-outcome-unknown',
    retryAfter: 2,
    cause,
    message:
      'Cannot tell whether the calendar was changed: its storage stopped answering while the change was sent.',
    hint: 'Read the record before trying again.',
  });
});
