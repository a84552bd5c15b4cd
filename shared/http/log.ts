/** The log: one JSON object per line on standard output. Never tokens, e-mail addresses, bodies or SQL values. */

import type { Identity } from '../errors/codes.ts';
import type { CodedError } from '../errors.ts';

export interface RequestEntry {
  readonly requestId: string;
  readonly method: string;
  /** The template of the path, not the path: identifiers stay out of the log. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Who a good token was issued to. */
  readonly identity: Identity | undefined;
  /** What the reply says went wrong. */
  readonly error: CodedError | undefined;
}

/** Writes the line of one request: of an error its code, and the reason where credentials were refused. */
export function logRequest({ milliseconds, identity, error, ...entry }: RequestEntry): void {
  write({
    event: 'request',
    ...entry,
    milliseconds: Math.round(milliseconds * 10) / 10,
    ...(error === undefined ? identity : failed(error, identity)),
  });
}

function failed({ code, facts }: CodedError, identity: Identity | undefined) {
  const { reason, identity: refused } = 'reason' in facts ? facts : {};
  return { code, ...(reason === undefined ? {} : { reason }), ...(identity ?? refused) };
}

/** Writes an unexpected failure in full, with its causes; without an id when it belongs to no request. */
export function logFailure(requestId: string | undefined, error: unknown): void {
  write({ event: 'failure', requestId, error: described(error) });
}

let pending = '';

/** Lines of one turn of the event loop go out together: a write to a pipe stops the process until it is done. */
function write(entry: Readonly<Record<string, unknown>>): void {
  if (pending === '') setImmediate(flush);
  pending += `${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`;
}

function flush(): void {
  const lines = pending;
  pending = '';
  if (lines !== '') process.stdout.write(lines);
}

process.on('exit', flush);

function described(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, cause } = error;
  // An error whose message may hold values of users says itself what may be written.
  const message = 'logged' in error ? String(error.logged) : error.message;
  const stack = error.stack?.replace(error.message, () => message);
  const code = 'code' in error ? { code: error.code } : {};
  const number = 'number' in error ? { number: error.number } : {};
  return {
    name,
    message,
    ...code,
    ...number,
    stack,
    ...(cause === undefined ? {} : { cause: described(cause) }),
  };
}
