import { randomUUID } from 'node:crypto';

const wellFormed = /^[A-Za-z0-9._-]{1,64}$/;

/** Returns the id of a request: the one in `X-Request-Id` when it is well-formed, else a new one. */
export function requestId(headers: Headers): string {
  const given = headers.get('x-request-id');
  return given !== null && wellFormed.test(given) ? given : randomUUID();
}
