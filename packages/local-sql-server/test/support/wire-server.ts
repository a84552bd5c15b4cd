/** Starts the wire over an engine and connects `mssql` to it. */
import sql from 'mssql';
import type { Engine } from '../../src/engine/session.ts';
import { listen, type RunningServer } from '../../src/wire/server.ts';

export const PASSWORD = 'pässword {1}';

/** A server on a free port with the login `sa`, and the lines of its log. */
export interface WireServer extends RunningServer, AsyncDisposable {
  readonly log: string[];
}

/** Starts a server that stops at the end of the scope (`await using`). */
export async function startWire(engine: Engine, issuer?: string): Promise<WireServer> {
  const log: string[] = [];
  const server = await listen({
    engine,
    port: 0,
    users: { sa: PASSWORD },
    issuer,
    log: (line) => log.push(line),
  });
  return { ...server, log, [Symbol.asyncDispose]: () => server.stop() };
}

/** Returns the configuration with which `mssql` reaches a server. */
export function clientConfig(port: number, changes: Partial<sql.config> = {}): sql.config {
  const options = { encrypt: false, trustServerCertificate: true, ...changes.options };
  return {
    server: '127.0.0.1',
    port,
    user: 'sa',
    password: PASSWORD,
    database: 'main',
    validateConnection: false,
    ...changes,
    options,
  } as sql.config;
}

/** Connects a pool of one connection that closes at the end of the scope. */
export async function connect(
  port: number,
  changes: Partial<sql.config> = {},
): Promise<sql.ConnectionPool & AsyncDisposable> {
  const pool = new sql.ConnectionPool({ ...clientConfig(port, changes), pool: { max: 1, ...changes.pool } });
  await pool.connect();
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.close() });
}
