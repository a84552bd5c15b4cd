/** What a failure of the driver means: whose it is, whether a new attempt makes sense, and whether anything was changed. */

import type { Connection } from 'mssql';
import { CodedError, isCodedError } from '../errors.ts';
import { SqlFailure } from './failure.ts';
import { StatementTimeout } from './slow-statement.ts';
import { transactionFoundOpen } from './transaction.ts';

export interface Classification {
  readonly error: CodedError | SqlFailure;
  /** When to make another attempt, if at all: `soon` for deadlocks, `later` for what needs a fresh connection and some time. */
  readonly retry: 'never' | 'shortDelay' | 'longDelay';
  /** Certain that the statement changed nothing: it was not sent, or the server said that it was rolled back. */
  readonly notApplied: boolean;
  /** The server could not be reached or signed in to, or is silent: counts for the circuit breaker. */
  readonly connection: boolean;
}

/** Numbers of conditions that pass by themselves (reference of transient errors for Azure SQL Database and SQL Server). */
const transient = new Set([
  615, 921, 926, 997, 3966, 4060, 4221, 8628, 8645, 8651, 10922, 10928, 10929, 10936, 14355, 17197, 18401,
  20041, 40143, 40197, 40501, 40540, 40613, 41301, 41302, 41305, 41325, 41839, 42109, 49918, 49919, 49920,
]);

/** Numbers after which the whole transaction is rolled back and may run again. */
const rolledBack = new Set([1204, 1205, 1222, 3935, 3960]);

/** Numbers of a database, a log, an elastic pool or a disk without space for the change. */
const full = new Set([1101, 1105, 1132, 5149, 9002, 40544]);

const loginRefused = new Set([18452, 18456, 18470, 18486, 18487, 18488]);

/** Codes of a connection that broke while a statement was in flight: those of tedious, and those of the socket. */
const lostCodes = new Set([
  'ESOCKET',
  'ECLOSE',
  'ECONNCLOSED',
  'ENOTOPEN',
  'ETIMEOUT',
  'EINVALIDSTATE',
  'ECANCEL',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETRESET',
]);

/**
 * How the driver begins its message when its pool could not open a connection in time: more are never asked for than it has. The error has
 * neither code nor name. That of a pool that was closed meanwhile is another.
 */
const poolExhausted = 'Failed to acquire a connection from the pool';
const poolClosed = 'aborted';

/** Codes of a login that was refused, and of a statement that ended when it was told to. */
const answerCodes = new Set(['ELOGIN', 'ECANCEL', 'ETIMEOUT']);

/** How the driver begins its message when a statement took too long, and the server did not even answer that it is to end. */
const cancelUnanswered = 'Failed to cancel request';

interface DriverError extends Error {
  readonly code?: unknown;
  readonly number?: unknown;
  readonly procName?: unknown;
  readonly lineNumber?: unknown;
  readonly precedingErrors?: readonly DriverError[];
}

/** Classifies an error of `mssql`. `loginNumber` is the server's number of a refused login, which the driver drops. Errors of another origin are thrown on. */
export function classifyFailure(
  error: unknown,
  loginNumber: number | undefined,
  trusted: boolean,
): Classification {
  if (!(error instanceof Error)) throw error;
  const { name, code, number } = error as DriverError;
  if (error.message.startsWith(poolExhausted) || error.message === poolClosed)
    return { ...transientFailure(unavailable(error), { notApplied: true }), connection: true };
  if (name === 'ConnectionError') return classifyConnection(error, loginNumber, trusted);
  if (typeof number === 'number') return classifyStatement(error, number);
  if (name === 'RequestError' && isSilence(error)) return silent(error);
  if (name === 'RequestError' && lostCodes.has(String(code)))
    return connectionLost(error, code === 'ETIMEOUT');
  throw error;
}

/** Checks whether an error means that the server is silent: it has neither answered nor refused anything. */
export function isSilence(error: unknown): boolean {
  if (isCodedError(error, 'database-unavailable')) return true;
  if (!(error instanceof Error)) return false;
  const { name, message, code } = error as DriverError;
  return (
    message.startsWith(poolExhausted) ||
    message.startsWith(cancelUnanswered) ||
    (name === 'ConnectionError' && code === 'ETIMEOUT')
  );
}

/**
 * Checks whether an error means that the server has answered: with an error of its own, with more than is taken, or by ending the statement
 * that it was told to end. What the driver finds by itself is none: a pool that was given up for its silence fails those who wait in it.
 */
export function isAnswer(error: unknown): boolean {
  if (isCodedError(error, 'reply-too-large')) return true;
  if (!(error instanceof Error) || isSilence(error)) return false;
  const { code, number } = error as DriverError;
  return typeof number === 'number' || answerCodes.has(String(code));
}

/** Creates the error of a statement that has to be given up before the driver does so. */
export function noAnswer(): Error {
  return Object.assign(new Error(`${cancelUnanswered} in time`), { name: 'RequestError', code: 'ETIMEOUT' });
}

function classifyStatement(error: DriverError, number: number): Classification {
  if (rolledBack.has(number) || wasFoundOpen(error))
    return { ...transientFailure(databaseBusy(error), { notApplied: true }), retry: 'shortDelay' };
  if (full.has(number))
    return { error: databaseFull(error, number), retry: 'never', notApplied: true, connection: false };
  if (transient.has(number)) return transientFailure(unavailable(error), { notApplied: false });
  const procedure = typeof error.procName === 'string' && error.procName !== '' ? error.procName : undefined;
  const line = typeof error.lineNumber === 'number' ? error.lineNumber : undefined;
  const failure = new SqlFailure(error.message, { number, procedure, line });
  return { error: failure, retry: 'never', notApplied: true, connection: false };
}

/** Error 266 follows it, and of several errors the driver throws the last. */
function wasFoundOpen({ number, precedingErrors = [] }: DriverError): boolean {
  return [number, ...precedingErrors.map((error) => error.number)].includes(transactionFoundOpen);
}

function classifyConnection(error: Error, loginNumber: number | undefined, trusted: boolean): Classification {
  const codes = codesIn(error);
  if (loginNumber !== undefined && loginRefused.has(loginNumber)) {
    const refused = trusted
      ? misconfigured('DB_TRUSTED_CONNECTION', 'the server refuses the managed identity of this app', error)
      : misconfigured('DB_USER', 'the server refuses the login of DB_USER and DB_PASSWORD', error);
    // A token may have been issued just before the identity got its rights.
    return { error: refused, retry: trusted ? 'longDelay' : 'never', notApplied: true, connection: true };
  }
  for (const [code, [setting, found]] of Object.entries(settingsByCode)) {
    if (codes.has(code) && !codes.has('TokenFailure'))
      return {
        error: misconfigured(setting, found, error),
        retry: 'never',
        notApplied: true,
        connection: true,
      };
  }
  return { ...transientFailure(unavailable(error, loginNumber), { notApplied: true }), connection: true };
}

/** Codes of failures that only a change of the settings mends. */
const settingsByCode: Readonly<Record<string, readonly [setting: string, found: string]>> = {
  ENOTFOUND: ['DB_SERVER', 'no server of that name is known'],
  EINSTLOOKUP: ['DB_SERVER', 'the server knows no instance of that name'],
  EENCRYPT: ['DB_ENCRYPT', 'the server does not agree on encryption'],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'DB_TRUST_SERVER_CERTIFICATE',
    'no known authority has signed the certificate of the server',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'DB_TRUST_SERVER_CERTIFICATE',
    'no known authority has signed the certificate of the server',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'DB_TRUST_SERVER_CERTIFICATE',
    'no known authority has signed the certificate of the server',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: ['DB_SERVER', 'the certificate of the server is for another name'],
  CredentialUnavailableError: [
    'DB_TRUSTED_CONNECTION',
    'there is no token for the managed identity of this app',
  ],
};

/** Gathers the codes and names of an error and of everything it was caused by. */
function codesIn(error: unknown, found = new Set<string>()): Set<string> {
  if (!(error instanceof Error)) return found;
  const { code, name, cause, originalError, errors } = error as DriverError & {
    readonly originalError?: unknown;
    readonly errors?: unknown;
  };
  if (typeof code === 'string') found.add(code);
  found.add(name);
  for (const inner of [cause, originalError, ...(Array.isArray(errors) ? errors : [])]) codesIn(inner, found);
  return found;
}

function connectionLost(cause: Error, timedOut: boolean): Classification {
  const notApplied = cause instanceof StatementTimeout && cause.isUndone;
  return {
    ...transientFailure(timedOut ? databaseBusy(cause) : unavailable(cause), { notApplied }),
    retry: timedOut ? 'never' : 'longDelay',
  };
}

/** The statement may still be running. */
function silent(cause: Error): Classification {
  return { error: unavailable(cause), retry: 'never', notApplied: false, connection: true };
}

function transientFailure(error: CodedError, { notApplied }: { notApplied: boolean }): Classification {
  return { error, retry: 'longDelay', notApplied, connection: false };
}

function databaseBusy(cause: unknown): CodedError {
  return new CodedError('database-busy', 'Cannot use the database: it is too busy at the moment.', {
    cause,
    retryAfter: 2,
  });
}

function databaseFull(cause: unknown, number: number): CodedError {
  return new CodedError('database-full', 'Cannot store the change: the database has no space left.', {
    cause,
    retryAfter: 60,
    facts: { number },
  });
}

function unavailable(cause: unknown, number?: number): CodedError {
  return new CodedError(
    'database-unavailable',
    'Cannot use the database: it is not available at the moment.',
    {
      cause,
      retryAfter: 5,
      ...(number === 4060
        ? {
            hint: 'If this lasts, compare DB_NAME and DB_CUSTOMIZATION_NAME with the databases of the server.',
          }
        : {}),
    },
  );
}

/** Returns the error of a server that has never answered: a wrong address looks like an outage. Without a token no server was asked. */
export function neverReached(error: CodedError): CodedError {
  if (codesIn(error).has('TokenFailure')) return error;
  return new CodedError(
    'database-unavailable',
    'Cannot use the database: its server has not answered since this process started; see the setting DB_SERVER.',
    {
      cause: error.cause ?? error,
      retryAfter: error.retryAfter ?? 5,
      hint: 'If this lasts, check the name and the port of DB_SERVER, and the firewall and the DNS on the way to it.',
    },
  );
}

function misconfigured(setting: string, found: string, cause: unknown): CodedError {
  return new CodedError(
    'database-connection',
    `Cannot connect to the database: ${found}; see the setting ${setting}.`,
    {
      cause,
      facts: { setting },
    },
  );
}

export interface LoginNumbers {
  /** Listens to what the server says until a connection is open. */
  watch(connection: Connection): void;
  /** Whether the server has said anything. */
  readonly any: boolean;
  /** Returns the number of a login that was refused with this message. */
  numberOf(message: string): number | undefined;
}

interface LoginMessage {
  readonly number: number;
  readonly message: string;
}

/** Creates the numbers of a pool. */
export function createLoginNumbers(): LoginNumbers {
  const numbers = new Map<string, number>();
  return {
    // A refused login can bring several messages: the reason first, and last a general one, which becomes the error.
    watch(connection) {
      let reason: number | undefined;
      const note = ({ number, message }: LoginMessage) => {
        reason ??= number;
        numbers.set(message, reason);
      };
      connection.on('errorMessage', note);
      connection.once('connect', () => connection.off('errorMessage', note));
    },
    get any() {
      return numbers.size > 0;
    },
    numberOf: (message) => numbers.get(message),
  };
}
