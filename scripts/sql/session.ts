/** One connection that keeps its state between batches (locks, transactions, SET options, temporary tables), as a script needs it. */

import type { Config } from '../../shared/config.ts';
import { managedIdentity } from '../../shared/managed-identity.ts';
import { classifyFailure, createLoginNumbers } from '../../shared/sql/classify-failure.ts';
import { loadDriver } from '../../shared/sql/driver.ts';
import { poolOptions } from '../../shared/sql/pool-options.ts';
import { runBatch, runStatement } from '../../shared/sql/statement.ts';
import type { Parameters, ResultSet } from '../../shared/sql/values.ts';

export interface Session {
  /** Runs a batch as it is, as sqlcmd sends it. Throws `CodedError` or `SqlFailure`. */
  batch(sql: string): Promise<readonly ResultSet[]>;
  /** Runs a statement with parameters, on the same connection. */
  query(sql: string, parameters: Parameters): Promise<readonly ResultSet[]>;
  /** Ends the connection, and with it its transaction and its locks. */
  close(): Promise<void>;
}

/** Milliseconds for which a connection may idle: the longest time that a timer has. */
const forGood = 2_147_483_647;

/**
 * Opens a session with a database. A batch may take `timeout` milliseconds. A connection that is lost is not replaced, since a
 * new one has neither the locks nor the transaction: every later batch fails.
 */
export async function openSession(config: Config, database: string, timeout: number): Promise<Session> {
  const sql = await loadDriver();
  const loginNumbers = createLoginNumbers();
  const options = poolOptions(config, database, managedIdentity(config.AZURE_CLIENT_ID));
  let isOpen = false;
  const pool = new sql.ConnectionPool({
    ...options,
    requestTimeout: timeout,
    pool: { ...options.pool, max: 1, idleTimeoutMillis: forGood },
    beforeConnect(connection) {
      loginNumbers.watch(connection);
      if (isOpen) throw new sql.ConnectionError('The connection was lost.', 'ECONNCLOSED');
    },
  });
  pool.on('error', () => undefined);

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const loginNumber = error instanceof Error ? loginNumbers.numberOf(error.message) : undefined;
      throw classifyFailure(error, loginNumber, config.DB_TRUSTED_CONNECTION).error;
    }
  }

  // The driver tries the settings with one connection, and opens another for the first statement: that is the session.
  await guarded(() => pool.connect());
  await guarded(() => pool.request().batch('SELECT 1'));
  isOpen = true;
  return {
    batch: (text) => guarded(() => runBatch(pool.request(), text)),
    query: (text, parameters) => guarded(() => runStatement(pool.request(), text, parameters)),
    close: () => pool.close(),
  };
}
