/** Coded errors: domain code throws them with facts; one place (`shared/http`) turns them into replies. */

import { type ErrorCode, errorCodes, type FactsOf } from './errors/codes.ts';
import { type ErrorKind, statusOf } from './errors/kinds.ts';

/** One invalid place in the input: `pointer` is a JSON pointer (RFC 6901), or the name of a parameter. */
export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

interface CommonOptions {
  /** What the caller can do about it. */
  readonly hint?: string;
  /** Every invalid place, where there can be several. */
  readonly errors?: readonly FieldError[];
  /** Seconds until a new attempt makes sense; sent as `Retry-After`. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

type Facts<Code extends ErrorCode> =
  Record<never, never> extends FactsOf<Code>
    ? { readonly facts?: FactsOf<Code> }
    : { readonly facts: FactsOf<Code> };

/** Facts are identifiers and numbers of this occurrence, safe to show: never a token, SQL text, server name or e-mail. */
export type ErrorOptions<Code extends ErrorCode> = CommonOptions & Facts<Code>;

/** Options may be left out where the code needs no facts. */
type OptionalOptions<Code extends ErrorCode> =
  Record<never, never> extends ErrorOptions<Code>
    ? [options?: ErrorOptions<Code>]
    : [options: ErrorOptions<Code>];

/**
 * A condition with a stable code. `message` is shown to callers, so it names the action that failed and
 * what was found, and nothing that is internal. Everything else that is thrown is an unknown failure:
 * logged whole, answered as a plain 500.
 */
export class CodedError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  readonly kind: ErrorKind;
  readonly hint: string | undefined;
  readonly errors: readonly FieldError[] | undefined;
  readonly facts: FactsOf<Code>;
  readonly retryAfter: number | undefined;

  constructor(code: Code, message: string, ...[options]: OptionalOptions<Code>) {
    const { hint, errors, facts, retryAfter, ...rest } = options ?? ({} as ErrorOptions<Code>);
    const { kind } = errorCodes[code];
    const { stackTraceLimit } = Error;
    // A stack trace costs as much as the rest of a rejection.
    if (!isFailure({ kind, cause: rest.cause })) Error.stackTraceLimit = 0;
    super(message, rest);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'CodedError';
    this.code = code;
    this.kind = kind;
    this.hint = hint;
    this.errors = errors;
    this.facts = facts ?? ({} as FactsOf<Code>);
    this.retryAfter = retryAfter;
  }
}

/** Checks whether an error is a coded one, optionally of the given code. */
export function isCodedError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is CodedError<Code> {
  return error instanceof CodedError && (code === undefined || error.code === code);
}

/** Checks whether a request failed because of the service, so that the log has the error in full, with its stack. Load shedding is no failure. */
export function isFailure({ kind, cause }: Pick<CodedError, 'kind' | 'cause'>): boolean {
  return statusOf(kind) >= 500 && !(kind === 'overloaded' && cause === undefined);
}
