import { CodedError } from '../../errors.ts';

/**
 * A call to the tables that did not succeed, for a reason that the log handles: `unreachable` (no answer, or an
 * answer that says to try again), `conflict` (a condition was not met), `no-table` and `no-row` (it does not exist).
 */
export class TableFailure extends Error {
  readonly reason: 'unreachable' | 'conflict' | 'no-table' | 'no-row';
  /** Whether the call may have been carried out all the same: its answer may be what was lost. */
  readonly maybeCommitted: boolean;

  constructor(reason: TableFailure['reason'], maybeCommitted: boolean, cause: unknown) {
    super(`The tables did not carry out a call: ${reason}`, { cause });
    this.name = 'TableFailure';
    this.reason = reason;
    this.maybeCommitted = maybeCommitted;
  }
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
