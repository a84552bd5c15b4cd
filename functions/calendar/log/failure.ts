/** Failures of the tables, and what callers of the calendar are answered then. */

import { CodedError } from '../../../shared/errors.ts';

/**
 * A call to the tables that did not succeed, for a reason that the log handles: `unreachable` (no answer, or an
 * answer that says to try again), `conflict` (a condition was not met), `no-table` and `no-row` (it does not exist).
 */
export class TableFailure extends Error {
  readonly reason: 'unreachable' | 'conflict' | 'no-table' | 'no-row';
  /** Whether the call may have been carried out all the same: its answer may be what was lost. */
  readonly maybeCommitted: boolean;
  /** Set where the tables answered that they are too busy: they can be reached, and carry out the call later. */
  readonly throttling: Throttling | undefined;

  constructor(
    reason: TableFailure['reason'],
    maybeCommitted: boolean,
    cause: unknown,
    throttling?: Throttling,
  ) {
    super(`The tables did not carry out a call: ${reason}`, { cause });
    this.name = 'TableFailure';
    this.reason = reason;
    this.maybeCommitted = maybeCommitted;
    this.throttling = throttling;
  }
}

/** What tables that are too busy ask of their callers. */
export interface Throttling {
  /** Milliseconds after which the call may be repeated; 0 where the tables named no time. */
  readonly retryAfterMs: number;
}

/** Checks whether the tables could not be reached, so that trying again later makes sense. */
export function isUnreachable(error: unknown): error is TableFailure {
  return error instanceof TableFailure && error.reason === 'unreachable';
}

/** Seconds after which a caller may try again. */
const retryAfter = 2;

/** Composes the error of a read or write that the tables did not answer in time. */
export function unavailable(action: string, found: string, cause?: unknown): CodedError {
  return new CodedError('calendar-unavailable', `Cannot ${action}: ${found}.`, {
    retryAfter,
    cause,
  });
}

/** Composes the error of a write that was sent and whose outcome could not be learnt in time. */
export function outcomeUnknown(cause: unknown): CodedError {
  return new CodedError(
    'calendar-outcome-unknown',
    'Cannot tell whether the calendar was changed: its storage stopped answering while the change was sent.',
    { retryAfter, cause, hint: 'Read the record before trying again.' },
  );
}

/** What the tables' client throws: its RestError, read by shape so that the client need not be loaded. */
interface RestError extends Error {
  /** The service's code for a transaction, or the network's (`ECONNREFUSED`) when there was no answer. */
  readonly code?: string;
  readonly statusCode?: number;
  /** The service's code for a single operation. */
  readonly details?: { readonly odataError?: { readonly code?: string } };
  readonly response?: { readonly headers: { get(name: string): string | undefined } };
}

/** Statuses after which trying again makes sense: time-outs, throttling (`ServerBusy`) and failures of the service. */
const transient = new Set([408, 429, 500, 502, 503, 504]);

/** Those among them that say that the tables work, and have too much to do. */
const throttled = new Set([429, 503]);

/** Milliseconds of a `Retry-After` that count, at most: a mistake in it must not end a process. */
const maxRetryAfterMs = 30_000;

/** Network codes that say that nothing was sent. */
const notSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Translates what a call to the tables threw into a `TableFailure` that the log handles, or into a CodedError.
 * Anything unknown is returned as it is.
 */
export function toTableError(error: unknown, tableName: string): unknown {
  if (!isRestError(error)) return error;
  const { statusCode } = error;
  const code = error.details?.odataError?.code ?? error.code;
  if (statusCode === undefined) return new TableFailure('unreachable', !notSent.has(error.code ?? ''), error);
  if (throttled.has(statusCode)) return new TableFailure('unreachable', true, error, throttlingOf(error));
  if (transient.has(statusCode)) return new TableFailure('unreachable', true, error);
  if (statusCode === 404)
    return new TableFailure(code === 'TableNotFound' ? 'no-table' : 'no-row', false, error);
  if (statusCode === 409 && code === 'TableBeingDeleted')
    return new TableFailure('unreachable', false, error);
  if (statusCode === 409 || statusCode === 412) return new TableFailure('conflict', false, error);
  return refusal(error, statusCode, tableName);
}

/** Reads `Retry-After`: seconds, or a date (RFC 9110, 10.2.3). */
function throttlingOf({ response }: RestError): Throttling {
  const text = response?.headers.get('retry-after') ?? '0';
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return { retryAfterMs: Math.min(maxRetryAfterMs, Math.max(0, milliseconds || 0)) };
}

function isRestError(error: unknown): error is RestError {
  return error instanceof Error && error.name === 'RestError';
}

function refusal(error: RestError, statusCode: number, tableName: string): unknown {
  if (statusCode === 401 || statusCode === 403)
    return new CodedError(
      'calendar-access',
      `Cannot use the calendar's table "${tableName}": the table storage refused access.`,
      {
        cause: error,
        hint: "Check the connection string, or give the app's identity the role Storage Table Data Contributor.",
      },
    );
  if (statusCode === 413)
    return new CodedError('change-too-large', 'Cannot save the change: the storage finds it too large.', {
      cause: error,
    });
  return error;
}
