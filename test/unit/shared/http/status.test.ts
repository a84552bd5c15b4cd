import { expect, test } from 'vitest';
import type { ErrorKind } from '../../../../shared/errors.ts';
import { statusOf } from '../../../../shared/http/status.ts';

const statuses: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  gone: 410,
  'length-required': 411,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-media-type': 415,
  unprocessable: 422,
  'too-many-requests': 429,
  misconfigured: 500,
  unavailable: 503,
};

test.each(Object.entries(statuses) as [ErrorKind, number][])('statusOf() of %s is %i', (kind, status) => {
  expect(statusOf(kind)).toBe(status);
});
