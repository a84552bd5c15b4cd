/** Errors of SQL Server, and the places they are about. */
import { messageFor } from './messages.ts';

/** Where something stands in a batch; both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** An error as SQL Server reports it. `line` is 0 until the statement that it arose in is known. */
export class SqlError extends Error {
  readonly number: number;
  readonly state: number;
  readonly class: number;
  line: number;
  procedure: string | undefined;
  /** Set for THROW: outside of TRY it ends the batch. */
  endsBatch = false;
  /** Set for RAISERROR and for error 266, which XACT_ABORT does not concern. */
  isRaised = false;

  constructor(number: number, severity: number, state: number, message: string, line = 0) {
    super(message);
    this.number = number;
    this.class = severity;
    this.state = state;
    this.line = line;
  }
}

/** The error `number` of the table, with its text filled by `values`. */
export function sqlError(number: number, ...values: readonly (string | number)[]): SqlError {
  const { severity, text } = messageFor(number, values);
  return new SqlError(number, severity, 1, text);
}

/** The same, for an error whose place is known. */
export function sqlErrorAt(at: Position, number: number, ...values: readonly (string | number)[]): SqlError {
  const error = sqlError(number, ...values);
  error.line = at.line;
  return error;
}

/** The error for a construct that is not supported: it names the construct and its position. */
export function unsupported(construct: string, at: Position): SqlError {
  return sqlErrorAt(at, 40517, construct, at.line, at.column);
}
