/** One database as the domain sees it: statements that are repeated where that is safe, inside the request's time. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '../errors/codes.ts';
import { CodedError } from '../errors.ts';
import type { OffThread } from '../rests.ts';
import { measure } from '../telemetry/trace.ts';
import type { Turns } from '../turns.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { type Classification, classifyFailure } from './classify-failure.ts';
import type { Pool } from './pool.ts';
import { runStatement } from './statement.ts';
import type { Parameters, ResultSet } from './values.ts';

export interface QueryOptions {
  /** What the statement does, in a few words for telemetry. Default: statement. */
  readonly name?: string;
  /**
   * Whether the statement may run twice without harm. Default true, right for reads. A statement that is not repeatable
   * runs again only when it is certain that nothing was changed.
   */
  readonly repeatable?: boolean;
}

export interface Database {
  /**
   * Runs a statement in one round trip and returns its result sets. Throws `CodedError` (`database-unavailable` or
   * `database-busy` with a time to come back, `database-connection` naming the setting) or `SqlFailure`.
   */
  query(sql: string, parameters?: Parameters, options?: QueryOptions): Promise<readonly ResultSet[]>;
}

/** The memory that results take. */
export interface ResultMemory {
  /** Returns the signal that the request is refused while a statement waits; undefined where it waits in any case. */
  refused(): AbortSignal | undefined;
  /** Called before a statement is sent; throws where what it is expected to give is too much. */
  reserve(): void;
  /** Counts bytes of results as they arrive; throws where they are too many. */
  add(bytes: number): void;
}

/** The request that statements are for. */
export interface StatementsRequest {
  /** Is told of the bytes of results. Default: nobody is. */
  readonly held?: ResultMemory | undefined;
  /** Waits for the turn of a statement, for which the thread does nothing. */
  readonly offThread?: OffThread | undefined;
}

export interface Server {
  readonly pool: Pool;
  readonly breaker: CircuitBreaker;
  readonly trusted: boolean;
  /** Name of the database, for telemetry. Default: none. */
  readonly database?: string;
  /** The turns at the connections of the pool. Default: whoever asks gets one. */
  readonly turns?: Turns;
}

/** Attempts in all, and delays in milliseconds before a new one; each delay is stretched by up to half at random. */
const maxAttempts = 3;
const delays = { soon: [20, 100], later: [250, 1_000] } as const;

/** Milliseconds kept free for the reply, and for the driver to end a statement that takes too long. */
const margin = 1_500;

/** Codes of what callers ask for too much of. */
const ofCallers = new Set<ErrorCode>(['database-busy', 'overloaded', 'reply-too-large']);

/** Milliseconds for which a statement waits for a connection, at most. */
const maxWait = 4_000;

/** Creates a database whose statements must be done by `deadline` (milliseconds since epoch). `caller` is whose share of the connections they take. */
export function databaseWithin(
  { pool, breaker, trusted, turns, database = '' }: Server,
  deadline: number,
  caller?: string | number,
  { held: memory, offThread }: StatementsRequest = {},
): Database {
  /** Whether a statement of this request has run. */
  let hasRun = false;
  const timeLeft = () => Math.max(deadline - Date.now() - margin, 100);

  async function attempt(sql: string, parameters: Parameters): Promise<readonly ResultSet[]> {
    const request = await pool.request(timeLeft());
    memory?.reserve();
    const results = await runStatement(request, sql, parameters, memory?.add);
    hasRun = true;
    breaker.succeeded();
    return results;
  }

  function attemptInTurn(sql: string, parameters: Parameters): Promise<readonly ResultSet[]> {
    if (turns === undefined) return attempt(sql, parameters);
    const wait = Math.min(maxWait, timeLeft());
    const options = { refused: memory?.refused, continues: hasRun, offThread };
    return turns.run(sharesOf(caller, parameters), wait, () => attempt(sql, parameters), options);
  }

  function classify(error: unknown): Classification {
    if (error instanceof CodedError) {
      // That many wait, or that much comes, says nothing of the server.
      if (!ofCallers.has(error.code)) breaker.failed(error);
      throw error;
    }
    const loginNumber = error instanceof Error ? pool.loginNumber(error.message) : undefined;
    const classification = classifyFailure(error, loginNumber, trusted);
    if (classification.connection) breaker.failed(classification.error);
    else breaker.succeeded();
    return classification;
  }

  async function attemptAll(
    sql: string,
    parameters: Parameters,
    repeatable: boolean,
    onRetry: (retries: number) => void,
  ): Promise<readonly ResultSet[]> {
    for (let number = 1; ; number++) {
      breaker.check();
      try {
        return await attemptInTurn(sql, parameters);
      } catch (thrown) {
        const { error, retry, notApplied } = classify(thrown);
        if (!notApplied && !repeatable) throw outcomeUnknown(error);
        if (retry === 'never' || number === maxAttempts) throw error;
        const delay = (delays[retry][number - 1] ?? 0) * (1 + Math.random() / 2);
        if (Date.now() + delay + margin > deadline) throw error;
        onRetry(number);
        await sleep(delay);
      }
    }
  }

  return {
    query(sql, parameters = {}, { name = 'statement', repeatable = true } = {}) {
      const facts = {
        'db.system.name': 'microsoft.sql_server',
        'db.namespace': database,
        'db.query.summary': name,
      };
      return measure('sql', name, facts, async ({ attributes }) => {
        const results = await attemptAll(sql, parameters, repeatable, (retries) => {
          attributes['app.db.retries'] = retries;
        });
        attributes['db.response.returned_rows'] = results.reduce((sum, { rows }) => sum + rows.length, 0);
        return results;
      });
    },
  };
}

/** For a change that was sent, but whose answer never came. */
function outcomeUnknown(cause: Error): CodedError {
  return new CodedError(
    'outcome-unknown',
    'Cannot tell whether the change was stored: the database did not answer.',
    {
      cause,
      retryAfter: 5,
      hint: 'Read the object before you repeat the change; it was stored as a whole or not at all.',
    },
  );
}

/** Returns whose shares of the connections a statement takes: those of the caller, and of the object that it is about. */
function sharesOf(caller: string | number | undefined, { propID, usrPropID }: Parameters): readonly string[] {
  const user = caller ?? usrPropID?.value ?? undefined;
  const object = propID?.value ?? undefined;
  return [
    ...(user === undefined ? [] : [`caller ${user}`]),
    ...(object === undefined ? [] : [`object ${object}`]),
  ];
}
