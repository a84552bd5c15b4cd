/** The driver's pool over real TDS: its first connection serves the first statement. */

import { once } from 'node:events';
import { PASSWORD, ScriptedEngine, startWire } from '@records-and-calendar/local-sql-server/testing';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../../shared/config.ts';
import { createDriverPool } from '../../../../shared/sql/driver.ts';
import { poolOptions } from '../../../../shared/sql/pool-options.ts';
import { settingsForPort } from '../../../support/database-settings.ts';
import { startTcpProxy } from '../../../support/tcp-proxy.ts';

/** Connects a pool through a proxy; connections may idle for the given milliseconds. */
async function connectedPool(idleTimeoutMillis = 3_600_000) {
  const engine = new ScriptedEngine();
  const server = await startWire(engine);
  const proxy = await startTcpProxy(server.port);
  const config = readConfig(settingsForPort(proxy.port, { user: 'sa', password: PASSWORD }));
  const noCredential = {
    getToken: async () => {
      throw new Error('Nobody asks for a token.');
    },
  };
  const ends: Promise<unknown>[] = [];
  const pool = await createDriverPool({
    ...poolOptions(config, 'main', noCredential),
    pool: { idleTimeoutMillis },
    beforeConnect: (connection) => void ends.push(once(connection, 'end')),
  });
  pool.on('error', () => undefined);
  onTestFinished(async () => {
    await pool.close();
    await proxy[Symbol.asyncDispose]();
    await server.stop();
  });
  await pool.connect();
  const first = async () => (await pool.request().batch('SELECT 1')).recordset;
  /** What each session saw last. */
  const last = () => engine.sessions.map(({ log }) => log.at(-1));
  return { pool, proxy, ends, first, last };
}

test('the connection that tries the settings serves the first statement, and the next', async () => {
  const { first, last } = await connectedPool();
  expect([await first(), await first()]).toEqual([[[1]], [[1]]]);
  expect(last()).toEqual(['batch SELECT 1']);
});

test('it is closed with the pool though no statement came', async () => {
  const { pool, last } = await connectedPool();
  await pool.close();
  await expect.poll(last).toEqual(['close']);
});

test('it is closed when it has idled for too long, and another one takes its place', async () => {
  const { first, last } = await connectedPool(20);
  await expect.poll(last).toEqual(['close']);
  expect(await first()).toEqual([[1]]);
  expect(last()[1]).toBe('batch SELECT 1');
});

test('another one takes its place when it is lost', async () => {
  const { proxy, ends, first, last } = await connectedPool();
  proxy.cutAll();
  await ends[0];
  expect(await first()).toEqual([[1]]);
  expect(last()[1]).toBe('batch SELECT 1');
});
