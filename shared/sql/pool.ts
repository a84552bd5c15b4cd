/** The pool of connections to one database: opened on first use, replaced when it could not be opened, or when the server became silent. */

import type { Connection, ConnectionPool, config as DriverConfig, Request } from 'mssql';
import { CodedError } from '../errors.ts';
import { logFailure } from '../telemetry/log.ts';
import { measure } from '../telemetry/trace.ts';
import { withTimeout } from '../timing.ts';
import { createLoginNumbers } from './classify-failure.ts';
import { loadDriver } from './driver.ts';

/** Milliseconds for which one request waits for the first connection. */
const waitTimeout = 5_000;

export interface Pool {
  /**
   * Returns a request on the pool; it and its statement may take `timeout` milliseconds. Throws `database-unavailable` when the first
   * connection takes longer than a request can wait.
   */
  request(timeout: number, options?: RequestOptions): Promise<Request>;
  /** Has the next request open new connections. Those in use are closed when their statements end. */
  renew(): void;
  /** The server's number for a login that it refused with this message, which the driver's own error lacks. */
  loginNumber(message: string): number | undefined;
  /** Whether the server has ever answered: with a connection, or by refusing a login. */
  readonly wasReached: boolean;
  /** Connections that are in use and idle, and what waits for one. */
  counts(): { readonly used: number; readonly idle: number; readonly pending: number };
  close(): Promise<void>;
}

export interface RequestOptions {
  /** Whether the statement calls procedures that are not ours. The connection is reset behind it. */
  readonly callsProcedures?: boolean;
}

type RequestConstructor = new (
  pool: ConnectionPool,
  overrides: { readonly requestTimeout: number },
) => Request;

/** Creates a pool. `createConfig` is asked for fresh options each time, because the driver writes into them. */
export function createPool(createConfig: () => DriverConfig): Pool {
  let opening: Promise<ConnectionPool> | undefined;
  /** When the attempt to open began, in milliseconds on a steady clock. */
  let openingSince = 0;
  let connected: ConnectionPool | undefined;
  let wasReached = false;
  const loginNumbers = createLoginNumbers();

  async function open(): Promise<ConnectionPool> {
    const sql = await loadDriver();
    const pool = new (resettingPool(sql))({ ...createConfig(), beforeConnect: loginNumbers.watch });
    // Every failure also reaches the request that suffers from it; without a listener the event would end the process.
    pool.on('error', () => undefined);
    await pool.connect();
    // An earlier attempt may have come through after all.
    if (connected !== undefined) close(pool);
    connected ??= pool;
    wasReached = true;
    return connected;
  }

  /**
   * One attempt for all who wait. A pool that failed to open is thrown away: it would never recover. An attempt that has taken as long as
   * a request waits is left to itself, since its packets may be lost, and the next caller makes another.
   */
  function opened(): Promise<ConnectionPool> {
    if (opening !== undefined && performance.now() - openingSince < waitTimeout) return opening;
    const attempt = measure('sql', 'connect', { 'db.system.name': 'microsoft.sql_server' }, open).finally(
      () => {
        if (opening === attempt) opening = undefined;
      },
    );
    opening = attempt;
    openingSince = performance.now();
    return attempt;
  }

  /** Closes a pool that no new request gets, when its statements have ended. */
  function close(pool: ConnectionPool): void {
    pool.close().catch((error: unknown) => logFailure(undefined, error));
  }

  return {
    get wasReached() {
      return wasReached || loginNumbers.any;
    },
    async request(timeout, { callsProcedures = false } = {}) {
      const startedAt = performance.now();
      const pool = connected ?? (await withTimeout(Math.min(timeout, waitTimeout), opened(), tooLate));
      const sql = await loadDriver();
      // The driver's types lack the second argument.
      const TimedRequest = sql.Request as unknown as RequestConstructor;
      // 0 would be no limit.
      const requestTimeout = Math.max(1, timeout - Math.round(performance.now() - startedAt));
      const request = new TimedRequest(pool, { requestTimeout });
      if (callsProcedures) callers.add(request);
      return request;
    },
    renew() {
      if (connected === undefined) return;
      close(connected);
      connected = undefined;
    },
    counts() {
      const { borrowed = 0, available = 0, pending = 0 } = connected ?? {};
      return { used: borrowed, idle: available, pending };
    },
    loginNumber: loginNumbers.numberOf,
    // A pool that is still opening cannot be closed; its connection ends by itself.
    close: async () => void (await connected?.close()),
  };
}

/** Requests that call procedures which are not ours. */
const callers = new WeakSet<object>();

/** What the driver's pool has beside its types (`mssql`, lib/base/connection-pool.js): how requests get a connection, and give it back. */
interface Lender {
  acquire(
    requester: object,
    callback: (error: unknown, connection?: Connection, config?: unknown) => void,
  ): this;
  release(connection: Connection): this;
}

/**
 * Creates a pool that resets a connection, as clients of .NET do, before it lends it out again after a call of such a procedure: locks of the
 * session, its context and its open transactions would reach the next caller. The call itself does not wait for it.
 */
function resettingPool({ ConnectionPool }: typeof import('mssql')) {
  const Base = ConnectionPool as unknown as new (config: DriverConfig) => ConnectionPool & Lender;
  return class extends Base {
    readonly #used = new WeakSet<Connection>();

    override acquire(requester: object, callback: Parameters<Lender['acquire']>[1]): this {
      return super.acquire(requester, (error, connection, config) => {
        if (connection !== undefined && callers.has(requester)) this.#used.add(connection);
        callback(error, connection, config);
      });
    }

    override release(connection: Connection): this {
      if (!this.#used.delete(connection)) return super.release(connection);
      connection.reset((error) => {
        // The pool lends no connection that is closed.
        if (error) connection.close();
        super.release(connection);
      });
      return this;
    }
  };
}

function tooLate(): CodedError {
  return new CodedError('database-unavailable', 'Cannot use the database: it does not answer in time.', {
    retryAfter: 5,
  });
}
