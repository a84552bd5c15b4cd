import { expect, test } from 'vitest';
import { textOf } from '../../../../shared/telemetry/log-text.ts';

const request = { event: 'request', method: 'GET', path: '/api/x', status: 200, milliseconds: 14.2 };

test.each([
  ['a request', request, 'GET /api/x 200 14 ms'],
  [
    'where its time went',
    {
      ...request,
      parts: {
        sql: { count: 2, milliseconds: 9.4 },
        auth: { count: 1, milliseconds: 0.3 },
        queue: { count: 1, milliseconds: 3 },
        tables: { count: 1, milliseconds: 0.2 },
      },
    },
    'GET /api/x 200 14 ms  sql 2 x 9 ms  queue 1 x 3 ms  tables 1 x 0 ms',
  ],
  [
    'an error, its reason and the id of the request',
    { ...request, status: 401, code: 'user-unknown', reason: 'nobody', requestId: 'r-1' },
    'GET /api/x 401 14 ms  user-unknown: nobody [r-1]',
  ],
  [
    'what SQL Server said of an error',
    {
      ...request,
      status: 500,
      code: 'custom-data-source-failed',
      sqlText: 'SQL error 8134: Divide by zero.',
    },
    'GET /api/x 500 14 ms  custom-data-source-failed: SQL error 8134: Divide by zero.',
  ],
  [
    'a change',
    {
      event: 'change',
      method: 'PATCH',
      kind: 'document',
      id: '5',
      names: ['title', 'bkStr01'],
      status: 200,
      objectId: 'oid',
      requestId: 'r-1',
    },
    'PATCH document 5 200 (title, bkStr01) by oid [r-1]',
  ],
  [
    'a change that failed',
    {
      event: 'change',
      method: 'POST',
      kind: 'event',
      names: [],
      status: 409,
      code: 'conflict',
      objectId: 'oid',
    },
    'POST event  409 conflict by oid',
  ],
  [
    'a failure with its causes',
    {
      event: 'failure',
      requestId: 'r-1',
      error: { stack: 'Error: a\n    at b', cause: { message: 'c', cause: 'd' } },
    },
    'Failure [r-1]: Error: a\n    at b\nCaused by: c\nCaused by: d',
  ],
  [
    'a measurement',
    { event: 'measurement', kind: 'sql', name: 'find user', milliseconds: 4, attributes: { rows: 1 } },
    '  sql find user 4 ms {"rows":1}',
  ],
])('textOf() writes %s', (_what, entry, text) => {
  expect(textOf(entry)).toBe(text);
});
