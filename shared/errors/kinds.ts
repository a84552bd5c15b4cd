/** The kinds of errors, seen from the caller: each has one HTTP status (RFC 9110 15). */

// An `import` of it loads the whole of fetch, which takes a script that starts longer than Node itself.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

const statuses = {
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
  'not-implemented': 501,
  misconfigured: 500,
  unavailable: 503,
  overloaded: 503,
} as const;

export type ErrorKind = keyof typeof statuses;

/** Returns the HTTP status of a kind of error. */
export function statusOf(kind: ErrorKind): number {
  return statuses[kind];
}

/** Returns the title of a status: its standard phrase, the same for every occurrence. */
export function titleOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}
