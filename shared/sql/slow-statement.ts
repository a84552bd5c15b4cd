/** Statements that take too long: how far they had come, and the error that names what of the customer is slow. */

import { CodedError, type ErrorOptions, isCodedError } from '../errors.ts';

const prefix = '$step ';

/** The step behind all that can be undone. */
const commitStep = 'commit';

/** Returns the statement that tells at once, before results that the server still keeps, which of several steps begins. */
export function beginStep(step: number | typeof commitStep): string {
  return `RAISERROR(N'${prefix}${step}', 0, 1) WITH NOWAIT;`;
}

/** Stands before the COMMIT of a change with an outcome: one that is ended in an earlier step has changed nothing. */
export const beginCommit = beginStep(commitStep);

/** Returns the step that a message of the server tells; undefined for other messages. */
export function stepOf(message: string): string | undefined {
  return message.startsWith(prefix) ? message.slice(prefix.length) : undefined;
}

interface TimeoutFacts {
  /** The step that had begun last. */
  readonly step: string | undefined;
  /** Milliseconds for which it was worked on. */
  readonly ranMs: number;
  /** Whether it is a change with an outcome. */
  readonly isChange: boolean;
}

/** The driver's error of a statement that took too long, and that the server has ended when it was told to. */
export class StatementTimeout extends Error {
  readonly code = 'ETIMEOUT';
  /** The number of the step that had begun last; undefined before the first. */
  readonly step: number | undefined;
  readonly ranMs: number;
  /** Whether it was ended in a step before its COMMIT, so that it has changed nothing. */
  readonly isUndone: boolean;

  constructor(cause: Error, { step, ranMs, isChange }: TimeoutFacts) {
    super(cause.message, { cause });
    this.name = cause.name;
    this.step = step === undefined || step === commitStep ? undefined : Number(step);
    this.ranMs = ranMs;
    this.isUndone = isChange && this.step !== undefined;
  }
}

/** Milliseconds after which a source is slow; one that had less time has lost it elsewhere. */
const slowMs = 5_000;

/** Returns the timeout that a failed statement had, where it ran for long. */
export function timeoutOf(error: unknown): StatementTimeout | undefined {
  const cause = isCodedError(error, 'database-busy') ? error.cause : undefined;
  return cause instanceof StatementTimeout && cause.ranMs >= slowMs ? cause : undefined;
}

/** Returns the step, before the COMMIT of a change, in which a statement was ended since it took too long; undefined for other failures. */
export function undoneStepOf(error: unknown): number | undefined {
  const cause = isCodedError(error, 'database-busy') ? error.cause : undefined;
  return cause instanceof StatementTimeout && cause.isUndone ? cause.step : undefined;
}

/** What is slow: `name` is that of a view or procedure. */
export interface SlowSource {
  /** What cannot be done, such as `read the custom data "invoice"`. */
  readonly action: string;
  readonly name: string;
  /** What has become of it, in a sentence. */
  readonly outcome?: string;
}

/** Creates the error for a view or procedure of the customer that takes too long. */
export function sourceTimeout(
  cause: StatementTimeout,
  { action, name, outcome = '' }: SlowSource,
  options: Omit<ErrorOptions<'custom-source-timeout'>, 'cause'> = {},
): CodedError {
  const seconds = Math.floor(cause.ranMs / 1_000);
  return new CodedError(
    'custom-source-timeout',
    `Cannot ${action}: ${name} was ended, since it took more than ${seconds} seconds.${outcome}`,
    { ...options, cause },
  );
}

/** Returns what explains the failure of a statement that reads one view or procedure: it throws `custom-source-timeout`, and other errors as they are. */
export function explainTimeout(source: SlowSource): (error: unknown) => never {
  return (error) => {
    const timeout = timeoutOf(error);
    throw timeout === undefined ? error : sourceTimeout(timeout, source);
  };
}
