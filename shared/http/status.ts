/** The HTTP status of each kind of error, and its standard phrase. */

import type { ErrorKind } from '../errors.ts';

const statuses: Readonly<Record<ErrorKind, number>> = {
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

/** Gives the HTTP status (RFC 9110 15) of a kind of error. */
export function statusOf(kind: ErrorKind): number {
  return statuses[kind];
}
