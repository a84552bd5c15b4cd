/** A local SQL server that is reached through a TCP proxy only, for the tests of one file. */

import { startSqlServer } from '@records-and-calendar/local-sql-server';
import { afterAll, beforeEach, inject } from 'vitest';
import { sqlLogin } from '../../local/index.ts';
import { settingsForPort } from './database-settings.ts';
import { createDatabases } from './sample-databases.ts';
import { settingsOfLocalDatabases } from './shared-emulators.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

interface BehindProxy<Settings> {
  /** Whole again before each test. */
  readonly proxy: TcpProxy;
  /** The settings that lead to the server through the proxy. */
  readonly settings: Settings;
}

/** Starts a server with empty databases, and stops it after the tests of this file. */
export async function startSqlServerBehindProxy(
  names: readonly string[],
): Promise<BehindProxy<ReturnType<typeof settingsForPort>>> {
  const server = await startSqlServer({ databases: names, users: { [sqlLogin.user]: sqlLogin.password } });
  afterAll(() => server.stop());
  const proxy = await proxyOfFile(server.port);
  return { proxy, settings: settingsForPort(proxy.port, sqlLogin) };
}

/** Creates databases with the sample data on the shared server, and starts a proxy for the tests of this file. */
export async function createDatabasesBehindProxy(): Promise<
  BehindProxy<ReturnType<typeof settingsOfLocalDatabases>>
> {
  const local = settingsOfLocalDatabases();
  await createDatabases(local);
  const proxy = await proxyOfFile(inject('sqlServerPort'));
  return { proxy, settings: { ...local, DB_SERVER: `127.0.0.1,${proxy.port}` } };
}

async function proxyOfFile(port: number): Promise<TcpProxy> {
  const proxy = await startTcpProxy(port);
  beforeEach(() => {
    Object.assign(proxy, { onRequest: undefined, onReply: undefined, gone: false, silent: false });
  });
  afterAll(async () => proxy[Symbol.asyncDispose]());
  return proxy;
}
