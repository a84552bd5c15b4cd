/** Coded errors: domain code throws them with facts; one place (`shared/http`) turns them into replies. */

/** What went wrong, seen from the caller; each kind has one HTTP status (`shared/http/status.ts`). */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'gone'
  | 'length-required'
  | 'precondition-failed'
  | 'too-large'
  | 'unsupported-media-type'
  | 'unprocessable'
  | 'too-many-requests'
  | 'misconfigured'
  | 'unavailable';

/** One faulty place in the input: `pointer` is a JSON pointer (RFC 6901), or the name of a parameter. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

export interface ErrorOptions {
  /** What the caller can do about it. */
  readonly hint?: string;
  /** Every faulty place, where there can be several. */
  readonly errors?: readonly Fault[];
  /** Identifiers and numbers of this occurrence, safe to show: never a token, SQL text, server name or e-mail. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Seconds until a new try makes sense; sent as `Retry-After`. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/**
 * A condition with a stable code. `message` is shown to callers, so it names the action that failed and
 * what was found, and nothing that is internal. Everything else that is thrown is an unknown failure:
 * logged whole, answered as a plain 500.
 */
export class CodedError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly hint: string | undefined;
  readonly errors: readonly Fault[] | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly retryAfter: number | undefined;

  constructor(kind: ErrorKind, code: string, message: string, options: ErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'CodedError';
    this.kind = kind;
    this.code = code;
    this.hint = options.hint;
    this.errors = options.errors;
    this.facts = options.facts ?? {};
    this.retryAfter = options.retryAfter;
  }
}

/** Tells whether an error is a coded one, optionally with the given code. */
export function isCodedError(error: unknown, code?: string): error is CodedError {
  return error instanceof CodedError && (code === undefined || error.code === code);
}
