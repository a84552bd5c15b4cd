/** One database as the domain sees it: statements that are repeated where that is safe, inside the request's time. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '../errors/codes.ts';
import { CodedError, isCodedError } from '../errors.ts';
import { FairQueue } from '../limits/fair-queue.ts';
import { StallDetector } from '../limits/stall-detector.ts';
import { logFailure } from '../telemetry/log.ts';
import type { Attributes } from '../telemetry/measurement.ts';
import { measure } from '../telemetry/trace.ts';
import { withTimeout } from '../timing.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import {
  type Classification,
  classifyFailure,
  isAnswer,
  isSilence,
  neverReached,
  noAnswer,
} from './classify-failure.ts';
import { SqlFailure } from './failure.ts';
import { callsProcedures } from './foreign-procedures.ts';
import { outcomeUnknown } from './outcome-unknown.ts';
import type { Pool } from './pool.ts';
import { runStatement } from './statement.ts';
import { int, type Parameters, type ResultSet } from './values.ts';

interface ChangeOptions {
  /**
   * Of a change: whether it may run twice without harm. One that is not repeatable runs again only when it is certain that nothing was
   * changed. Where it is not, and no later attempt succeeds, `outcome-unknown` is thrown. Default: the statement is a read.
   */
  readonly repeatable?: boolean;
  /**
   * Of a change that is repeatable: the version that it was decided on. It is the parameter `@repeatedFrom`, which is null until an attempt
   * may have been stored: what others have stored behind that one must not be undone by a later one.
   */
  readonly repeatedFrom?: number;
}

export interface QueryOptions extends ChangeOptions {
  /** What the statement does, in a few words for telemetry. Default: statement. */
  readonly name?: string;
  /**
   * The columns of the result that decides what has become of a change, and comes behind its commit. Results before it are left out. A fault
   * behind it, of whatever kind, is logged, and no error of the change: the results are that one alone then.
   */
  readonly outcome?: readonly string[];
  /**
   * Of a statement of several changes, each with its own commit, whose outcome comes in parts: called with the error of one that took too
   * long, and was ended behind some of them. Default: the outcome is one result.
   */
  readonly onRest?: (error: unknown) => void;
  /** Called with the results, while the statement is still measured. */
  readonly onResults?: (results: readonly ResultSet[]) => void;
}

interface Statement {
  readonly sql: string;
  readonly parameters: Parameters;
  readonly outcome: readonly string[] | undefined;
  readonly onRest: ((error: unknown) => void) | undefined;
}

export interface Database {
  /**
   * Runs a statement in one round trip and returns its result sets. Throws `CodedError` (`database-unavailable` or
   * `database-busy` with a time to come back, `database-connection` naming the setting) or `SqlFailure`.
   */
  query(sql: string, parameters?: Parameters, options?: QueryOptions): Promise<readonly ResultSet[]>;
}

export interface Server {
  readonly pool: Pool;
  readonly breaker: CircuitBreaker;
  readonly trusted: boolean;
  /** Whether the server has ever answered this process. Default: yes. */
  readonly wasReached?: boolean;
  /** Name of the database, for telemetry. Default: none. */
  readonly database?: string;
  /** The queue for the connections of the pool. */
  readonly connections: FairQueue;
  /** Whether the server answers statements. */
  readonly stall: StallDetector;
  /** Asks the server whether it is there, on a connection beyond the pool: statements within their own time may use all of those. */
  readonly isAnswering: () => Promise<boolean>;
  /** Has the next statements open new connections: to both databases, as far as they are silent, since they are on one server. */
  readonly renew: () => void;
  /** Bytes of the results of one statement, at most. */
  readonly maxResultBytes: number;
}

/** Statements that wait for a connection, at most, and milliseconds for which one waits. */
const maxQueued = 500;
const queueTimeoutMs = 5_000;

/** The parts of the connections that one caller and one object use at most, so that slow statements of one leave some to others. */
const callerShare = 0.8;
const objectShare = 0.6;

/** Creates the queue for the connections of a pool. */
export function createConnectionQueue(connections: number): FairQueue {
  const part = (share: number) => Math.max(1, Math.floor(connections * share));
  return new FairQueue({
    name: 'wait for a connection',
    concurrency: connections,
    concurrencyPerKey: [part(callerShare), part(objectShare)],
    maxQueued,
    timeoutMs: queueTimeoutMs,
    rejection: (reason) =>
      new CodedError(
        'database-busy',
        reason === 'full'
          ? 'Cannot use the database: too many statements are queued.'
          : 'Cannot use the database: the statement was queued for too long.',
        { retryAfter: 1 },
      ),
  });
}

/** Creates what finds out whether a server answers its statements. */
export function createStallDetector(): StallDetector {
  return new StallDetector(isAnswer);
}

/** Attempts in all, and delays in milliseconds before a new one; each delay is stretched by up to half at random. */
const maxAttempts = 3;
const delays = { shortDelay: [20, 100], longDelay: [250, 1_000] } as const;

/** Milliseconds kept free for the reply, and for the driver to end a statement that takes too long. */
export const margin = 1_500;

/** Milliseconds by which the limit of the driver comes first, where the server has not begun to answer. */
const driverLead = 100;

/** Milliseconds before the deadline at which a statement is given up that the driver has not ended: it limits each of its steps alone. */
const replyTime = 200;

/** Codes of errors that callers cause by asking for too much. */
const callerErrors = new Set<ErrorCode>(['database-busy', 'reply-too-large']);

/** A database for one request, whose statements must be done by `deadline` (milliseconds since epoch). They wait for a connection as work of `caller`. */
export class RequestDatabase implements Database {
  readonly #server: Server;
  readonly #deadline: number;
  readonly #caller: string | number | undefined;

  constructor(server: Server, deadline: number, caller?: string | number) {
    this.#server = server;
    this.#deadline = deadline;
    this.#caller = caller;
  }

  query(
    sql: string,
    parameters: Parameters = {},
    { name = 'statement', outcome, onRest, onResults, ...change }: QueryOptions = {},
  ): Promise<readonly ResultSet[]> {
    const facts = {
      'db.system.name': 'microsoft.sql_server',
      'db.namespace': this.#server.database ?? '',
      'db.query.summary': name,
    };
    return measure('sql', name, facts, async ({ attributes }) => {
      const onRetry = (retries: number) => {
        attributes['app.db.retries'] = retries;
      };
      const statement = { sql, parameters, outcome, onRest };
      const results = await this.#attemptAll(statement, change, onRetry).catch((error: unknown) => {
        if (error instanceof SqlFailure) Object.assign(attributes, failureFacts(error));
        throw error;
      });
      attributes['db.response.returned_rows'] = results.reduce((sum, { rows }) => sum + rows.length, 0);
      try {
        onResults?.(results);
      } catch (error) {
        // What measures a statement does not decide what becomes of it.
        logFailure(undefined, error);
      }
      return results;
    });
  }

  async #attemptAll(
    statement: Statement,
    change: ChangeOptions,
    onRetry: (retries: number) => void,
  ): Promise<readonly ResultSet[]> {
    const state = { mayBeStored: false };
    try {
      return await this.#attempts(statement, change, state, onRetry);
    } catch (error) {
      if (!state.mayBeStored) throw error;
      // Whatever a later attempt has met, it says nothing of the one that was not answered.
      throw outcomeUnknown('the database did not answer', error);
    }
  }

  async #attempts(
    statement: Statement,
    { repeatable, repeatedFrom }: ChangeOptions,
    state: { mayBeStored: boolean },
    onRetry: (retries: number) => void,
  ): Promise<readonly ResultSet[]> {
    for (let number = 1; ; number++) {
      this.#server.breaker.check();
      try {
        return await this.#attempt(withVersion(statement, state.mayBeStored, repeatedFrom));
      } catch (thrown) {
        const { error, retry, notApplied } = this.#classify(thrown);
        if (!notApplied && repeatable !== undefined) state.mayBeStored = true;
        if (!notApplied && repeatable === false) throw error;
        if (retry === 'never' || number === maxAttempts) throw error;
        const delay = (delays[retry][number - 1] ?? 0) * (1 + Math.random() / 2);
        if (Date.now() + delay + margin > this.#deadline) throw error;
        onRetry(number);
        await sleep(delay);
      }
    }
  }

  async #attempt(statement: Statement): Promise<readonly ResultSet[]> {
    const { connections, stall, isAnswering } = this.#server;
    const timeoutMs = Math.min(queueTimeoutMs, this.#remainingMs());
    const options = { timeoutMs, deadline: this.#deadline };
    const givenUpIn = () => Math.max(this.#deadline - Date.now() - replyTime, 100);
    const send = () => stall.watch(() => withTimeout(givenUpIn(), this.#send(statement), noAnswer));
    try {
      return await connections.run(keysOf(this.#caller, statement.parameters), send, options);
    } catch (error) {
      // Slow statements and a silent server look the same from here.
      if (isCodedError(error, 'database-busy') && stall.isStalled && !(await isAnswering()))
        throw silentServer(error);
      throw error;
    }
  }

  async #send({ sql, parameters, outcome, onRest }: Statement): Promise<readonly ResultSet[]> {
    const { pool, breaker, maxResultBytes } = this.#server;
    const request = await pool.request(this.#remainingMs(), { callsProcedures: callsProcedures(sql) });
    const timeoutMs = this.#remainingMs();
    const onFaultBehind = (error: unknown) => {
      logFailure(undefined, this.#described(error));
      onRest?.(classifyFailure(error, undefined, this.#server.trusted).error);
    };
    const isInParts = onRest !== undefined;
    const results = await runStatement(request, sql, parameters, {
      timeoutMs: timeoutMs + driverLead,
      maxBytes: maxResultBytes,
      ...(outcome === undefined ? {} : { outcome: { columns: outcome, isInParts, onFaultBehind } }),
    });
    breaker.succeeded();
    return results;
  }

  #remainingMs(): number {
    return Math.max(this.#deadline - Date.now() - margin, 100);
  }

  /** Returns an error as it may be logged: the driver's has the message of the server, which may quote values. */
  #described(error: unknown): unknown {
    if (error instanceof CodedError) return error;
    try {
      return classifyFailure(error, undefined, this.#server.trusted).error;
    } catch {
      return error;
    }
  }

  #classify(error: unknown): Classification {
    const { pool, breaker, stall, renew, trusted } = this.#server;
    if (error instanceof CodedError) {
      const explained = this.#explain(error);
      // These errors say nothing about the server.
      if (!callerErrors.has(explained.code)) breaker.failed(explained);
      throw explained;
    }
    const loginNumber = error instanceof Error ? pool.loginNumber(error.message) : undefined;
    const failure = classifyFailure(error, loginNumber, trusted);
    const classification = { ...failure, error: this.#explain(failure.error) };
    if (classification.connection) breaker.failed(classification.error);
    else breaker.succeeded();
    // A way on which packets are lost may swallow those of other connections too.
    if (isSilence(error) && stall.isSilent) renew();
    return classification;
  }

  #explain<Failure extends Classification['error']>(error: Failure): Failure | CodedError {
    const { wasReached = true } = this.#server;
    return !wasReached && isCodedError(error, 'database-unavailable') ? neverReached(error) : error;
  }
}

/** Returns a statement with the parameter `@repeatedFrom` of a change that has a version. */
function withVersion(
  statement: Statement,
  mayBeStored: boolean,
  repeatedFrom: number | undefined,
): Statement {
  if (repeatedFrom === undefined) return statement;
  const version = int(mayBeStored ? repeatedFrom : null);
  return { ...statement, parameters: { ...statement.parameters, repeatedFrom: version } };
}

/** Returns the attributes of a statement that failed on the server: its error number, and the procedure that raised it. */
function failureFacts({ number, procedure }: SqlFailure): Attributes {
  return {
    'db.response.status_code': String(number),
    ...(procedure === undefined ? {} : { 'db.stored_procedure.name': procedure }),
  };
}

function silentServer(cause: Error): CodedError {
  return new CodedError('database-unavailable', 'Cannot use the database: it has not answered for seconds.', {
    cause,
    retryAfter: 5,
  });
}

/** Returns the keys of a statement in the queue: its caller, and the object that it is about. */
function keysOf(caller: string | number | undefined, { propID, usrPropID }: Parameters): readonly string[] {
  const user = caller ?? usrPropID?.value ?? 'service';
  const object = propID?.value ?? undefined;
  return [`caller ${user}`, ...(object === undefined ? [] : [`object ${object}`])];
}
