/** A local SQL server that is reached through a TCP proxy only, for the tests of one file. */

import { startSqlServer } from 'local-sql-server';
import { afterAll, beforeEach } from 'vitest';
import { databases, sqlLogin, sqlServerSettings } from '../../local/defaults.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export interface SqlServerBehindProxy {
  /** Whole again before each test. */
  readonly proxy: TcpProxy;
  /** The settings that lead to the server through the proxy, for the databases of the dev stack. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts the server with empty databases, and stops it after the tests of this file. */
export async function startSqlServerBehindProxy(
  names: readonly string[] = Object.values(databases),
): Promise<SqlServerBehindProxy> {
  const server = await startSqlServer({ databases: names, users: { [sqlLogin.user]: sqlLogin.password } });
  const proxy = await startTcpProxy(server.port);
  beforeEach(() => {
    Object.assign(proxy, { onRequest: undefined, onReply: undefined, gone: false, silent: false });
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await server.stop();
  });
  return { proxy, settings: { ...sqlServerSettings, DB_SERVER: `127.0.0.1,${proxy.port}` } };
}
