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
    'a failure with its causes',
    {
      event: 'failure',
      requestId: 'r-1',
      error: { stack: 'Error: a\n    at b', cause: { message: 'c', cause: 'd' } },
    },
    'Failure [r-1]: Error: a\n    at b\nCaused by: c\nCaused by: d',
  ],
])('textOf() writes %s', (_what, entry, text) => {
  expect(textOf(entry)).toBe(text);
});
